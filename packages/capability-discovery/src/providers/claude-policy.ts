import { isRecord } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

/** One line of a list in managed settings: a name, a whole command line or an address with `*`. */
type PolicyLine = Record<string, unknown>;

/**
 * Whether the administrator's lists permit a server. A denied one never runs. With an allow list, commands are compared
 * when it names commands, addresses when it names addresses, and names otherwise.
 */
export function isPermitted(name: string, config: MCPServerConfig, settings: Record<string, unknown>): boolean {
  const denied = readLines(settings["deniedMcpServers"]) ?? [];
  if (denied.some((line) => matchesName(line, name) || matchesTarget(line, config))) return false;
  const allowed = readLines(settings["allowedMcpServers"]);
  if (allowed === undefined) return true;
  const field = isRemote(config) ? "serverUrl" : "serverCommand";
  const byTarget = allowed.some((line) => line[field] !== undefined);
  return allowed.some((line) => (byTarget ? matchesTarget(line, config) : matchesName(line, name)));
}

function readLines(value: unknown): PolicyLine[] | undefined {
  return Array.isArray(value) ? value.filter(isRecord) : undefined;
}

function isRemote(config: MCPServerConfig): boolean {
  return config.type === "http" || config.type === "sse";
}

function matchesName(line: PolicyLine, name: string): boolean {
  return line["serverName"] === name;
}

function matchesTarget(line: PolicyLine, config: MCPServerConfig): boolean {
  if (config.type === "http" || config.type === "sse") {
    return typeof line["serverUrl"] === "string" && matchesWildcard(line["serverUrl"], config.url);
  }
  const command = line["serverCommand"];
  const actual = [config.command, ...(config.args ?? [])];
  return (
    Array.isArray(command) && command.length === actual.length && actual.every((part, index) => part === command[index])
  );
}

function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
