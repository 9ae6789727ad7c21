import type { AgentTool, MCPServerConfig, SourceMeta, ToolgateError } from "@toolgate/contracts";
import { silentLogger } from "@toolgate/contracts";
import type { Completion, LoggingLevel, MCPServerConnection, PromptResult, RequestOptions } from "@toolgate/mcp-client";

import { abortable } from "./abortable.ts";
import { CacheAccess } from "./cache-access.ts";
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import { notConnectedError } from "./connection-errors.ts";
import { publishServerStep } from "./diagnostics.ts";
import { discoverServers } from "./discover-servers.ts";
import { hostEnvironment } from "./host-environment.ts";
import type { MergedInstructions } from "./instructions.ts";
import { MAX_INSTRUCTIONS_CHARACTERS, mergeInstructions } from "./instructions.ts";
import type { LoadConfigsOptions, LoadedConfigs } from "./load-configs.ts";
import { loadAllMCPConfigs } from "./load-configs.ts";
import type { MCPManagerEvent, MCPManagerListener, UntimedEvent } from "./manager-events.ts";
import type { ConnectServersOptions, MCPLoadResult, MCPManagerOptions } from "./manager-options.ts";
import { outputLimiterOf } from "./output-limits.ts";
import type { ReconcileResult } from "./reconcile.ts";
import { reconcile } from "./reconcile.ts";
import { Reconnector } from "./reconnector.ts";
import { retainServers } from "./retain-servers.ts";
import type {
  ArgumentCompletion,
  ContentOptions,
  PromptRequest,
  ResourceReference,
  ServerItems,
  ServerPrompt,
  ServerResource,
  ServerResourceContents,
  ServerResourceTemplate,
} from "./server-content.ts";
import { ServerContent } from "./server-content.ts";
import type { ServerDescription, StartupDescription } from "./server-description.ts";
import { ServerLifecycle } from "./server-lifecycle.ts";
import { ServerPreferences } from "./server-preferences.ts";
import type { ConnectionStatus } from "./server-registry.ts";
import { ServerRegistry } from "./server-registry.ts";
import { ServerStartup } from "./server-startup.ts";
import { describeStep } from "./server-steps.ts";
import { createStartQueue, StartQueue } from "./start-queue.ts";
import { handleTerminationSignals } from "./termination-signals.ts";
import { ToolCatalog } from "./tool-catalog.ts";

/** What {@link MCPManager.discoverAndConnect} gives: the start's result and what discovery found. */
export interface DiscoverResult extends MCPLoadResult, Omit<LoadedConfigs, "exaApiKeys"> {}

/**
 * Keeps a set of MCP servers for one session: starts them in parallel, hands over their tools within the startup gate,
 * replaces cached tools when a server is ready, and ends everything that it started.
 *
 * By default nothing is watched and nothing is restarted by itself: a dropped server stays dropped, its tools say why,
 * and {@link MCPManager.reconnectServer} or {@link MCPManager.connectServers} starts it again.
 */
export class MCPManager {
  readonly #cwd: string;
  readonly #options: MCPManagerOptions;
  readonly #clock: Clock;
  readonly #registry = new ServerRegistry();
  readonly #catalog = new ToolCatalog();
  readonly #cache: CacheAccess;
  readonly #lifecycle: ServerLifecycle;
  readonly #startup: ServerStartup;
  readonly #content: ServerContent;
  readonly #preferences: ServerPreferences;
  readonly #listeners = new Set<MCPManagerListener>();
  /** The clock's time that events count from. */
  readonly #madeAt: number;
  #stopHandlingSignals: (() => void) | undefined;

