import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";

/** How much a server logs. */
export type LoggingLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** Asks a server whether it is there; the modern era has no ping, and is sent `server/discover`. */
export async function ping(connection: MCPServerConnection, options: RequestOptions = {}): Promise<void> {
  await connection.request("ping", undefined, options);
}

/**
 * Sets what a server reports by `notifications/message`; without the `logging` capability nothing is sent. In the modern
 * era the level goes with each request from then on, and what is reported belongs to that request.
 */
export async function setLoggingLevel(
  connection: MCPServerConnection,
  level: LoggingLevel,
  options: RequestOptions = {},
): Promise<void> {
  if (connection.capabilities.logging === undefined) return;
  await connection.request("logging/setLevel", { level }, options);
}
