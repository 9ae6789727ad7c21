import type { AgentTool, ContentBlock, Logger, MaybePromise } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import type { DiscoverResult, LoadConfigsOptions, MCPManager, ServerInstructions } from "@toolgate/mcp-manager";

import { formatDuration } from "../terminal/format.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { AgentModel, ModelMessage } from "./agent-model.ts";
import { isStarting, serversToAwait, waitForServers } from "./await-servers.ts";
import { MCPToolSync } from "./mcp-tool-sync.ts";
import { MAX_STEPS, runPromptLoop } from "./prompt-loop.ts";
import { serverNamesOf } from "./server-names.ts";
import type { MayRunTool } from "./session-call-context.ts";
import { wrapForSession } from "./session-mcp-tool.ts";
import type { ReplaceableToolRegistry, ToolRegistry } from "./tool-registry.ts";

/** What may be said about one prompt. */
export interface PromptOptions {
  /** Ends this prompt: the iteration rejects with the signal's reason. @default none */
  signal?: AbortSignal;
  /** Answers of the model before the prompt ends with the reason `limit`. @default 50 */
  maxSteps?: number;
  /** Whether a tool may run; a refusal is told to the model, and subagents inherit it. @default the session's */
  mayRun?: MayRunTool;
  /** What goes with the text, for example a resource of a server. @default nothing */
  attachments?: readonly ContentBlock[];
  /**
   * Milliseconds that the first request waits at most for servers whose tools nobody knows yet: those that the text names,
   * by a word, `@server:` or the name of a tool, or all when it names none. `0` waits for nobody.
   *
   * @default the session's
   */
  waitForServersMs?: number;
}

/** What {@link AgentSession.reloadMCP} changed, by names of servers. */
export interface ReloadResult {
  added: string[];
  removed: string[];
  /** Those of a reload by difference that were started again; empty for a full reload, which restarts all. */
  restarted: string[];
  kept: string[];
  errors: Map<string, ToolgateError>;
  discovered: DiscoverResult;
}

