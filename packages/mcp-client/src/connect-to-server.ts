import { type MCPServerConfig, ToolgateError, validateServerConfig } from "@toolgate/contracts";

import type { ConnectOptions } from "./connection/connect-options.ts";
import type { MCPServerConnection } from "./connection/connection.ts";
import { ServerErrors } from "./connection/server-errors.ts";
import { hasCredential } from "./remote/entry-credential.ts";

/**
 * Connects to one server: starts its process or reaches its address, and shakes hands by `initialize`, or by
 * `server/discover` where the entry, `options.era` or the server says so.
 *
 * The limit is the entry's `startupTimeout`, else its `timeout`, else 30000 ms; it counts from the start of the process.
 * The child is started before the SDK is loaded, so that both happen at once.
 *
 * @param name - The server's name, used in errors.
 * @param config - The entry with all substitutions done.
 * @throws ToolgateError `CONFIG_INVALID`, `SPAWN_FAILED`, `SERVER_EXITED`, `CONNECT_TIMEOUT`, `CONNECT_FAILED`,
 * `HTTP_STATUS`, `AUTH_REQUIRED`, `SIGN_IN_FAILED`, `HANDSHAKE_FAILED` or `PROTOCOL_UNSUPPORTED`; an AbortError when
 * `signal` aborts. In every case the child's whole tree is gone before it rejects.
 */
export async function connectToServer(
  name: string,
  config: MCPServerConfig,
  options: ConnectOptions = {},
): Promise<MCPServerConnection> {
  const problems = validateServerConfig(name, config);
  if (problems.length > 0) {
    const file = options.source === undefined ? "" : ` (${options.source.path})`;
    throw new ToolgateError(
      "CONFIG_INVALID",
      `The entry of the server "${name}"${file} is wrong: ${problems.join("; ")}`,
      {
        server: name,
        stage: "config",
        data: problems,
      },
    );
  }
  const { openConnection } = await import("./connection/open-connection.ts");
  const { authorization } = options;
  if (authorization?.onAuthorizationUrl === undefined || !("url" in config) || hasCredential(config)) {
    return openConnection(name, config, options);
  }
  const { connectSignedIn } = await import("./auth/connect-signed-in.ts");
  return connectSignedIn({
    config,
    options: { ...options, authorization },
    errors: new ServerErrors(name, config, options.source),
    open: (current) => openConnection(name, config, { ...options, authorization: current }),
  });
}

/** Ends a connection and its child's whole process tree. Idempotent, bounded, never rejects. */
export async function disconnectServer(connection: MCPServerConnection): Promise<void> {
  await connection.close();
}
