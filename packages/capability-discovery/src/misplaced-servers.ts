import { isRecord } from "@toolgate/contracts";

/** Servers under a key that their client does not read. */
export interface MisplacedServers {
  /** The key as it stands in the file, for example `mcpServers` or `mcp.servers`. */
  found: string;
  /** The key that the client reads. */
  expected: string;
}

// Without case, dots, dashes and underscores, so that "mcpservers" and "mcp-servers" are among them.
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  "mcpservers",
  "mcpserver",
  "servers",
  "contextservers",
  "ampmcpservers",
  "mcp",
]);
const ADDRESS_FIELDS = ["url", "serverUrl", "httpUrl", "uri", "baseUrl"];

/**
 * Looks for servers that a person has written for another client: under a key that other clients read, or under one that
 * differs in its spelling. Only a map whose values look like servers counts, because such keys have other uses too.
 *
 * @param container - The object that should hold the servers.
 * @param expected - The key that the client reads.
 */
export function findMisplacedServers(
  container: Record<string, unknown>,
  expected: string,
): MisplacedServers | undefined {
  for (const [key, value] of Object.entries(container)) {
    if (key === expected || !KNOWN_KEYS.has(key.replaceAll(/[-_.]/g, "").toLowerCase())) continue;
    if (looksLikeServers(value)) return { found: key, expected };
    const inner = isRecord(value) ? findInner(value) : undefined;
    if (inner !== undefined) return { found: `${key}.${inner}`, expected };
  }
  return undefined;
}

/** The map within a section such as `mcp`, which holds settings beside it. */
function findInner(section: Record<string, unknown>): string | undefined {
  return ["servers", "mcpServers"].find((key) => Object.hasOwn(section, key) && looksLikeServers(section[key]));
}

function looksLikeServers(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.values(value);
  return entries.every(isRecord) && entries.some(looksLikeServer);
}

function looksLikeServer(entry: Record<string, unknown>): boolean {
  const own = (field: string): unknown => (Object.hasOwn(entry, field) ? entry[field] : undefined);
  const command = own("command");
  if (typeof command === "string" || (Array.isArray(command) && typeof command[0] === "string")) return true;
  return ADDRESS_FIELDS.some((field) => typeof own(field) === "string");
}
