import { isDeepStrictEqual } from "node:util";

import type { MCPServerConfig, MCPToolDefinition, SourceMeta } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import type { MCPServerConnection } from "@toolgate/mcp-client";
import { disconnectServer } from "@toolgate/mcp-client";

import { abortable } from "./abortable.ts";
import type { CacheAccess } from "./cache-access.ts";
import { closedError, notConnectedError, redefinedError, unavailableError } from "./connection-errors.ts";
import type { MCPToolOptions } from "./connection-tool.ts";
import type { DeferredToolOptions, ReadyServer, WaitForServer } from "./deferred-mcp-tool.ts";
import { DeferredMCPTool } from "./deferred-mcp-tool.ts";
import { describeServer } from "./describe-server.ts";
import type { ConfigEntry } from "./load-configs.ts";
import type { ServerStep, UntimedEvent } from "./manager-events.ts";
import { MCPTool } from "./mcp-tool.ts";
import type { LimitOutput } from "./output-limits.ts";
import type { Reconnector } from "./reconnector.ts";
import type { CallRecovery } from "./recover-call.ts";
import { callWithRecovery } from "./recover-call.ts";
import { RecoveringMCPTool } from "./recovering-mcp-tool.ts";
import { sameTools } from "./same-tools.ts";
import type { ServerDescription } from "./server-description.ts";
import type { ServerStart } from "./server-registry.ts";
import type { StarterContext } from "./server-starter.ts";
import { checkApproval, filterTools, listServerTools, loadTools, mark, openConnection } from "./server-starter.ts";
import type { StepDetails } from "./server-steps.ts";
import { describeStep } from "./server-steps.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import { isAbort } from "./tool-result.ts";
import type { ServerWatch } from "./watch-server.ts";
import { watchServer } from "./watch-server.ts";

/** What the lifecycle of servers works with. */
export interface LifecycleContext extends Omit<StarterContext, "onPhase" | "onStep"> {
  catalog: ToolCatalog;
  cache: CacheAccess;
  reconnector: Reconnector;
  emit: (event: UntimedEvent) => void;
  limitOutput: LimitOutput | undefined;
  /** Called when a server can be asked, before its tools are listed. Must not throw. */
  onOpen(connection: MCPServerConnection): void;
}

/** Starts and ends single servers, and keeps registry, catalog, cache and events in step with them. */
export class ServerLifecycle {
  readonly #context: LifecycleContext;

  constructor(context: LifecycleContext) {
    this.#context = context;
  }

  /** Notes a new start of a server, before anything is done for it. */
  create(name: string, config: MCPServerConfig, details: { origin: number; entry: ConfigEntry }): ServerStart {
    const nothingYet = Promise.resolve();
    return {
      name,
      config,
      entry: details.entry,
      controller: new AbortController(),
      origin: details.origin,
      timeline: {},
      phase: "queued",
      approval: nothingYet,
      approved: undefined,
      predecessor: this.#context.registry.endings.get(name),
      cached: undefined,
      rememberedEra: undefined,
      toolsAreLive: false,
      listedTools: [],
      startupHasReturned: false,
      durations: undefined,
      error: undefined,
      warnings: [],
      stderr: "",
      ready: new Promise(() => {}),
      settled: nothingYet,
    };
  }