  /**
   * @param cwd - The session's working directory: where discovery begins and children without a `cwd` start.
   * @param options - Every default is documented at the option.
   */
  constructor(cwd: string, options: MCPManagerOptions = {}) {
    this.#cwd = cwd;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#madeAt = this.#clock.now();
    const logger = options.logger ?? silentLogger;
    this.#cache = new CacheAccess(options, { clock: this.#clock, logger });
    const openConnection = (name: string): MCPServerConnection | undefined => this.getConnection(name);
    this.#preferences = new ServerPreferences({ logger, openConnection });
    this.#content = new ServerContent({
      names: () => [...this.#registry.starts.keys()],
      openConnection,
      waitForConnection: (name, waiting) => this.waitForConnection(name, waiting),
    });
    const shared = {
      options,
      clock: this.#clock,
      registry: this.#registry,
      catalog: this.#catalog,
      cache: this.#cache,
      queue: createStartQueue(this.#clock, options),
      commandQueue: new StartQueue(this.#clock, Number.POSITIVE_INFINITY),
      emit: (event: UntimedEvent): void => this.#emit(event),
    };
    const reconnector = new Reconnector({
      ...shared,
      policy: options.reconnect ?? "manual",
      restart: (start) => this.#lifecycle.restart(start),
      onChange: (start) => this.#lifecycle.announce(start),
    });
    this.#lifecycle = new ServerLifecycle({
      ...shared,
      reconnector,
      cwd,
      env: hostEnvironment(options),
      logger,
      limitOutput: outputLimiterOf(options, this.#clock),
      onOpen: (connection) => this.#preferences.restore(connection),
    });
    this.#startup = new ServerStartup({
      ...shared,
      lifecycle: this.#lifecycle,
      onStart: () => this.#handleSignals(),
    });
  }

  /** Reads the configuration of all known clients with this manager's options; starts nothing. */
  loadConfigs(options: LoadConfigsOptions = {}): Promise<LoadedConfigs> {
    return loadAllMCPConfigs(this.#cwd, { ...this.#options, ...options });
  }

  /**
   * Finds the configured servers and connects them.
   *
   * @param options - Replaces the constructor's options for this call.
   * @throws ToolgateError `DISCOVERY_FAILED` when discovery as a whole fails; never for a single server.
   */
  async discoverAndConnect(options: LoadConfigsOptions & ConnectServersOptions = {}): Promise<DiscoverResult> {
    const { loaded, servers } = await discoverServers(this.#registry, () => this.loadConfigs(options));
    const result = await this.connectServers(servers.configs, loaded.sources, { ...options, entries: loaded.entries });
    const errors = new Map([...servers.errors, ...result.errors]);
    return { ...loaded, ...result, errors, exaApiKeys: loaded.exaApiKeys };
  }

  /**
   * Starts every given server that is neither connected nor on its way, in parallel, and returns when all have settled
   * or the gate falls. A pending server with cached tools is represented by deferred tools; one without is awaited,
   * unless `uncachedPending` says otherwise. Never rejects because of a server.
   */
  async connectServers(
    configs: Record<string, MCPServerConfig>,
    sources: Record<string, SourceMeta> = {},
    options: ConnectServersOptions = {},
  ): Promise<MCPLoadResult> {
    return this.#startup.start(configs, sources, options);
  }

  /**
   * Makes the servers what the given configs say, and leaves alone, with process and pending calls, those that are so
   * already: connects new ones, removes those that are not given, restarts changed ones and ones that had failed or
   * dropped. Two entries are the same when their unresolved configs and project directories are; the order of keys does
   * not matter. An invalid new config of a known server changes nothing for it and is its error.
   *
   * What is changed is changed in the turn of the call: calls never mix, of two the later one wins, and what a later
   * call removes has the error `CLOSED` in the earlier one's result. Resolves like {@link MCPManager.connectServers},
   * and when the processes of removed servers are gone.
   */
  reconcile(
    configs: Record<string, MCPServerConfig>,
    sources: Record<string, SourceMeta> = {},
    options: ConnectServersOptions = {},
  ): Promise<ReconcileResult> {
    const { entries = {}, ...rest } = options;
    return reconcile({ configs, sources, entries }, rest, {
      registry: this.#registry,
      disconnect: (name) => this.disconnectServer(name),
      release: (start) => void this.#lifecycle.end(start, this.#registry.detach(start.name)),
      onToolsChanged: () => this.#emit({ type: "tools-changed", tools: this.getTools() }),
      start: (...started) => this.#startup.start(...started),
    });
  }

  /**
   * Finds the configured servers and reconciles with them, see {@link MCPManager.reconcile}. A known server whose file
   * or entry cannot be used just now stays as it is, and that is its error.
   *
   * @param options - Replaces the constructor's options for this call.
   * @throws ToolgateError `DISCOVERY_FAILED` when discovery as a whole fails; nothing is changed then.
   */
  async discoverAndReconcile(
    options: LoadConfigsOptions & Omit<ConnectServersOptions, "entries"> = {},
  ): Promise<DiscoverResult & ReconcileResult> {
    const { loaded, servers } = await discoverServers(this.#registry, () => this.loadConfigs(options));
    const { wanted, errors } = retainServers({ ...loaded, configs: servers.configs }, this.#registry);
    const { entries } = wanted;
    const result = await this.reconcile(wanted.configs, wanted.sources, { ...options, entries });
    return { ...loaded, ...result, errors: new Map([...servers.errors, ...errors, ...result.errors]) };
  }

  /**
   * Starts one known server again, whatever its state, and waits for it. Its tools stay listed meanwhile. Callers that
   * ask while that is under way share it.
   */
  async reconnectServer(name: string): Promise<MCPLoadResult> {
    const start = this.#registry.starts.get(name);
    if (start === undefined) throw notConnectedError(name, undefined);
    return this.#startup.restart(start);
  }

  /** All tools, live and deferred, sorted by name in code unit order. */
  getTools(): AgentTool[] {
    return this.#catalog.list();
  }

  getConnectionStatus(name: string): ConnectionStatus {
    return this.#registry.statusOf(name);
  }

  /** The open connection of a server; undefined when there is none or it has closed. */
  getConnection(name: string): MCPServerConnection | undefined {
    return this.#registry.openConnection(name);
  }

  /** Where a server was configured; known before it connects. */
  getSource(name: string): SourceMeta | undefined {
    return this.#registry.sources.get(name);
  }

  /**
   * Waits until a server is connected.
   *
   * @throws ToolgateError with the server's own reason, or `NOT_CONNECTED` when nothing is on its way.
   */
  async waitForConnection(name: string, options: { signal?: AbortSignal } = {}): Promise<MCPServerConnection> {
    const open = this.#registry.openConnection(name);
    if (open !== undefined) return open;
    const pending = this.#registry.pendingConnections.get(name);
    if (pending !== undefined) {
      return abortable(pending, options.signal).catch((error: unknown) => {
        throw this.#registry.starts.get(name)?.error ?? error;
      });
    }
    throw (
      this.#registry.starts.get(name)?.error ??
      notConnectedError(name, this.#registry.connections.get(name)?.closeReason)
    );
  }

  /** Everything that can be said about every server, sorted by name. */
  describeServers(): ServerDescription[] {
    return [...this.#registry.starts.values()]
      .map((start) => this.#lifecycle.describe(start))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * How the servers of this manager were started: the last `connectServers` that found it without servers. Undefined
   * before the first one.
   */
  describeStartup(): StartupDescription | undefined {
    return this.#startup.describe();
  }

  /** The resources of all connected servers, or of one. */
  listResources(options: ContentOptions = {}): Promise<ServerItems<ServerResource>> {
    return this.#content.listResources(options);
  }

  /** The resource templates of all connected servers, or of one. */
  listResourceTemplates(options: ContentOptions = {}): Promise<ServerItems<ServerResourceTemplate>> {
    return this.#content.listResourceTemplates(options);
  }

  /**
   * Reads a resource by its address, `server:uri`. A plain URI is read from the first server, by name, that can.
   *
   * @throws ToolgateError with the server's own reason
   */
  readResource(resource: ResourceReference, options: RequestOptions = {}): Promise<ServerResourceContents> {
    return this.#content.readResource(resource, options);
  }

  /** Proposals for a variable of a resource template, which is named by its address, `server:uriTemplate`. */
  completeResourceTemplate(
    template: ResourceReference,
    wanted: ArgumentCompletion,
    options: RequestOptions = {},
  ): Promise<Completion> {
    return this.#content.completeResourceTemplate(template, wanted, options);
  }

  /**
   * Has `resource-updated` events sent for a resource until the returned function is called, also after the server was
   * started again.
   *
   * @throws ToolgateError `NOT_OFFERED` when the server has no subscriptions, or the server's own reason
   */
  async subscribeResource(resource: ResourceReference, options: RequestOptions = {}): Promise<() => Promise<void>> {
    const { connection, uri } = await this.#content.openResource(resource, options);
    return this.#preferences.subscribe(connection, uri, options);
  }

  /** The prompts of all connected servers, or of one. */
  listPrompts(options: ContentOptions = {}): Promise<ServerItems<ServerPrompt>> {
    return this.#content.listPrompts(options);
  }

  /**
   * Fills a prompt in.
   *
   * @throws ToolgateError with the server's own reason
   */
  getPrompt(prompt: PromptRequest, options: RequestOptions = {}): Promise<PromptResult> {
    return this.#content.getPrompt(prompt, options);
  }

  /** Proposals for an argument of a prompt. */
  completePromptArgument(
    prompt: Pick<PromptRequest, "server" | "name">,
    wanted: ArgumentCompletion,
    options: RequestOptions = {},
  ): Promise<Completion> {
    return this.#content.completePromptArgument(prompt, wanted, options);
  }

  /**
   * Sets how much servers report by `server-log` events: of one server, or of all that have no level of their own. Also
   * servers that connect later are told.
   *
   * @returns why connected servers could not be told, by name
   */
  setLoggingLevel(level: LoggingLevel, options: ContentOptions = {}): Promise<Map<string, ToolgateError>> {
    return this.#preferences.setLevel(level, { ...options, names: [...this.#registry.starts.keys()] });
  }

  /**
   * What the servers want the model to know, per server and as one text. A server's instructions come and go with its
   * tools: remembered ones stand in for a server that is still on its way, and those of one that has dropped stay. So a
   * text that is made of them changes only when the list of tools may have changed too.
   *
   * @param options - `maxCharacters`: UTF-16 code units of each server's instructions; the rest is cut off, and the text
   * says so.
   * @default 4000 characters
   */
  getInstructions(options: { maxCharacters?: number } = {}): MergedInstructions {
    const given = [...this.#registry.instructions].map(([server, instructions]) => ({ server, instructions }));
    return mergeInstructions(given, options.maxCharacters ?? MAX_INSTRUCTIONS_CHARACTERS);
  }

  /** Calls the listener for every event until the returned function is called. */
  subscribe(listener: MCPManagerListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Ends one server and forgets it: its tools, source and pending work. Resolves when its whole process tree is gone;
   * a handshake in flight is cancelled, and a late result of it counts for nothing.
   */
  async disconnectServer(name: string): Promise<void> {
    const { start, connection } = this.#registry.remove(name);
    const hadTools = this.#catalog.removeServer(name);
    if (hadTools) this.#emit({ type: "tools-changed", server: name, tools: this.getTools() });
    if (start === undefined) return;
    this.#emit({ type: "server-status", server: name, status: "disconnected" });
    await this.#lifecycle.end(start, connection);
    this.#emit(describeStep(start, "closed"));
  }

  /**
   * Ends every server and forgets everything; the manager can be used again afterwards. Bounded in time, idempotent,
   * and no process that it started is left when it resolves.
   */
  async disconnectAll(): Promise<void> {
    this.#registry.removals.removeAll();
    const removals = [...this.#registry.starts.keys()].map((name) => this.disconnectServer(name));
    await Promise.allSettled([...removals, ...this.#registry.endings.values()]);
    await this.#cache.settleWrites();
    this.#stopHandlingSignals?.();
    this.#stopHandlingSignals = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnectAll();
  }

  #handleSignals(): void {
    if (this.#options.handleSignals !== true || this.#stopHandlingSignals !== undefined) return;
    this.#stopHandlingSignals = handleTerminationSignals(() => this.disconnectAll());
  }

  #emit(event: UntimedEvent): void {
    const when = { at: this.#clock.now() - this.#madeAt, time: this.#clock.wallTime() };
    const timed: MCPManagerEvent = { ...event, ...when };
    if (timed.type === "server-step") publishServerStep(timed);
    for (const listener of this.#listeners) listener(timed);
  }
}
