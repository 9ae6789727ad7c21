import type { ContentOptions, MCPManager, ServerItems } from "@toolgate/mcp-manager";

import type { CommandContext } from "./command-context.ts";
import type { ErrorDocument } from "./command-outcome.ts";
import { describeError, EXIT_STATUS, exitStatusOf } from "./command-outcome.ts";
import { collectErrors } from "./server-errors.ts";

/** What was asked of several servers, with who did not answer. */
export interface Gathered<T> {
  items: T[];
  errors: ErrorDocument[];
  exitStatus: number;
}

/** Asks all connected servers for a list, or one; the failure of one that was named is the command's. */
export async function gather<T>(
  server: string | undefined,
  context: CommandContext,
  list: (manager: MCPManager, options: ContentOptions) => Promise<ServerItems<T>>,
): Promise<Gathered<T>> {
  const open = await context.servers.open(server === undefined ? {} : { only: [server] });
  const { errors, exitStatus } = collectErrors(open, server);
  const listed = await list(open.manager, { server, signal: context.signal });
  const known = new Set(errors.map((error) => error.server));
  const unanswered = [...listed.errors].filter(([name]) => !known.has(name));
  const own = unanswered.find(([name]) => name === server)?.[1];
  return {
    items: listed.items,
    errors: [...errors, ...unanswered.map(([name, error]) => ({ server: name, ...describeError(error) }))],
    exitStatus: own === undefined || exitStatus !== EXIT_STATUS.fine ? exitStatus : exitStatusOf(own),
  };
}