  /**
   * Sets a start going.
   *
   * @param mayProceed - What it waits for after its checks and before anything is run.
   */
  begin(start: ServerStart, mayProceed: Promise<void> | undefined): void {
    const { registry } = this.#context;
    const starter: StarterContext = {
      ...this.#context,
      onPhase: (changed) => this.announce(changed),
      onStep: (changed, step) => this.#tell(changed, step),
    };
    start.approval = checkApproval(start, starter);
    start.approval.catch(ignore);
    const connecting = start.approval
      .then(() => mayProceed)
      .then(() => start.predecessor)
      .then(() => openConnection(start, starter))
      .then(async (connection) => {
        // Here, in the turn in which it is noted, and not a moment earlier: a removal in between would not see it.
        if (!registry.isCurrent(start)) {
          await disconnectServer(connection);
          throw closedError(start.name);
        }
        registry.connected(start, connection);
        return connection;
      })
      .catch((error: unknown) => {
        // Ended on purpose, whatever the step that noticed it calls it.
        throw start.controller.signal.aborted ? closedError(start.name) : error;
      });
    connecting.catch(ignore);
    registry.begin(start, connecting);
    this.#tell(start, "queued");
    this.#keepKnownTools(start);
    start.ready = connecting.then((connection) => {
      if (!registry.isCurrent(start)) throw closedError(start.name);
      const load = this.#load(start, connection, starter);
      registry.pendingToolLoads.set(start.name, load);
      return load;
    });
    start.settled = start.ready.then(
      ({ connection }) => this.#succeed(start, connection),
      (error: unknown) => this.#fail(start, error),
    );
  }

  /** Represents a pending server by the tools that the cache has, if it may be started at all. */
  handOverCached(start: ServerStart): void {
    if (start.cached == null || start.approved !== true || !this.isPending(start)) return;
    if (this.#context.catalog.definitionsOf(start.name) !== undefined) return;
    this.#setTools(start, start.cached.tools);
    this.#context.registry.instruct(start.name, start.cached.instructions);
    mark(start, "cachedToolsAt", this.#context.clock);
  }

  /** Whether a start is still on its way to its first list of tools. */
  isPending(start: ServerStart): boolean {
    return this.#context.registry.isCurrent(start) && start.error === undefined && !start.toolsAreLive;
  }

  /** Ends what a start began; resolves when its process tree is gone. A new start of the server waits for that. */
  end(start: ServerStart, connection: MCPServerConnection | undefined): Promise<void> {
    const { registry } = this.#context;
    start.controller.abort(closedError(start.name));
    const closing = connection === undefined ? undefined : disconnectServer(connection);
    const end = Promise.allSettled([closing, start.settled, registry.endings.get(start.name)]).then(ignore);
    registry.ending(start.name, end);
    return end;
  }

  /**
   * Puts a new start in the place of one, in the same turn: at no time is the server unknown, so that whoever removes it
   * also removes the new start. Its tools stay listed, and their calls wait for it.
   */
  restart(previous: ServerStart): ServerStart {
    const { registry, clock } = this.#context;
    const { name, config, entry } = previous;
    void this.end(previous, registry.detach(name));
    const start = this.create(name, config, { origin: clock.now(), entry });
    start.startupHasReturned = true;
    this.begin(start, undefined);
    return start;
  }

  describe(start: ServerStart): ServerDescription {
    const reconnect = this.#context.reconnector.describe(start);
    const description = describeServer(start, this.#countTools(start), this.#context);
    return reconnect === undefined ? description : { ...description, reconnect };
  }

  async #load(start: ServerStart, connection: MCPServerConnection, starter: StarterContext): Promise<ReadyServer> {
    const { registry } = this.#context;
    const ready: ReadyServer = { connection, toolNames: [] };
    const watch = this.#watch(start, ready, starter);
    const tools = await loadTools(start, connection, starter);
    if (!registry.isCurrent(start)) throw closedError(start.name);
    const { initializedAt = 0, listedAt = initializedAt } = start.timeline;
    start.durations = { ...connection.durations, list: listedAt - initializedAt };
    start.toolsAreLive = true;
    this.#takeTools(start, tools, ready);
    this.#setTools(start, tools, connection);
    registry.instruct(start.name, connection.instructions);
    this.#context.reconnector.follow(start, connection);
    watch.toolsAreListed();
    return ready;
  }

  #watch(start: ServerStart, ready: ReadyServer, starter: StarterContext): ServerWatch {
    const { clock, logger, registry, emit } = this.#context;
    const watch = watchServer(ready.connection, {
      clock,
      logger,
      emit: (event) => {
        if (registry.isCurrent(start)) emit(event);
      },
      refreshTools: () => this.#refreshTools(start, ready, starter),
    });
    this.#context.onOpen(ready.connection);
    return watch;
  }

  async #refreshTools(start: ServerStart, ready: ReadyServer, starter: StarterContext): Promise<void> {
    const { registry, catalog } = this.#context;
    const tools = await listServerTools(start, ready.connection, starter);
    if (!registry.isCurrent(start) || sameTools(tools, start.listedTools)) return;
    this.#takeTools(start, tools, ready);
    // What is offered stays as it is, objects included, when the change is in what the filters leave out.
    if (sameTools(filterTools(start.config, tools), catalog.definitionsOf(start.name) ?? [])) return;
    this.#setTools(start, tools, ready.connection);
    const isNews = start.startupHasReturned;
    if (isNews) this.#emitTools(start);
  }

