import { findServer } from "../mentions/find-mentions.ts";

/**
 * Whether a line asks for a prompt of a server, `/server:prompt …`: it names a server, or its first word has a colon. The
 * chat's own commands have none.
 *
 * @param servers - The names of all servers.
 */
export function asksForServerPrompt(line: string, servers: readonly string[]): boolean {
  return /^\/[^\s:]+:/.test(line) || (line.startsWith("/") && findServer(line.slice(1), servers) !== undefined);
}
