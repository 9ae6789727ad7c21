import type { ServerDescription } from "@toolgate/mcp-manager";

import { briefReason } from "../mcp-commands/brief-reason.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";

/** One line about a server that failed, with where it is configured and where all is told. */
export function describeFailure(server: Pick<ServerDescription, "name" | "source" | "error">): string {
  const name = sanitizeLine(server.name);
  const from = server.source === undefined ? "" : ` (${sanitizeLine(server.source.path)})`;
  return `✗ ${name}${from}: ${sanitizeText(briefReason(server) ?? "failed")}  → /mcp test ${name}`;
}
