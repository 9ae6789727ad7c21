import { basename } from "node:path";
import { pathToFileURL } from "node:url";

import type { MCPManagerOptions } from "@toolgate/mcp-manager";

/**
 * What the app declares to servers: that they may ask for its roots, and that its root is the working directory. Some
 * servers offer more tools to such a client, so every manager of the app declares the same; where a person can answer
 * servers, the chat declares that too.
 */
export function rootsOf(cwd: string): Required<Pick<MCPManagerOptions, "clientCapabilities" | "roots">> {
  return { clientCapabilities: { roots: {} }, roots: [{ uri: pathToFileURL(cwd).href, name: basename(cwd) }] };
}
