import { isRecord } from "@toolgate/contracts";
import type { MCPServerConfig, ToolgateError } from "@toolgate/contracts";

import { defineCapability } from "./capability.ts";
import type { Capability } from "./capability.ts";

/** An MCP server as a configuration file declares it. */
export interface MCPServerItem {
  /** The server's name, as written. */
  name: string;
  /**
   * What to start, after the client's own expansion and with nothing added: `{ command, args }` in the file is
   * `{ command, args }` here. Remote entries always have `type`; stdio entries have it only when it was written.
   * `enabled: false` stands for every way of disabling; `enabled: true` is there only when it was written.
   */
  config: MCPServerConfig;
  /** The entry as it stands in the file, before everything: what an approval is given for. */
  definition: unknown;
  /** Folder of the project that the file belongs to: the default working directory of the child. */
  projectDirectory?: string;
  /** `local`: the user's own entry for one project; it ranks above the project's entries and below runtime ones. */
  scope?: "local";
  /** File by which the client itself disables the server, when that is not the entry's own. */
  disabledBy?: string;
  /** Why this server alone cannot start; its message names the file and what to do. */
  problem?: ToolgateError;
  /** What it needs that Toolgate lacks, for example a transport. Such an entry is listed, disabled, never started. */
  unsupported?: string;
}

const LOCAL_RANK = 350;

/** MCP servers as a capability: same name is same server; so is the same remote endpoint of two providers. */
export const mcpCapability: Capability<MCPServerItem> = defineCapability<MCPServerItem>({
  id: "mcp-servers",
  displayName: "MCP server",
  key: (item) => item.name,
  rank: (item) => (item.scope === "local" ? LOCAL_RANK : undefined),
  validate: findItemProblems,
  endpoint: endpointOf,
});

function findItemProblems(item: MCPServerItem): string[] {
  if (typeof item.name !== "string" || item.name.trim() === "") return ["has no name"];
  return isRecord(item.config) ? [] : ["has no config object"];
}

/**
 * Type, address and headers of a remote server. Disabled and broken entries have none: they shadow entries of their own
 * name only.
 */
function endpointOf(item: MCPServerItem): string | undefined {
  const { config } = item;
  if (config.enabled === false || item.problem !== undefined || item.unsupported !== undefined) return undefined;
  if (config.type !== "http" && config.type !== "sse") return undefined;
  const headers = Object.entries(config.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([config.type, normalizeUrl(config.url), headers]);
}

function normalizeUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
