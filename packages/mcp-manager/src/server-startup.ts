import type { MCPServerConfig, SourceMeta, ToolgateError } from "@toolgate/contracts";
import { ensureProcessSupervisor } from "@toolgate/mcp-client";

import type { CacheAccess } from "./cache-access.ts";
import type { Clock } from "./clock.ts";
import type { UntimedEvent } from "./manager-events.ts";
import type { ConnectServersOptions, MCPLoadResult, MCPManagerOptions } from "./manager-options.ts";
import type { StartupDescription } from "./server-description.ts";
import type { ServerLifecycle } from "./server-lifecycle.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";
import type { StartQueue } from "./start-queue.ts";
import { waitAtGate } from "./startup-gate.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** Milliseconds that a start waits for servers before it returns with what is there. */
export const STARTUP_TIMEOUT_MS = 250;

/** What starting servers together works with. */
export interface StartupContext {
  options: MCPManagerOptions;
  clock: Clock;
  registry: ServerRegistry;
  catalog: ToolCatalog;
  cache: CacheAccess;
  queue: StartQueue;
  commandQueue: StartQueue;
  lifecycle: ServerLifecycle;
  emit: (event: UntimedEvent) => void;
  /** Called before anything is started. */
  onStart: () => void;
}

/** Starts servers together and decides at the gate what the caller gets. */
export class ServerStartup {
  readonly #context: StartupContext;
  readonly #registry: ServerRegistry;
  readonly #lifecycle: ServerLifecycle;
  /** By the start that came of it: one that was replaced meanwhile is nobody's restart any more. */
  readonly #restarts = new WeakMap<ServerStart, Promise<MCPLoadResult>>();

  #description: StartupDescription | undefined;

  constructor(context: StartupContext) {
    this.#context = context;
    this.#registry = context.registry;
    this.#lifecycle = context.lifecycle;
  }

  /**
   * Starts every given server that is neither connected nor on its way. Everything up to the first wait happens in the
   * turn of the call: what is removed afterwards stays removed.
   */
  async start(
    configs: Record<string, MCPServerConfig>,
    sources: Record<string, SourceMeta>,
    options: ConnectServersOptions,
  ): Promise<MCPLoadResult> {
    const { clock, cache, catalog, emit } = this.#context;
    const origin = clock.now();
    const gate = options.startupTimeoutMs ?? this.#context.options.startupTimeoutMs ?? STARTUP_TIMEOUT_MS;
    const starts = this.#createStarts(configs, sources, { origin, entries: options.entries ?? {} });
    if (starts.length > 0) this.#context.onStart();
    const description = this.#beginDescription(starts, gate);

    const cacheRead = cache.read(starts);
    // With a gate of 0 nothing is spawned before the tools are handed over: each spawn would delay them.
    const handedOver = gate <= 0 ? cacheRead.then(() => this.#nextTurn()) : undefined;
    for (const start of starts) start.rememberedEra = cache.rememberedEra(start, cacheRead);
    for (const start of starts) this.#lifecycle.begin(start, handedOver);

    await waitAtGate(
      starts.map((start) => start.settled),
      gate - (clock.now() - origin),
      { clock, holdStarts: () => this.#holdStarts() },
    );
    await Promise.allSettled([cacheRead, ...starts.map((start) => start.approval)]);
    for (const start of starts) this.#lifecycle.handOverCached(start);
    const pending = starts.filter((start) => this.#lifecycle.isPending(start));
    const atGate = { elapsedMs: clock.now() - origin, pending: pending.map((start) => start.name) };
    Object.assign(description, atGate);
    emit({ type: "gate", ...atGate });
    const isWaiting = (options.uncachedPending ?? this.#context.options.uncachedPending) !== "defer";
    const uncached = pending.filter((start) => isWaiting && catalog.definitionsOf(start.name) === undefined);
    // What was disconnected meanwhile is about to end, and its error belongs to the result.
    const abandoned = starts.filter((start) => !this.#registry.isCurrent(start));
    await Promise.all([...uncached, ...abandoned].map((start) => start.settled));
    return this.#finishStartup(starts, Object.keys(configs));
  }

  /** How the servers were started that there are, see `MCPManager.describeStartup`. */
  describe(): StartupDescription | undefined {
    return this.#description === undefined ? undefined : structuredClone(this.#description);
  }

  /** Starts one server again and waits for it; while that is under way, a further call joins. */
  restart(previous: ServerStart): Promise<MCPLoadResult> {
    const underWay = this.#restarts.get(previous);
    if (underWay !== undefined) return underWay;
    const { name, config, entry } = previous;
    void this.#lifecycle.end(previous, this.#registry.detach(name));
    const options = { startupTimeoutMs: Number.POSITIVE_INFINITY, entries: { [name]: entry } };
    const result = this.start({ [name]: config }, {}, options);
    const start = this.#registry.starts.get(name);
    if (start !== undefined) {
      this.#restarts.set(start, result);
      void result.finally(() => this.#restarts.delete(start));
    }
    return result;
  }

  // A start of single servers, as a reconnect is, belongs to the one that the others came with.
  #beginDescription(starts: readonly ServerStart[], gate: number): StartupDescription {
    const description: StartupDescription = {
      time: this.#context.clock.wallTime(),
      ...(Number.isFinite(gate) ? { gateMs: gate } : {}),
      servers: starts.map((start) => start.name),
    };
    if (this.#registry.starts.size === 0 && starts.length > 0) this.#description = description;
    return description;
  }

  #createStarts(
    configs: Record<string, MCPServerConfig>,
    sources: Record<string, SourceMeta>,
    details: { origin: number; entries: NonNullable<ConnectServersOptions["entries"]> },
  ): ServerStart[] {
    return Object.entries(configs).flatMap(([name, config]) => {
      if (this.#registry.statusOf(name) !== "disconnected") return [];
      const previous = this.#registry.starts.get(name);
      if (previous !== undefined) void this.#lifecycle.end(previous, this.#registry.detach(name));
      const source = sources[name];
      if (source !== undefined) this.#registry.sources.set(name, source);
      return [this.#lifecycle.create(name, config, { origin: details.origin, entry: details.entries[name] ?? {} })];
    });
  }

  #finishStartup(starts: readonly ServerStart[], names: readonly string[]): MCPLoadResult {
    const errors = new Map<string, ToolgateError>();
    for (const start of starts) {
      start.startupHasReturned = true;
      if (start.error !== undefined) errors.set(start.name, start.error);
    }
    // After the hand-over, since it costs a process and nothing before needs it.
    this.#context.clock.nextTurn(() => {
      if (this.#registry.starts.size > 0) ensureProcessSupervisor();
    });
    const connectedServers = names.filter((name) => this.#registry.statusOf(name) === "connected").toSorted();
    return { tools: this.#context.catalog.list(), errors, connectedServers, exaApiKeys: [] };
  }

  #holdStarts(): () => void {
    const letGo = [this.#context.queue.hold(), this.#context.commandQueue.hold()];
    return () => {
      for (const step of letGo) step();
    };
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#context.clock.nextTurn(resolve);
    });
  }
}
