/**
 * How late the gate falls while servers start: a warm start with the default gate and servers that take longer than
 * it. Prints the milliseconds that `connectServers` took.
 *
 * Arguments: number of servers, cache directory. The first run with a cache directory fills it and is not measured.
 */
import { fileURLToPath } from "node:url";

import { MCPManager } from "@toolgate/mcp-manager";
import { createToolCache } from "@toolgate/tool-cache";

const [count = "1", cache = "", mode = "measure"] = process.argv.slice(2);
const fixture = fileURLToPath(new URL("../fixture-servers/stdio-server.mjs", import.meta.url));
const configs = Object.fromEntries(
  Array.from({ length: Number(count) }, (_, index) => [
    `server${index}`,
    {
      command: process.execPath,
      args: [fixture, JSON.stringify({ name: `server${index}`, delays: { initialize: 300 } })],
    },
  ]),
);
const manager = new MCPManager(process.cwd(), {
  toolCache: createToolCache({ directory: cache }),
  ...(mode === "fill" ? { startupTimeoutMs: Infinity } : {}),
});
const started = performance.now();
const { tools, errors } = await manager.connectServers(configs);
const elapsed = performance.now() - started;
process.stdout.write(`${JSON.stringify({ elapsed, tools: tools.length, errors: errors.size })}\n`);
await manager.disconnectAll();
