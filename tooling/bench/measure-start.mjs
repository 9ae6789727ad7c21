/**
 * A start through the built packages, as an agent would do it: discovery, cache, manager. Prints the milliseconds from
 * the start of this process to the hand-over.
 *
 * Arguments: home, project, cache directory, startup timeout (a number or "Infinity").
 */
const [home = "", project = "", cache = "", timeout = "0"] = process.argv.slice(2);
const since = () => Date.now() - performance.timeOrigin;

const { discoverAndLoadMCPTools, isServerTool } = await import("@toolgate/mcp-manager");
const { createToolCache } = await import("@toolgate/tool-cache");
const imported = since();

const startupTimeoutMs = Number(timeout);
const { tools, errors, manager } = await discoverAndLoadMCPTools(project, {
  home,
  toolCache: createToolCache({ directory: cache }),
  startupTimeoutMs,
  uncachedPending: "wait",
});
const all = since();

const first = Math.min(
  all,
  ...manager
    .describeServers()
    .map(({ timeline }) => timeline.listedAt ?? Infinity)
    .map((at) => at + imported),
);
const servers = new Set(tools.map(({ tool }) => (isServerTool(tool) ? tool.server : ""))).size;
process.stdout.write(
  `${JSON.stringify({ first, all, tools: tools.length, servers, errors: errors.length, imported })}\n`,
);
await manager.disconnectAll();
