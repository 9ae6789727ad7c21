import { sanitizeLine } from "../terminal/sanitize-text.ts";
import type { ErrorDocument } from "./command-outcome.ts";
import { describeError, EXIT_STATUS, exitStatusOf } from "./command-outcome.ts";
import type { OpenServers } from "./server-access.ts";
import { requireServer } from "./server-access.ts";

/** The errors of the servers that a command used; of a named one, also its exit status. */
export function collectErrors(
  open: OpenServers,
  server: string | undefined,
): { errors: ErrorDocument[]; exitStatus: number } {
  if (server === undefined) {
    const failed = open.manager.describeServers().flatMap(({ error }) => (error === undefined ? [] : [error]));
    return { errors: failed.map(describeError), exitStatus: EXIT_STATUS.fine };
  }
  try {
    requireServer(open, server);
    return { errors: [], exitStatus: EXIT_STATUS.fine };
  } catch (error) {
    return { errors: [{ server, ...describeError(error) }], exitStatus: exitStatusOf(error) };
  }
}

/** An error of a server as a note for people. */
export function renderError({ server, message }: ErrorDocument): string {
  return sanitizeLine(server === undefined || message.includes(server) ? message : `${server}: ${message}`);
}
