import type { ServerDescription } from "@toolgate/mcp-manager";

import type { PathPlaces } from "../terminal/format.ts";
import { formatPath } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import { briefReason } from "./brief-reason.ts";

/** One line about a server that failed, with where it is configured and what tells all of it or mends it. */
export function describeFailure(
  server: Pick<ServerDescription, "name" | "source" | "error">,
  places: PathPlaces,
): string {
  const { name, source, error } = server;
  const next = error?.code === "AUTH_REQUIRED" ? "auth" : "test";
  const from = source === undefined ? "" : ` (${formatPath(source.path, places)})`;
  return sanitizeLine(`✗ ${name}${from}: ${briefReason(server) ?? "failed"} → /mcp ${next} ${name}`);
}
