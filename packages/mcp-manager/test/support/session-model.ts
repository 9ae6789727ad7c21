import assert from "node:assert/strict";

import type { CacheEntry, MCPServerConfig, ToolCache, ToolResult } from "@toolgate/contracts";
import fc from "fast-check";

import { isServerTool } from "../../src/find-tool.ts";
import type { MCPManagerOptions } from "../../src/manager-options.ts";
import { MCPManager } from "../../src/manager.ts";
import { isAbort } from "../../src/tool-result.ts";
import type { ServerWorld } from "./server-world.ts";
import { createServerWorld } from "./server-world.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const NAMES = ["a", "b", "c"] as const;
const INVALID = "invalid";

/** Versions of servers by name; a version is all that their configs differ in. */
export type Versions = Partial<Record<(typeof NAMES)[number], string>>;

/** What a person, a model, an app or a server does next. */
export type Action =
  | { do: "connect" | "reconcile"; versions: Versions }
  | { do: "disconnect" | "reconnect" | "drop" | "list-changed"; name: string }
  | { do: "disconnect-all" | "reload" }
  | { do: "call"; tool: number; fate: "nothing" | "abort" | "drop" }
  | { do: "step"; index: number; outcome: "well" | "badly" }
  | { do: "advance"; milliseconds: number };

/** How much else happens before the next action: nothing, some of what waits for promises only, or all of it. */
export type Pause = number | "settle";

const anyName = fc.constantFrom(...NAMES);
const anyVersion = fc.constantFrom("1", "1", "1", "2", "2", INVALID);
export const anyVersions: fc.Arbitrary<Versions> = fc.dictionary(anyName, anyVersion, { noNullPrototype: true });
export const anyPause: fc.Arbitrary<Pause> = fc.oneof(
  { weight: 3, arbitrary: fc.constant("settle") },
  fc.constantFrom(0, 1, 2, 5, 9),
);
export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("connect", "reconcile"), versions: anyVersions }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("disconnect", "reconnect", "drop", "list-changed"), name: anyName }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("disconnect-all", "reload") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("call"),
      tool: fc.nat(20),
      fate: fc.constantFrom("nothing", "nothing", "abort", "drop"),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("step"),
      index: fc.nat(20),
      outcome: fc.constantFrom("well", "well", "well", "badly"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("advance"), milliseconds: fc.constantFrom(10, 250, 1000, 31_000) }),
  },
);

export const anyOptions: fc.Arbitrary<MCPManagerOptions> = fc.record({
  reconnect: fc.constantFrom("manual", "on-call", "background"),
  startupTimeoutMs: fc.constantFrom(0, 250, Number.POSITIVE_INFINITY),
  uncachedPending: fc.constantFrom("wait", "defer"),
  maxConcurrentStarts: fc.constantFrom(1, 4),
});

interface Call {
  id: string;
  mayRepeat: boolean;
  result?: ToolResult;
}

/** A session and its model: the manager, what is expected of it, and everything that it has promised. */
export class ModelSession {
  readonly #clock: VirtualClock = createVirtualClock();
  readonly #world: ServerWorld = createServerWorld();
  readonly #manager: MCPManager;
  /** What the manager should know, and the version that it should run. */
  readonly #known = new Map<string, string>();
  readonly #calls: Call[] = [];
  #unresolved = 0;

  constructor(chosen: MCPManagerOptions) {
    const { connect } = this.#world;
    this.#manager = new MCPManager("/", { ...chosen, clock: this.#clock, connect, toolCache: createMemoryCache() });
  }

  async perform(next: Action, rest: Pause): Promise<void> {
    this.#begin(next);
    if (next.do === "advance") await this.#clock.advance(next.milliseconds);
    else if (rest === "settle") await this.#clock.settle();
    else for (let round = 0; round < rest; round += 1) await Promise.resolve();
    this.#check(rest === "settle");
  }

