import type { MCPServerConnection } from "../connection/connection.ts";

/**
 * Tells a server that the host's roots have changed, so that it asks for them again; `ConnectOptions.roots` answers it. A
 * server of a revision that asks for roots each time is not told.
 *
 * @throws ToolgateError `SERVER_ERROR` when the connection was made without roots; else as `notify`
 */
export async function notifyRootsChanged(connection: MCPServerConnection): Promise<void> {
  await connection.notify("notifications/roots/list_changed");
}
