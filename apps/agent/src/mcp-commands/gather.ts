import type { MCPServerConnection } from "@toolgate/mcp-client";

import type { CommandContext } from "./command-context.ts";
import type { ErrorDocument } from "./command-outcome.ts";
import { describeError, exitStatusOf } from "./command-outcome.ts";
import type { OpenServers } from "./server-access.ts";
import { requireServer } from "./server-access.ts";
import { collectErrors } from "./server-errors.ts";

/** What was asked of several servers, with who did not answer. */
export interface Gathered<T> {
  items: { server: string; found: T }[];
  errors: ErrorDocument[];
  exitStatus: number;
}

/** Asks all connected servers the same at once, or one; the failure of one that was named is the command's. */
export async function gather<T>(
  server: string | undefined,
  context: CommandContext,
  ask: (connection: MCPServerConnection, signal: AbortSignal) => Promise<T>,
): Promise<Gathered<T>> {
  const open = await context.servers.open(server === undefined ? {} : { only: [server] });
  const collected = collectErrors(open, server);
  const gathered: Gathered<T> = { items: [], errors: [...collected.errors], exitStatus: collected.exitStatus };
  const names = server === undefined ? open.manager.describeServers().map(({ name }) => name) : [server];
  await Promise.all(
    names.map(async (name) => {
      const connection = open.manager.getConnection(name);
      if (connection === undefined) return;
      try {
        gathered.items.push({ server: name, found: await ask(connection, context.signal) });
      } catch (error) {
        context.signal.throwIfAborted();
        gathered.errors.push({ server: name, ...describeError(error) });
        if (server !== undefined) gathered.exitStatus = exitStatusOf(error);
      }
    }),
  );
  gathered.items.sort((a, b) => (a.server < b.server ? -1 : 1));
  return gathered;
}

/**
 * The open connection of a server that a person named; waits for one on its way.
 *
 * @throws ToolgateError with the server's own reason
 */
export async function requireConnection(
  open: OpenServers,
  name: string,
  signal: AbortSignal,
): Promise<MCPServerConnection> {
  requireServer(open, name);
  return open.manager.waitForConnection(name, { signal });
}