  /** Ends everything and expects that nothing is left. */
  async finish(): Promise<void> {
    this.#begin({ do: "disconnect-all" });
    await this.#clock.settle();
    this.#check(true);
    while (this.#world.step(0, "well")) await this.#clock.settle();
    assert.deepEqual([...this.#world.processes], []);
    assert.equal(this.#unresolved, 0);
    assert.equal(this.#clock.timers, 0);
    assert.deepEqual(this.#manager.describeServers(), []);
    assert.deepEqual(this.#manager.getTools(), []);
    for (const { id, mayRepeat, result } of this.#calls) {
      const isRepeated = this.#world.executions(id) > 1;
      assert.equal(mayRepeat || !isRepeated, true);
      // An aborted call has no result.
      if (result !== undefined) assert.equal(result.details.replayed ?? false, isRepeated);
    }
  }

  #begin(next: Action): void {
    switch (next.do) {
      case "connect":
        this.#expectConnected(next.versions);
        this.#track(this.#manager.connectServers(configsOf(next.versions)));
        return;
      case "reconcile":
        this.#reconcile(next.versions);
        return;
      case "disconnect":
        this.#known.delete(next.name);
        this.#track(this.#manager.disconnectServer(next.name));
        return;
      case "disconnect-all":
        this.#known.clear();
        this.#disconnectAll();
        return;
      case "reload":
        this.#reload();
        return;
      case "reconnect":
        this.#track(this.#manager.reconnectServer(next.name).catch(() => {}));
        return;
      case "drop":
        this.#world.drop(next.name);
        return;
      case "list-changed":
        this.#world.notifyListChanged(next.name);
        return;
      case "call":
        this.#call(next.tool, next.fate);
        return;
      case "step":
        this.#world.step(next.index, next.outcome);
        return;
      case "advance":
    }
  }

  #expectConnected(wanted: Versions): void {
    for (const [server, version] of Object.entries(wanted)) {
      if (this.#manager.getConnectionStatus(server) === "disconnected") this.#known.set(server, version);
    }
  }

  #reconcile(wanted: Versions): void {
    const before = new Map(this.#known);
    this.#known.clear();
    for (const [server, version] of Object.entries(wanted)) {
      const former = before.get(server);
      this.#known.set(server, former !== undefined && version === INVALID ? former : version);
    }
    this.#track(
      this.#manager.reconcile(configsOf(wanted)).then(({ added, restarted, kept, removed }) => {
        assert.deepEqual([...added, ...restarted, ...kept].toSorted(), Object.keys(wanted).toSorted());
        assert.deepEqual(removed, [...before.keys()].filter((server) => !Object.hasOwn(wanted, server)).toSorted());
        return undefined;
      }),
    );
  }

  #disconnectAll(): void {
    const before = [...this.#world.processes];
    const ending = this.#manager.disconnectAll();
    this.#track(
      ending.then(() =>
        assert.deepEqual(
          before.filter((process) => this.#world.processes.has(process)),
          [],
        ),
      ),
    );
  }

  // As an app does it that does not wait.
  #reload(): void {
    const again = Object.fromEntries(this.#known);
    this.#disconnectAll();
    this.#track(this.#manager.connectServers(configsOf(again)));
  }

  #call(index: number, fate: "nothing" | "abort" | "drop"): void {
    const tools = this.#manager.getTools();
    const tool = tools[index % Math.max(1, tools.length)];
    if (tool === undefined) return;
    const call: Call = { id: String(this.#calls.length), mayRepeat: tool.annotations?.readOnlyHint === true };
    this.#calls.push(call);
    const controller = new AbortController();
    const answer = tool.execute({ id: call.id }, { signal: controller.signal });
    this.#track(
      answer.then(
        (result) => void (call.result = result),
        (error: unknown) => assert.ok(isAbort(error)),
      ),
    );
    if (fate === "abort") this.#clock.nextTurn(() => controller.abort());
    if (fate === "drop" && isServerTool(tool)) this.#world.drop(tool.server);
  }

  #track(promise: Promise<unknown>): void {
    this.#unresolved += 1;
    // A rejection is one that the test is not ready for, and fails it.
    void promise.then(() => (this.#unresolved -= 1));
  }

  #check(isSettled: boolean): void {
    const names = [...this.#known.keys()].toSorted();
    const described = this.#manager.describeServers();
    assert.deepEqual(
      described.map((server) => server.name),
      names,
    );

    const tools = this.#manager.getTools();
    const toolNames = tools.map((tool) => tool.name);
    assert.deepEqual(toolNames, [...new Set(toolNames)].toSorted());
    for (const tool of tools.filter(isServerTool)) assert.ok(names.includes(tool.server));

    const running = [...this.#world.processes].map((process) => process.name);
    assert.deepEqual(running, [...new Set(running)]);
    // A connection that comes in the moment of a removal is closed a moment later.
    for (const process of isSettled ? this.#world.processes : []) {
      if (!process.isEnding) assert.equal(process.version, this.#known.get(process.name));
    }
    for (const { name: server, status, error } of described) {
      const derived = this.#manager.getConnectionStatus(server);
      assert.equal(derived === "connected", this.#manager.getConnection(server) !== undefined);
      if (error === undefined || status === derived) assert.equal(status, derived);
      else assert.equal(status, "failed");
      if (derived === "connected") assert.ok(running.includes(server));
    }
    for (const { id, mayRepeat } of this.#calls) {
      assert.ok(this.#world.executions(id) <= (mayRepeat ? 2 : 1));
    }
  }
}

function configsOf(wanted: Versions): Record<string, MCPServerConfig> {
  const configs = Object.entries(wanted).map(([server, version]): [string, MCPServerConfig] => [
    server,
    { command: version === INVALID ? "" : "world", args: [version] },
  ]);
  return Object.fromEntries(configs);
}

function createMemoryCache(): ToolCache {
  const entries = new Map<string, CacheEntry>();
  const keyOf = (server: string, config: MCPServerConfig): string => JSON.stringify([server, config]);
  return {
    get: async (server, config) => entries.get(keyOf(server, config)) ?? null,
    set: async (server, config, entry) => void entries.set(keyOf(server, config), entry),
  };
}
