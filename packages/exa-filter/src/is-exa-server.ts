import type { MCPServerConfig } from "@toolgate/contracts";

import { commandLineOf, urlsOf } from "./config-texts.ts";

const HOST = "mcp.exa.ai";
// The npm package, with or without a version or the ending that Windows gives to its launcher.
const PACKAGE = /^exa-mcp-server(?:@.*|\.(?:cmd|exe|ps1))?$/i;

/**
 * Whether an entry is an Exa server: it is called `exa` (in any case), its URL or a URL among its arguments has the host
 * `mcp.exa.ai`, or it runs the package `exa-mcp-server`. Never throws, whatever the entry holds.
 */
export function isExaServer(name: string, config: MCPServerConfig): boolean {
  if (name.trim().toLowerCase() === "exa") return true;
  if (urlsOf(config).some((url) => url.hostname.replace(/\.$/, "") === HOST)) return true;
  return commandLineOf(config).some((text) => segmentsOf(text).some((segment) => PACKAGE.test(segment)));
}

/** The parts of an argument that may name a package: path segments, also in `--package=…` and in shell lines. */
function segmentsOf(text: string): string[] {
  return text.split(/[\s"'`=;&|()\\/]+/);
}
