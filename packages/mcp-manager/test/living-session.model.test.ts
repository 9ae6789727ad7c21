import type { CacheEntry, MCPServerConfig, ToolCache, ToolResult } from "@toolgate/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";

import { isServerTool } from "../src/find-tool.ts";
import type { MCPManagerOptions } from "../src/manager-options.ts";
import { MCPManager } from "../src/manager.ts";
import type { ServerWorld } from "./support/server-world.ts";
import { createServerWorld } from "./support/server-world.ts";
import type { VirtualClock } from "./support/virtual-clock.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";

// More of them: TOOLGATE_MODEL_RUNS=5000 npx vitest run --project mcp-manager test/living-session.model.test.ts
const RUNS = Number(process.env["TOOLGATE_MODEL_RUNS"] ?? 300);

const NAMES = ["a", "b", "c"] as const;
const INVALID = "invalid";

/** Versions of servers by name; a version is all that their configs differ in. */
type Versions = Partial<Record<(typeof NAMES)[number], string>>;

type Action =
  | { do: "connect" | "reconcile"; versions: Versions }
  | { do: "disconnect" | "reconnect" | "drop" | "list-changed"; name: string }
  | { do: "disconnect-all" | "reload" }
  | { do: "call"; tool: number; isAborted: boolean }
  | { do: "step"; index: number; outcome: "well" | "badly" }
  | { do: "advance"; milliseconds: number };

/** How much else happens before the next action: nothing, some of what waits for promises only, or all of it. */
type Pause = number | "settle";

const name = fc.constantFrom(...NAMES);
const version = fc.constantFrom("1", "1", "1", "2", "2", INVALID);
const versions: fc.Arbitrary<Versions> = fc.dictionary(name, version, { noNullPrototype: true });
const pause: fc.Arbitrary<Pause> = fc.oneof(
  { weight: 3, arbitrary: fc.constant("settle") },
  fc.constantFrom(0, 1, 2, 5, 9),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("connect", "reconcile"), versions }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("disconnect", "reconnect", "drop", "list-changed"), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("disconnect-all", "reload") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("call"),
      tool: fc.nat(20),
      isAborted: fc.constantFrom(false, false, false, true),
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

const options: fc.Arbitrary<MCPManagerOptions> = fc.record({
  reconnect: fc.constantFrom("manual", "on-call", "background"),
  startupTimeoutMs: fc.constantFrom(0, 250, Number.POSITIVE_INFINITY),
  uncachedPending: fc.constantFrom("wait", "defer"),
  maxConcurrentStarts: fc.constantFrom(1, 4),
});

test(
  `whatever happens in whatever order, a manager's state holds together (${RUNS} runs)`,
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        options,
        versions,
        fc.array(fc.tuple(action, pause), { size: "max", maxLength: 60 }),
        async (chosen, first, actions) => {
          const run = new Run(chosen);
          await run.perform({ do: "connect", versions: first }, "settle");
          for (const [next, rest] of actions) await run.perform(next, rest);
          await run.finish();
        },
      ),
      { numRuns: RUNS, endOnFailure: process.env["CI"] !== undefined },
    );
  },
);

interface Call {
  id: string;
  mayRepeat: boolean;
  result?: ToolResult;
}

/** One session: the manager, what is expected of it, and everything that it has promised. */
class Run {
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
    expect([...this.#world.processes]).toEqual([]);
    expect(this.#unresolved).toBe(0);
    expect(this.#clock.timers).toBe(0);
    expect(this.#manager.describeServers()).toEqual([]);
    expect(this.#manager.getTools()).toEqual([]);
    for (const { id, mayRepeat, result } of this.#calls) {
      const isRepeated = this.#world.executions(id) > 1;
      expect(mayRepeat || !isRepeated).toBe(true);
      // An aborted call has no result.
      if (result !== undefined) expect(result.details.replayed ?? false).toBe(isRepeated);
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
        this.#call(next.tool, next.isAborted);
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
        expect([...added, ...restarted, ...kept].toSorted()).toEqual(Object.keys(wanted).toSorted());
        expect(removed).toEqual([...before.keys()].filter((server) => !Object.hasOwn(wanted, server)).toSorted());
      }),
    );
  }

  #disconnectAll(): void {
    const before = [...this.#world.processes];
    const ending = this.#manager.disconnectAll();
    this.#track(ending.then(() => expect(before.filter((process) => this.#world.processes.has(process))).toEqual([])));
  }

  // As an app does it that does not wait.
  #reload(): void {
    const again = Object.fromEntries(this.#known);
    this.#disconnectAll();
    this.#track(this.#manager.connectServers(configsOf(again)));
  }

  #call(index: number, isAborted: boolean): void {
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
        (error: unknown) => expect(error).toMatchObject({ name: "AbortError" }),
      ),
    );
    if (isAborted) this.#clock.nextTurn(() => controller.abort());
  }

  #track(promise: Promise<unknown>): void {
    this.#unresolved += 1;
    // A rejection is one that the test is not ready for, and fails it.
    void promise.then(() => (this.#unresolved -= 1));
  }

  #check(isSettled: boolean): void {
    const names = [...this.#known.keys()].toSorted();
    const described = this.#manager.describeServers();
    expect(described.map((server) => server.name)).toEqual(names);

    const tools = this.#manager.getTools();
    const toolNames = tools.map((tool) => tool.name);
    expect(toolNames).toEqual([...new Set(toolNames)].toSorted());
    for (const tool of tools.filter(isServerTool)) expect(names).toContain(tool.server);

    const running = [...this.#world.processes].map((process) => process.name);
    expect(running).toEqual([...new Set(running)]);
    // A connection that comes in the moment of a removal is closed a moment later.
    for (const process of isSettled ? this.#world.processes : []) {
      if (!process.isEnding) expect(process.version).toBe(this.#known.get(process.name));
    }
    for (const { name: server, status, error } of described) {
      const derived = this.#manager.getConnectionStatus(server);
      expect(derived === "connected").toBe(this.#manager.getConnection(server) !== undefined);
      if (error === undefined || status === derived) expect(status).toBe(derived);
      else expect(status).toBe("failed");
      if (derived === "connected") expect(running).toContain(server);
    }
    for (const { id, mayRepeat } of this.#calls) {
      expect(this.#world.executions(id)).toBeLessThanOrEqual(mayRepeat ? 2 : 1);
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