  #takeTools(start: ServerStart, tools: MCPToolDefinition[], ready: ReadyServer): void {
    const { cache, clock } = this.#context;
    const { era, instructions } = ready.connection;
    const durations = start.durations === undefined ? {} : { durations: start.durations };
    const told = instructions === undefined ? {} : { instructions };
    cache.write(start, { tools, fetchedAt: clock.wallTime(), era, ...told, ...durations });
    start.listedTools = tools;
    ready.toolNames = filterTools(start.config, tools).map((tool) => tool.name);
  }

  #succeed(start: ServerStart, connection: MCPServerConnection): void {
    this.#finish(start);
    this.#tell(start, "ready", { tools: this.#countTools(start) });
    if (start.startupHasReturned) this.#emitTools(start);
    void this.#tellDrop(start, connection);
  }

  async #tellDrop(start: ServerStart, connection: MCPServerConnection): Promise<void> {
    const reason = await connection.closed;
    // What was ended on purpose is told when its process tree is gone.
    if (reason.kind === "closed" || !this.#context.registry.isCurrent(start)) return;
    this.#tell(start, "dropped", { error: notConnectedError(start.name, reason) });
    this.announce(start);
  }

  #fail(start: ServerStart, error: unknown): void {
    const { registry, logger, emit } = this.#context;
    start.error = toToolgateError(error, start.name);
    this.#finish(start);
    this.#tell(start, "failed", { error: start.error });
    if (!start.startupHasReturned || !registry.isCurrent(start)) return;
    logger.warn(`${start.name} failed after the startup: ${start.error.message}`);
    emit({ type: "late-error", server: start.name, error: start.error });
  }

  #finish(start: ServerStart): void {
    const { registry, clock } = this.#context;
    if (!registry.isCurrent(start)) return;
    start.phase = undefined;
    mark(start, "endedAt", clock);
    registry.ended(start);
    this.announce(start);
  }

  // A server that is started again keeps its tools in the list; their calls wait for it.
  #keepKnownTools(start: ServerStart): void {
    const known = this.#context.catalog.definitionsOf(start.name);
    if (known !== undefined) this.#setTools(start, known);
  }

  #setTools(start: ServerStart, tools: readonly MCPToolDefinition[], connection?: MCPServerConnection): void {
    const { catalog, registry, clock, limitOutput } = this.#context;
    const { name: server } = start;
    const source: SourceMeta | undefined = registry.sources.get(server);
    const recovery = this.#recoveryFor(start);
    const waitForServer: WaitForServer = async (name, signal) => {
      const ready = await this.#waitForServer(name, signal);
      this.#checkDefinition(start);
      return ready;
    };
    catalog.setServerTools(server, filterTools(start.config, tools), (name, definition) => {
      const options = { name, server, definition, source, clock, limitOutput };
      return connection === undefined
        ? new DeferredMCPTool(waitForServer, { ...options, send: this.#createSend(recovery) })
        : this.#createLiveTool(connection, { ...options, recovery });
    });
  }

  #createLiveTool(
    connection: MCPServerConnection,
    { recovery, ...options }: MCPToolOptions & { recovery: CallRecovery | undefined },
  ): MCPTool {
    if (recovery === undefined) return new MCPTool(connection, options);
    return new RecoveringMCPTool(connection, { ...options, reconnector: recovery });
  }

  /** A tool was offered, and maybe approved, as one of this very definition: no other one gets its calls. */
  #checkDefinition({ name, config }: ServerStart): void {
    const current = this.#context.registry.starts.get(name);
    if (current !== undefined && !isDeepStrictEqual(current.config, config)) throw redefinedError(name);
  }

  #recoveryFor(start: ServerStart): CallRecovery | undefined {
    const { reconnector } = this.#context;
    if (!reconnector.isActive) return undefined;
    return {
      answered: (server) => reconnector.answered(server),
      reconnect: async (server, signal) => {
        const ready = await reconnector.reconnect(server, signal);
        this.#checkDefinition(start);
        return ready;
      },
    };
  }

  /** Calls of deferred tools are recovered like those of live ones, by what the server itself says of the tool by now. */
  #createSend(recovery: CallRecovery | undefined): DeferredToolOptions["send"] {
    if (recovery === undefined) return undefined;
    const { registry } = this.#context;
    return (call) => {
      const { server, tool } = call.subject;
      const listed = registry.starts.get(server)?.listedTools.find(({ name }) => name === tool);
      return callWithRecovery({ ...call, annotations: listed?.annotations }, recovery);
    };
  }

  readonly #waitForServer: WaitForServer = async (server, signal) => {
    const { registry, reconnector } = this.#context;
    const start = registry.starts.get(server);
    if (start === undefined) throw notConnectedError(server, undefined);
    try {
      const ready = await abortable(start.ready, signal);
      if (ready.connection.closeReason === undefined) return ready;
      throw notConnectedError(server, ready.connection.closeReason);
    } catch (error) {
      if (isAbort(error)) throw error;
      // Nothing was sent yet: a start that was replaced while this waited is as good.
      if (registry.starts.has(server) && !registry.isCurrent(start)) return this.#waitForServer(server, signal);
      if (reconnector.isActive && registry.isCurrent(start)) return reconnector.reconnect(server, signal);
      if (start.error !== undefined && start.error === error) throw unavailableError(server, start.error);
      throw ToolgateError.isInstance(error) ? unavailableError(server, error) : error;
    }
  };

  #emitTools(start: ServerStart): void {
    const { registry, catalog, emit } = this.#context;
    if (registry.isCurrent(start)) emit({ type: "tools-changed", server: start.name, tools: catalog.list() });
  }

  #countTools(start: ServerStart): number {
    return this.#context.catalog.definitionsOf(start.name)?.length ?? 0;
  }

  // What a start does after it was replaced counts for nothing, and is not told.
  #tell(start: ServerStart, step: ServerStep, details?: StepDetails): void {
    if (this.#context.registry.isCurrent(start)) this.#context.emit(describeStep(start, step, details));
  }

  /** Tells how a server stands. */
  announce(start: ServerStart): void {
    const { status, phase } = this.describe(start);
    this.#context.emit({
      type: "server-status",
      server: start.name,
      status,
      ...(phase === undefined ? {} : { phase }),
    });
  }
}

function toToolgateError(error: unknown, server: string): ToolgateError {
  if (ToolgateError.isInstance(error)) return error;
  const code = error instanceof Error && error.name === "AbortError" ? "CLOSED" : "CONNECT_FAILED";
  return new ToolgateError(code, `${server} could not be started: ${messageOf(error)}`, { server, cause: error });
}

// The outcome is dealt with where the promise is waited for; this only keeps it from counting as unhandled.
function ignore(): void {}
