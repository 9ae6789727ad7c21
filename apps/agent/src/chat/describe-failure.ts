import type { ServerDescription } from "@toolgate/mcp-manager";

import { briefReason } from "../mcp-commands/brief-reason.ts";
import type { PathPlaces } from "../terminal/format.ts";
import { formatPath } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";

/** One line about a server that failed, with where it is configured and what tells all of it. */
export function describeFailure(
  server: Pick<ServerDescription, "name" | "source" | "error">,
  places: PathPlaces,
): string {
  const { name, source } = server;
  const from = source === undefined ? "" : ` (${formatPath(source.path, places)})`;
  return sanitizeLine(`✗ ${name}${from}: ${briefReason(server) ?? "failed"} → /mcp test ${name}`);
}
