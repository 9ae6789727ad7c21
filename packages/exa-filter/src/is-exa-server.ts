import type { MCPServerConfig } from "@toolgate/contracts";

const NAME = "exa";
const HOST = "mcp.exa.ai";
const PACKAGE = "exa-mcp-server";

/**
 * Whether an entry is an Exa server: by its name in any case, by the host `mcp.exa.ai` in its URL or in an argument
 * (as of `mcp-remote`), or by the package `exa-mcp-server`. Never throws, whatever the entry holds.
 */
export function isExaServer(name: string, config: MCPServerConfig): boolean {
  if (name.toLowerCase() === NAME) return true;
  if (config.type === "http" || config.type === "sse") return isExaUrl(config.url);
  const words = [config.command, ...(Array.isArray(config.args) ? config.args : [])];
  return words.some((word) => typeof word === "string" && (isExaUrl(word) || isExaPackage(word)));
}

/** Whether a text is, or ends in, a URL of Exa's host, as in `--url=https://mcp.exa.ai/mcp`. */
function isExaUrl(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const [url] = /https?:\/\/\S+$/i.exec(text) ?? [];
  return url !== undefined && URL.canParse(url) && new URL(url).hostname === HOST;
}

// A package as npx takes it (with a version or a tag), or as a segment of a path.
function isExaPackage(word: string): boolean {
  return word.split(/[\\/]/).some((segment) => segment === PACKAGE || segment.startsWith(`${PACKAGE}@`));
}
