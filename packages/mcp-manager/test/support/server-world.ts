import type { MCPServerConfig, MCPToolDefinition } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";
import type { CloseReason, connectToServer, MCPServerConnection } from "@toolgate/mcp-client";

/** Something that a server does next, when the run says so. */
interface Step {
  what: string;
  process: WorldProcess;
  run(outcome: "well" | "badly"): void;
}

/** One process in the world. */
export interface WorldProcess {
  name: string;
  /** The first argument of its config. */
  version: string;
  /** Told to end, by its manager. */
  isEnding: boolean;
}

/** All servers of a run: what is behind the connection port of a manager. Nothing happens by itself, see {@link step}. */
export interface ServerWorld {
  connect: typeof connectToServer;
  /** Those that have not ended, in the order of their starts. */
  processes: ReadonlySet<WorldProcess>;
  /** How many processes were ever started. */
  readonly started: number;
  /** How often a call with this id has reached a server. */
  executions(id: string): number;
  /** Lets one of the waiting steps happen; false when there is none. */
  step(index: number, outcome: "well" | "badly"): boolean;
  /** A process ends by itself. */
  drop(name: string): void;
  /** A server says that its tools have changed. */
  notifyListChanged(name: string): void;
}

/** What every server offers; those of even version have one tool more. */
export const WORLD_TOOLS: readonly MCPToolDefinition[] = [
  { name: "write", inputSchema: { type: "object" } },
  { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
];

export function createServerWorld(): ServerWorld {
  return new World();
}

class World implements ServerWorld {
  readonly processes = new Set<WorldProcess>();
  started = 0;
  readonly #steps: Step[] = [];
  readonly #connections = new Map<WorldProcess, WorldConnection>();
  readonly #executions = new Map<string, number>();

  readonly connect: typeof connectToServer = (name, config, options) =>
    new Promise((resolve, reject) => {
      const signal = options?.signal;
      signal?.throwIfAborted();
      const version = "args" in config ? (config.args?.[0] ?? "") : "";
      const process: WorldProcess = { name, version, isEnding: false };
      this.processes.add(process);
      this.started += 1;
      const onAbort = (): void => {
        process.isEnding = true;
        this.forget(process);
        this.plan(process, "end after an abort", () => {
          this.processes.delete(process);
          reject(new DOMException("The connecting was aborted.", "AbortError"));
        });
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.plan(process, "answer initialize", (outcome) => {
        signal?.removeEventListener("abort", onAbort);
        if (outcome === "well") {
          const connection = new WorldConnection(this, process, config);
          this.#connections.set(process, connection);
          resolve(connection);
          return;
        }
        this.processes.delete(process);
        reject(new ToolgateError("SERVER_EXITED", `${name} exited with 1.`, { server: name }));
      });
    });

  executions(id: string): number {
    return this.#executions.get(id) ?? 0;
  }

  execute(id: string): void {
    this.#executions.set(id, this.executions(id) + 1);
  }

  plan(process: WorldProcess, what: string, run: Step["run"]): void {
    this.#steps.push({ process, what, run });
  }

  /** Takes back what a process was going to do. */
  forget(process: WorldProcess): void {
    const others = this.#steps.filter((step) => step.process !== process);
    this.#steps.splice(0, this.#steps.length, ...others);
  }

  step(index: number, outcome: "well" | "badly"): boolean {
    const [step] = this.#steps.splice(index % Math.max(1, this.#steps.length), 1);
    step?.run(outcome);
    return step !== undefined;
  }

  drop(name: string): void {
    for (const process of this.processes) {
      if (process.name === name && !process.isEnding) this.#connections.get(process)?.drop();
    }
  }

  notifyListChanged(name: string): void {
    for (const [process, connection] of this.#connections) {
      if (process.name === name && this.processes.has(process)) connection.notifyListChanged();
    }
  }
}

class WorldConnection implements MCPServerConnection {
  readonly name: string;
  readonly transport = "stdio";
  readonly config: MCPServerConfig;
  readonly serverInfo = { name: "world", version: "1" };
  readonly capabilities = { tools: { listChanged: true } };
  readonly protocolVersion = "2025-06-18";
  readonly era = "legacy";
  readonly durations = { spawn: 1, initialize: 1 };
  readonly closed: Promise<CloseReason>;
  closeReason: CloseReason | undefined;
  readonly #world: World;
  readonly #process: WorldProcess;
  readonly #requests = new Set<(error: Error) => void>();
  readonly #listeners = new Set<() => void>();
  #resolveClosed: (reason: CloseReason) => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(world: World, process: WorldProcess, config: MCPServerConfig) {
    this.name = process.name;
    this.config = config;
    this.#world = world;
    this.#process = process;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  stderr(): string {
    return "";
  }

  request(
    method: string,
    params: Record<string, unknown> = {},
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.closeReason !== undefined) throw new ToolgateError("CLOSED", `${this.name} is closed.`);
      if (method === "tools/call") this.#world.execute(String((params["arguments"] as { id?: unknown }).id));
      const finish = (settle: () => void): void => {
        this.#requests.delete(fail);
        signal?.removeEventListener("abort", onAbort);
        settle();
      };
      const fail = (error: Error): void => finish(() => reject(error));
      const onAbort = (): void => fail(new DOMException("Aborted.", "AbortError"));
      this.#requests.add(fail);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#world.plan(this.#process, `answer ${method}`, (outcome) => {
        if (outcome === "badly") fail(new ToolgateError("SERVER_ERROR", `${this.name} answered with an error.`));
        else finish(() => resolve(method === "tools/list" ? { tools: this.#tools() } : { content: [] }));
      });
    });
  }

  async notify(): Promise<void> {}

  onNotification(_method: string, listener: (params: Record<string, unknown>) => void): () => void {
    const call = (): void => listener({});
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  notifyListChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  drop(): void {
    if (this.closeReason !== undefined) return;
    this.#world.processes.delete(this.#process);
    this.#end({ kind: "exited", message: `${this.name} exited with 1.`, exitCode: 1 }, "SERVER_EXITED");
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.closeReason !== undefined) {
        resolve();
        return;
      }
      this.#process.isEnding = true;
      this.#end({ kind: "closed", message: `${this.name} was closed.` }, "CLOSED");
      this.#world.plan(this.#process, "end", () => {
        this.#world.processes.delete(this.#process);
        resolve();
      });
    });
    return this.#closing;
  }

  #tools(): readonly MCPToolDefinition[] {
    const isEven = Number(this.#process.version) % 2 === 0;
    return isEven ? [...WORLD_TOOLS, { name: "more", inputSchema: { type: "object" } }] : WORLD_TOOLS;
  }

  #end(reason: CloseReason, code: "SERVER_EXITED" | "CLOSED"): void {
    this.closeReason = reason;
    this.#world.forget(this.#process);
    this.#resolveClosed(reason);
    for (const fail of this.#requests) fail(new ToolgateError(code, reason.message, { server: this.name }));
  }
}
