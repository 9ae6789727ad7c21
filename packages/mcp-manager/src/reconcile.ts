import { isDeepStrictEqual } from "node:util";

import type { AgentTool, MCPServerConfig, SourceMeta, ToolgateError } from "@toolgate/contracts";

import { findConfigProblem } from "./config-problem.ts";
import type { ConfigEntry } from "./load-configs.ts";
import type { ConnectServersOptions, MCPLoadResult } from "./manager-options.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";

/** What {@link MCPManager.reconcile} did, by names of servers, each list sorted. */
export interface ReconcileResult {
  /** All tools of the manager, sorted by name. */
  tools: AgentTool[];
  added: string[];
  removed: string[];
  /** Changed ones, and ones that had failed or dropped. */
  restarted: string[];
  /** Left alone: the same process, and calls that are under way go on. */
  kept: string[];
  /** Why a server could not be started, or could not be changed and was left as it is. */
  errors: Map<string, ToolgateError>;
  /** Names of the given servers that are connected, sorted. */
  connectedServers: string[];
}

/** The servers as they should be. */
export interface WantedServers {
  configs: Record<string, MCPServerConfig>;
  sources: Record<string, SourceMeta>;
  entries: Record<string, ConfigEntry>;
}

/** Which servers a reconciliation touches. */
type ReconcilePlan = Pick<ReconcileResult, "added" | "removed" | "restarted" | "kept" | "errors">;

/** What a reconciliation works with. */
export interface ReconcileContext {
  registry: ServerRegistry;
  /** Removes one server; its promise resolves when its process tree is gone. */
  disconnect: (name: string) => Promise<void>;
  /** Takes a server's present start off, so that it can be started with another config. Its tools stay listed. */
  release: (start: ServerStart) => void;
  /** Called when restarted servers' tools wait for their next start: whoever holds the former ones wants these. */
  onToolsChanged: () => void;
  start: (
    configs: Record<string, MCPServerConfig>,
    sources: Record<string, SourceMeta>,
    options: ConnectServersOptions,
  ) => Promise<MCPLoadResult>;
}

/** Compares the servers that there are with those that there should be. Starts and ends nothing. */
function planReconcile(registry: ServerRegistry, wanted: WantedServers): ReconcilePlan {
  const plan: ReconcilePlan = { added: [], removed: [], restarted: [], kept: [], errors: new Map() };
  for (const [name, config] of Object.entries(wanted.configs)) {
    const start = registry.starts.get(name);
    if (start === undefined) {
      plan.added.push(name);
      continue;
    }
    const entry = wanted.entries[name] ?? {};
    const problem = findConfigProblem(name, { config, entry, path: wanted.sources[name]?.path });
    if (problem !== undefined) {
      plan.errors.set(name, problem);
      plan.kept.push(name);
      continue;
    }
    const isUnchanged = isSameServer(start, { config, entry }) && registry.statusOf(name) !== "disconnected";
    (isUnchanged ? plan.kept : plan.restarted).push(name);
  }
  plan.removed.push(...[...registry.starts.keys()].filter((name) => !Object.hasOwn(wanted.configs, name)));
  for (const names of [plan.added, plan.removed, plan.restarted, plan.kept]) names.sort();
  return plan;
}

/**
 * Makes the servers what they should be and leaves alone those that are so already. All changes of state happen in the
 * turn of the call, so that two reconciliations never mix: of two, the later one wins.
 */
export async function reconcile(
  wanted: WantedServers,
  options: Omit<ConnectServersOptions, "entries">,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const { registry } = context;
  const plan = planReconcile(registry, wanted);
  const removals = plan.removed.map((name) => context.disconnect(name));
  for (const name of plan.kept) if (!plan.errors.has(name)) adoptDetails(registry, name, wanted);
  for (const name of plan.restarted) {
    const start = registry.starts.get(name);
    if (start !== undefined) context.release(start);
    // A source of the former entry must not outlive it.
    registry.sources.delete(name);
  }
  const names = [...plan.added, ...plan.restarted];
  const configs = Object.fromEntries(
    names.flatMap((name) => {
      const config = wanted.configs[name];
      return config === undefined ? [] : [[name, config] as const];
    }),
  );
  const started = context.start(configs, wanted.sources, { ...options, entries: wanted.entries });
  if (plan.restarted.length > 0) context.onToolsChanged();
  const [{ errors, tools }] = await Promise.all([started, ...removals]);
  const connectedServers = Object.keys(wanted.configs)
    .filter((name) => registry.statusOf(name) === "connected")
    .toSorted();
  return { ...plan, tools, errors: new Map([...plan.errors, ...errors]), connectedServers };
}

function isSameServer(start: ServerStart, next: { config: MCPServerConfig; entry: ConfigEntry }): boolean {
  return (
    start.entry.projectDirectory === next.entry.projectDirectory &&
    isDeepStrictEqual(toPlainData(start.config), toPlainData(next.config))
  );
}

// Neither the order of keys, nor a prototype, nor a key that is undefined makes another entry.
function toPlainData(config: MCPServerConfig): unknown {
  return JSON.parse(JSON.stringify(config));
}

function adoptDetails(registry: ServerRegistry, name: string, { sources, entries }: WantedServers): void {
  const start = registry.starts.get(name);
  const source = sources[name];
  const entry = entries[name];
  if (source !== undefined) registry.sources.set(name, source);
  if (start !== undefined && entry !== undefined) start.entry = entry;
}
