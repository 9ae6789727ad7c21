/**
 * A warm start in a process of its own, measured from the start of that process: what the tour cannot show in its own.
 * Arguments: working directory, home. Prints one JSON object and ends what it started.
 */
import { discoverAndLoadMCPTools } from "@toolgate/mcp-manager";
import { createToolCache, toolCacheDirectory } from "@toolgate/tool-cache";

import { rootsOf } from "../session/session-roots.ts";

const [cwd = "", home = ""] = process.argv.slice(2);
const { tools, manager } = await discoverAndLoadMCPTools(cwd, {
  ...rootsOf(cwd),
  home,
  toolCache: createToolCache({ directory: toolCacheDirectory({ env: process.env, home }) }),
  startupTimeoutMs: 0,
});
const milliseconds = Date.now() - performance.timeOrigin;
process.stdout.write(JSON.stringify({ tools: tools.length, milliseconds }));
await manager.disconnectAll();
