import { execFile } from "node:child_process";
import { promisify } from "node:util";

import type { AgentTool, MCPServerConfig } from "@toolgate/contracts";
import { transportOf } from "@toolgate/contracts";
import type { MCPManagerOptions } from "@toolgate/mcp-manager";
import { MCPManager, STARTUP_TIMEOUT_MS } from "@toolgate/mcp-manager";
import { createToolCache, toolCacheDirectory } from "@toolgate/tool-cache";

import { createAgentSession } from "../session/create-agent-session.ts";
import { rootsOf } from "../session/session-roots.ts";
import { alignColumns } from "../terminal/columns.ts";
import { formatCount, formatDuration, formatPath } from "../terminal/format.ts";
import { renderToolResult } from "../terminal/render-content.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import { renderWaterfall } from "../terminal/waterfall.ts";
import { companionFile } from "./companion-file.ts";
import { ProcessCount } from "./process-count.ts";
import type { ScratchProject } from "./scratch-project.ts";
import type { TourPrinter } from "./tour-printer.ts";

/** What the tour goes through. */
export interface TourContext {
  scratch: ScratchProject;
  printer: TourPrinter;
  signal: AbortSignal;
}

interface Tour extends TourContext {
  processes: ProcessCount;
  managerOptions: MCPManagerOptions;
}

/**
 * Shows the life of a set of servers on real ones.
 *
 * @returns whether everything went as it should: all good servers connected, the broken one gave its reason, and no
 * process was left
 */
export async function runTour(context: TourContext): Promise<boolean> {
  const { scratch } = context;
  const tour: Tour = {
    ...context,
    processes: new ProcessCount(),
    managerOptions: {
      ...rootsOf(scratch.project),
      home: scratch.home,
      env: scratch.env,
      toolCache: createToolCache({ directory: toolCacheDirectory(scratch) }),
    },
  };
  await showDiscovery(tour);
  const checks = [await showColdStart(tour), await showWarmStart(tour)];
  return checks.every(Boolean);
}

async function showDiscovery({ scratch, printer, managerOptions }: Tour): Promise<void> {
  const started = performance.now();
  const loaded = await new MCPManager(scratch.project, managerOptions).loadConfigs();
  const places = { cwd: scratch.project, home: scratch.home };
  await printer.section("What is configured", formatDuration(performance.now() - started));
  const rows = Object.entries(loaded.configs).map(([name, config]) => {
    const source = loaded.sources[name];
    const path = source === undefined ? "" : formatPath(source.path, places);
    return [name, transportOf(config), source?.providerName ?? "", path, describeCommand(config)];
  });
  await printer.lines(alignColumns(rows));
  for (const { name, shadowedBy, _source: source } of loaded.shadowed) {
    const [loser, winner] = [source.path, shadowedBy.path].map((path) => formatPath(path, places));
    await printer.lines([`1 shadowed: ${name} in ${loser ?? ""} (${winner ?? ""} wins)`]);
  }
}

async function showColdStart(tour: Tour): Promise<boolean> {
  const { scratch, printer, processes, managerOptions, signal } = tour;
  await using manager = new MCPManager(scratch.project, managerOptions);
  let gateMs = STARTUP_TIMEOUT_MS;
  manager.subscribe((event) => {
    if (event.type === "gate") gateMs = event.elapsedMs;
  });
  const result = await endedBy(signal, manager, manager.discoverAndConnect());
  const servers = manager.describeServers();
  processes.note(servers);
  await printer.section("Cold start, nothing cached");
  await printer.chart(renderWaterfall(servers, { gateMs, style: printer.style, width: printer.chartWidth }));
  await printer.paragraph(`${formatCount(result.tools.length, "tool")}, ${formatCount(result.errors.size, "failure")}`);
  for (const error of result.errors.values()) await printer.paragraph(error.message);

  await printer.section("Calls");
  const calls = [
    await showCall(tour, result.tools, ["mcp_files_list_directory", { path: "." }]),
    await showCall(tour, result.tools, ["mcp_ev_get-sum", { a: 2, b: 40 }]),
    await showCall(tour, result.tools, [
      "mcp_memory_create_entities",
      { entities: [{ name: "Toolgate", entityType: "runtime", observations: ["starts servers"] }] },
    ]),
    await showCall(tour, result.tools, ["mcp_slow_reverse", { text: "etagloot" }]),
  ];
  return calls.every(Boolean) && result.errors.size === 1 && result.errors.get("broken")?.code === "SERVER_EXITED";
}

