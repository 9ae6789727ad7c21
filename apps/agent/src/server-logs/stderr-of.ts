import { isRecord } from "@toolgate/contracts";
import type { ServerDescription } from "@toolgate/mcp-manager";

/** The end of what a server wrote to stderr; of one that never got as far as a connection, what its error kept of it. */
export function stderrOf({ stderr, error }: Pick<ServerDescription, "stderr" | "error">): string {
  if (stderr !== "") return stderr;
  const data: unknown = error?.data;
  const kept = isRecord(data) ? data["stderr"] : undefined;
  return typeof kept === "string" ? kept : "";
}