/** One conversation with its tools. */
export interface AgentSession {
  /** The servers of this session; absent with `enableMCP: false`. */
  readonly mcpManager?: MCPManager;
  readonly tools: ToolRegistry;
  /** What answers prompts; without it a prompt ends with an `error` event that says so. */
  model: AgentModel | undefined;
  /** The conversation so far. */
  readonly messages: readonly ModelMessage[];
  /**
   * Works on a prompt; one at a time, a further one waits. Leaving the iteration early aborts the prompt. Its first
   * request waits a bounded time for servers whose tools nobody knows yet, and a `waiting` event says for which.
   */
  prompt(text: string, options?: PromptOptions): AsyncIterable<AgentEvent>;
  /**
   * Begins a new conversation once the prompts before are done: messages are gone, tools and servers stay as they are.
   *
   * @returns how many messages there were
   */
  forget(): Promise<number>;
  /**
   * Replaces all `mcp_` tools by the given ones. A tool that stays keeps its activation, a new one becomes active, native
   * tools are left alone. Calls run one after the other; one that fails changes nothing.
   */
  refreshMCPTools(tools: readonly AgentTool[]): Promise<void>;
  /**
   * Waits until a server's start has come to its end, its list of tools included, and brings the tools up to date.
   *
   * @throws ToolgateError with the server's own reason
   */
  waitForMCPServer(name: string, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Ends all servers, discovers and connects anew, and brings the tools up to date. With the setting `mcp.reload` at
   * `diff` or `watch`, servers whose entry has not changed are left alone, with the calls that are under way.
   *
   * @throws ToolgateError `NOT_CONNECTED` in a session without servers, `DISCOVERY_FAILED` when discovery fails
   */
  reloadMCP(): Promise<ReloadResult>;
  /** Aborts what is under way and disconnects a manager that the session made. Idempotent. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The system prompt by what servers say. */
type SystemPromptOf = (servers: readonly ServerInstructions[]) => string;

/** What a session is made of. */
export interface AgentSessionParts {
  registry: ReplaceableToolRegistry;
  manager: MCPManager | undefined;
  /** Whether the manager ends with the session. */
  ownsManager: boolean;
  model: AgentModel | undefined;
  logger: Logger;
  applyTools: ((active: readonly AgentTool[]) => MaybePromise<void>) | undefined;
  /** For prompts that bring none of their own. */
  mayRun: MayRunTool | undefined;
  /** For prompts that do not say it, in milliseconds. */
  waitForServersMs: number;
  /** Makes the system prompt when the first prompt comes; asked once. @default none */
  loadSystemPrompt?(): Promise<SystemPromptOf>;
  /** Called after a reload with what was found. */
  onDiscovered?: (discovered: DiscoverResult) => MaybePromise<void>;
  /** What discovery goes by at a reload: settings may have changed since. */
  discoveryOptions(): Promise<LoadConfigsOptions>;
  /** Whether a reload leaves alone what has not changed. @default it restarts all servers */
  reloadsByDifference?(): Promise<boolean>;
  /** Calls back when a file of the configuration has changed; the returned function ends that. @default never */
  watchConfiguration?(onChange: () => Promise<unknown>): () => void;
}

/** What a prompt gives in a session that has no model. */
const NO_MODEL =
  "No model is configured, so there is nobody to answer. The tools work without one: see `toolgate mcp call --help`.";

/** Puts a session together. Follows the manager's later changes until it is disposed of. */
export function assembleSession(parts: AgentSessionParts): AgentSession {
  return new LiveSession(parts);
}

class LiveSession implements AgentSession {
  readonly mcpManager?: MCPManager;
  readonly tools: ToolRegistry;
  model: AgentModel | undefined;
  readonly #parts: AgentSessionParts;
  readonly #messages: ModelMessage[] = [];
  readonly #sync: MCPToolSync;
  readonly #controller = new AbortController();
  #lastPrompt: Promise<void> = Promise.resolve();
  #lastReload: Promise<unknown> = Promise.resolve();
  #reloads = 0;
  #systemPrompt: Promise<SystemPromptOf | undefined> | undefined;
  /** Those of the servers whose tools the session has: both change together. */
  #instructions: readonly ServerInstructions[] = [];
  #refreshIsPlanned = false;
  #stopFollowing: (() => void) | undefined;
  #stopWatching: (() => void) | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: AgentSessionParts) {
    const { manager } = parts;
    this.#parts = parts;
    this.tools = parts.registry;
    this.model = parts.model;
    if (manager !== undefined) this.mcpManager = manager;
    this.#sync = new MCPToolSync({
      registry: parts.registry,
      wrap: (tool) =>
        wrapForSession(tool, {
          statusOf: (server) => manager?.getConnectionStatus(server) ?? "disconnected",
          onLateConnection: () => this.#refreshFromManager(),
        }),
      ...(parts.applyTools === undefined ? {} : { applyTools: parts.applyTools }),
    });
    this.#stopFollowing = manager?.subscribe((event) => {
      // A reload brings the tools up to date once, at its end: in between they would seem to be gone.
      if (event.type === "tools-changed" && this.#reloads === 0) this.#planRefresh();
    });
    this.#stopWatching = parts.watchConfiguration?.(() => this.reloadMCP());
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  async *prompt(text: string, options: PromptOptions = {}): AsyncGenerator<AgentEvent, void, undefined> {
    const previous = this.#lastPrompt;
    let endTurn: (() => void) | undefined;
    this.#lastPrompt = new Promise((resolve) => {
      endTurn = resolve;
    });
    const leave = new AbortController();
    const signals = [this.#controller.signal, leave.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const signal = AbortSignal.any(signals);
    try {
      await previous;
      signal.throwIfAborted();
      const { model } = this;
      if (model === undefined) {
        yield { type: "error", message: NO_MODEL };
        return;
      }
      const mayRun = options.mayRun ?? this.#parts.mayRun;
      const { attachments = [] } = options;
      this.#messages.push({ role: "user", content: text, ...(attachments.length === 0 ? {} : { attachments }) });
      const system = await this.#loadSystemPrompt();
      yield* this.#awaitServers(text, options.waitForServersMs ?? this.#parts.waitForServersMs, signal);
      yield* runPromptLoop({
        model,
        messages: this.#messages,
        activeTools: () => this.tools.active(),
        findTool: (name) => this.tools.get(name),
        ...(mayRun === undefined ? {} : { mayRun }),
        ...(system === undefined ? {} : { system: () => system(this.#instructions) }),
        maxSteps: options.maxSteps ?? MAX_STEPS,
        signal,
      });
    } finally {
      leave.abort(new DOMException("The prompt was left.", "AbortError"));
      endTurn?.();
    }
  }

  async forget(): Promise<number> {
    await this.#lastPrompt;
    return this.#messages.splice(0).length;
  }

  async refreshMCPTools(tools: readonly AgentTool[]): Promise<void> {
    await this.#sync.refresh(() => tools);
    this.#takeInstructions();
  }

  async waitForMCPServer(name: string, options: { signal?: AbortSignal } = {}): Promise<void> {
    const manager = this.#requireManager();
    await waitForServers(manager, [name], options);
    options.signal?.throwIfAborted();
    const { error } = manager.describeServers().find((server) => server.name === name) ?? {};
    if (error !== undefined) throw error;
    await manager.waitForConnection(name, options);
    await this.refreshMCPTools(manager.getTools());
  }

  reloadMCP(): Promise<ReloadResult> {
    const next = this.#lastReload.then(() => this.#reload());
    this.#lastReload = next.catch(() => {});
    return next;
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#end();
    return this.#disposed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #end(): Promise<void> {
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#controller.abort(new DOMException("The session was closed.", "AbortError"));
    if (this.#parts.ownsManager) await this.mcpManager?.disconnectAll();
  }

  /** Before the first request of a prompt: nobody knows whether it needs what is not there yet. */
  async *#awaitServers(
    text: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const { mcpManager: manager } = this;
    const names = manager === undefined || timeoutMs <= 0 ? [] : serversToAwait(text, manager.describeServers());
    if (manager === undefined || names.length === 0) return;
    yield { type: "waiting", servers: names };
    await waitForServers(manager, names, { signal, timeoutMs });
    signal.throwIfAborted();
    await this.#refreshFromManager();
    yield { type: "waiting", servers: [] };
    const late = manager.describeServers().filter((server) => names.includes(server.name) && isStarting(server));
    if (late.length === 0) return;
    const message = `Not ready within ${formatDuration(timeoutMs)}: ${late.map(({ name }) => name).join(", ")}. Their tools join when they are there.`;
    yield { type: "warning", message };
  }

  async #reload(): Promise<ReloadResult> {
    const manager = this.#requireManager();
    if ((await this.#parts.reloadsByDifference?.()) === true) return this.#reconcile(manager);
    const before = serverNamesOf(manager);
    this.#reloads += 1;
    try {
      await manager.disconnectAll();
      const options = await this.#parts.discoveryOptions();
      this.#throwIfDisposed();
      const discovered = await manager.discoverAndConnect(options);
      await this.#parts.onDiscovered?.(discovered);
      const after = Object.keys(discovered.configs);
      return {
        added: after.filter((name) => !before.includes(name)).toSorted(),
        removed: before.filter((name) => !after.includes(name)),
        restarted: [],
        kept: before.filter((name) => after.includes(name)),
        errors: discovered.errors,
        discovered,
      };
    } finally {
      this.#reloads -= 1;
      await this.refreshMCPTools(manager.getTools());
    }
  }

  // What stays is never gone in between, so that the tools may follow each change.
  async #reconcile(manager: MCPManager): Promise<ReloadResult> {
    const options = await this.#parts.discoveryOptions();
    this.#throwIfDisposed();
    try {
      const discovered = await manager.discoverAndReconcile(options);
      await this.#parts.onDiscovered?.(discovered);
      const { added, removed, restarted, kept, errors } = discovered;
      return { added, removed, restarted, kept, errors, discovered };
    } finally {
      await this.refreshMCPTools(manager.getTools());
    }
  }

  // What was disconnected by the end of the session must not be started by a reload that was under way.
  #throwIfDisposed(): void {
    if (this.#disposed !== undefined) throw new ToolgateError("CLOSED", "The session was closed during the reload.");
  }

  #requireManager(): MCPManager {
    if (this.mcpManager !== undefined) return this.mcpManager;
    throw new ToolgateError("NOT_CONNECTED", "This session was made without MCP servers (enableMCP: false).");
  }

  /** Read once; one that could not be made is tried again with the next prompt. */
  async #loadSystemPrompt(): Promise<SystemPromptOf | undefined> {
    const loading = (this.#systemPrompt ??= Promise.resolve(this.#parts.loadSystemPrompt?.()));
    try {
      return await loading;
    } catch (error) {
      this.#systemPrompt = undefined;
      throw error;
    }
  }

  #takeInstructions(): void {
    this.#instructions = this.mcpManager?.getInstructions().servers ?? [];
  }

  /** Many servers that arrive at once are one refresh. */
  #planRefresh(): void {
    if (this.#refreshIsPlanned) return;
    this.#refreshIsPlanned = true;
    queueMicrotask(() => {
      this.#refreshIsPlanned = false;
      void this.#refreshFromManager();
    });
  }

  async #refreshFromManager(): Promise<void> {
    const { mcpManager: manager } = this;
    if (manager === undefined || this.#disposed !== undefined) return;
    try {
      await this.#sync.refresh(() => manager.getTools());
      this.#takeInstructions();
    } catch (error) {
      this.#parts.logger.warn(`The tools of the session could not be brought up to date: ${messageOf(error)}`);
    }
  }
}