async function showWarmStart(tour: Tour): Promise<boolean> {
  const { scratch, printer, processes, managerOptions, signal } = tour;
  const fresh = await startInFreshProcess(tour);
  const manager = new MCPManager(scratch.project, { ...managerOptions, startupTimeoutMs: 0 });
  const started = performance.now();
  const { tools } = await endedBy(signal, manager, manager.discoverAndConnect());
  const inHand = performance.now() - started;
  await printer.section("Warm start, tools from the cache");
  await printer.paragraph(
    `${formatCount(tools.length, "tool")} in hand after ${formatDuration(inHand)}, 0 servers awaited ` +
      `(in a new process, from its start to the tools: ${formatDuration(fresh.milliseconds)})`,
  );
  const { session } = await createAgentSession({
    cwd: scratch.project,
    home: scratch.home,
    env: scratch.env,
    mcpManager: manager,
  });
  try {
    const deferredCall = await showCall(tour, tools, ["mcp_slow_echo", { text: "hi" }]);
    await endedBy(signal, manager, settle(manager));
    processes.note(manager.describeServers());

    const { added, removed } = await scratch.edit();
    const reload = await endedBy(signal, manager, session.reloadMCP());
    const [plus, minus] = [reload.added.join(" "), reload.removed.join(" ")];
    await printer.section("Reload after an edit", `+ ${plus}   - ${minus}   = kept ${reload.kept.length}`);
    const newTool = await showCall(tour, session.tools.active(), ["mcp_extra_echo", { text: "new in this session" }]);

    // The new tool did not wait for the other servers, but what is counted below are those that run.
    await endedBy(signal, manager, settle(manager));
    processes.note(manager.describeServers());
    const running = manager.describeServers().filter(({ status }) => status === "connected").length;
    const teardownStarted = performance.now();
    await manager.disconnectAll();
    const left = processes.left();
    const duration = formatDuration(performance.now() - teardownStarted);
    await printer.section(
      "Teardown",
      `${formatCount(running, "server")} stopped in ${duration} · processes left: ${left.length}`,
    );
    const isReloaded = reload.added.includes(added) && reload.removed.includes(removed);
    return deferredCall && newTool && isReloaded && fresh.tools === tools.length && left.length === 0;
  } finally {
    await session.dispose();
    await manager.disconnectAll();
  }
}

async function showCall(
  { printer, signal }: Tour,
  tools: readonly AgentTool[],
  [name, args]: [string, Record<string, unknown>],
): Promise<boolean> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    await printer.step(name, 0, "there is no such tool");
    return false;
  }
  const result = await tool.execute(args, { signal });
  const shown = Object.entries(args).map(([key, value]) =>
    typeof value === "string" || typeof value === "number" ? `${key}=${value}` : `${key}=…`,
  );
  await printer.step([name, ...shown].join(" "), result.details.durationMs, renderToolResult(result));
  return !result.isError;
}

async function startInFreshProcess({ scratch, signal }: Tour): Promise<{ tools: number; milliseconds: number }> {
  const args = [companionFile("warm-start"), scratch.project, scratch.home];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: scratch.env, signal });
  return JSON.parse(stdout) as { tools: number; milliseconds: number };
}

/** Waits until every start of a manager has come to its end. */
async function settle(manager: MCPManager): Promise<void> {
  const isPending = (): boolean => manager.describeServers().some(({ phase }) => phase !== undefined);
  while (isPending()) {
    await new Promise<void>((resolve) => {
      const stop = manager.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
}

/** An interrupt ends the servers at once; what waited for them then comes to its end by itself. */
async function endedBy<T>(signal: AbortSignal, manager: MCPManager, work: Promise<T>): Promise<T> {
  const end = (): void => void manager.disconnectAll();
  signal.addEventListener("abort", end, { once: true });
  try {
    const result = await work;
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function describeCommand(config: MCPServerConfig): string {
  if (config.type === "http" || config.type === "sse") return sanitizeLine(config.url);
  const words = [config.command, ...(config.args ?? [])].map((word) => word.split(/[\\/]/).at(-1) ?? word);
  const packaged = config.args?.[0]?.match(/@modelcontextprotocol[\\/](server-[\w-]+)/)?.[1];
  return packaged ?? sanitizeLine(words.join(" "));
}
