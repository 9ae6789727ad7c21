import { transportOf, ToolgateError } from "@toolgate/contracts";
import type { Logger, MCPServerConfig, MCPToolDefinition } from "@toolgate/contracts";
import type { MCPServerConnection, ObservedMessage } from "@toolgate/mcp-client";
import { connectToServer, listTools, whenBootIdle } from "@toolgate/mcp-client";

import { abortable } from "./abortable.ts";
import type { Clock } from "./clock.ts";
import { findConfigProblem } from "./config-problem.ts";
import { bindHostHandlers } from "./host-handlers.ts";
import type { ServerStep } from "./manager-events.ts";
import type { MCPManagerOptions } from "./manager-options.ts";
import { resolveServerConfig } from "./resolve-config.ts";
import type { ServerPhase } from "./server-description.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";
import type { StartPriority, StartQueue, StartSlot } from "./start-queue.ts";
import { createToolFilter } from "./tool-filter.ts";

/** What starting a server needs of its manager. */
export interface StarterContext {
  cwd: string;
  /** The host's environment, with the home directory that the host was given. */
  env: Record<string, string | undefined>;
  options: MCPManagerOptions;
  clock: Clock;
  logger: Logger;
  queue: StartQueue;
  /** Paces `!command`s. */
  commandQueue: StartQueue;
  registry: ServerRegistry;
  /** Called after each change of a start's phase. */
  onPhase(start: ServerStart): void;
  /** Called when a start has come a step further, after the step was marked. */
  onStep(start: ServerStart, step: ServerStep): void;
}

/** Brings one server from its unresolved config to an open connection. */
export async function openConnection(start: ServerStart, context: StarterContext): Promise<MCPServerConnection> {
  const { registry } = context;
  start.controller.signal.throwIfAborted();
  const source = registry.sources.get(start.name);
  const config = await resolveServerConfig(start.config, {
    name: start.name,
    source,
    cwd: start.entry.projectDirectory ?? context.cwd,
    env: context.env,
    signal: start.controller.signal,
    logger: context.logger,
    pace: context.commandQueue,
    authStorage: context.options.authStorage,
  });
  const slot = transportOf(config) === "stdio" ? await enterQueue(start, context) : undefined;
  try {
    return await connect(start, config, { ...context, slot });
  } finally {
    slot?.release();
  }
}

/** Lists a server's tools for the first time. */
export async function loadTools(
  start: ServerStart,
  connection: MCPServerConnection,
  context: StarterContext,
): Promise<MCPToolDefinition[]> {
  setPhase(start, "listing", context);
  const tools = await listServerTools(start, connection, context);
  mark(start, "listedAt", context.clock);
  context.onStep(start, "listed");
  return tools;
}

/** Lists a server's tools; what its entry filters out is still listed, and left out later. */
export async function listServerTools(
  start: ServerStart,
  connection: MCPServerConnection,
  context: StarterContext,
): Promise<MCPToolDefinition[]> {
  const { tools, invalid, incomplete } = await listTools(connection, { signal: start.controller.signal });
  start.warnings = invalid.map(({ name, reason }) => `the tool ${name ?? "without a name"} cannot be used: ${reason}`);
  if (incomplete !== undefined) start.warnings.push(incomplete.message);
  for (const warning of start.warnings) context.logger.warn(`${start.name}: ${warning}`);
  return tools;
}

/** The tools of a list that the entry's `includeTools` and `excludeTools` let through. */
export function filterTools(config: MCPServerConfig, tools: readonly MCPToolDefinition[]): MCPToolDefinition[] {
  const passes = createToolFilter(config);
  return tools.filter((tool) => passes(tool.name));
}

/** Notes when a step of a start happened. */
export function mark(start: ServerStart, step: keyof ServerStart["timeline"], clock: Clock): void {
  start.timeline[step] = clock.now() - start.origin;
}

/**
 * Decides whether a server may be started at all: its config must be valid, and the host must approve.
 *
 * @throws ToolgateError `CONFIG_INVALID` or `NOT_TRUSTED`
 */
export async function checkApproval(start: ServerStart, { options, registry }: StarterContext): Promise<void> {
  const path = registry.sources.get(start.name)?.path;
  const problem = findConfigProblem(start.name, { config: start.config, entry: start.entry, path });
  if (problem !== undefined) throw problem;
  if (options.approve === undefined) {
    start.approved = true;
    return;
  }
  const source = registry.sources.get(start.name);
  const { definition } = start.entry;
  const answer = options.approve({
    name: start.name,
    config: start.config,
    ...(source === undefined ? {} : { source }),
    ...(definition === undefined ? {} : { definition }),
  });
  start.approved =
    typeof answer === "boolean" ? answer : await abortable(Promise.resolve(answer), start.controller.signal);
  if (start.approved) return;
  const declared = source === undefined ? "" : ` It is declared in ${source.path}.`;
  throw new ToolgateError(
    "NOT_TRUSTED",
    `${start.name} needs approval before it is started.${declared} Look at the entry, then run: toolgate mcp trust ${start.name}`,
    { server: start.name },
  );
}

async function enterQueue(start: ServerStart, context: StarterContext): Promise<StartSlot> {
  setPhase(start, "queued", context);
  return context.queue.enter(() => priorityOf(start), start.controller.signal);
}

// Those that somebody waits for go first; as long as the cache has not answered, somebody may.
function priorityOf({ cached }: ServerStart): StartPriority {
  const { spawn, initialize, list } = cached?.durations ?? {};
  const isKnown = spawn !== undefined && initialize !== undefined && list !== undefined;
  return { urgent: cached == null, expectedMs: isKnown ? spawn + initialize + list : undefined };
}

async function connect(
  start: ServerStart,
  config: MCPServerConfig,
  context: StarterContext & { slot: StartSlot | undefined },
): Promise<MCPServerConnection> {
  const { options, registry, clock, slot } = context;
  const source = registry.sources.get(start.name);
  mark(start, "startedAt", clock);
  setPhase(start, "spawning", context);
  if (slot === undefined) onSpawned(start, context);
  const connection = await (options.connect ?? connectToServer)(start.name, config, {
    ...(source === undefined ? {} : { source }),
    cwd: start.entry.projectDirectory ?? context.cwd,
    env: context.env,
    logger: context.logger,
    signal: start.controller.signal,
    capabilities: options.clientCapabilities ?? {},
    ...(options.clientInfo === undefined ? {} : { clientInfo: options.clientInfo }),
    ...(options.roots === undefined ? {} : { roots: options.roots }),
    ...(start.rememberedEra === undefined ? {} : { era: start.rememberedEra }),
    ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    ...bindHostHandlers(options, start.name),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    ...(options.compileCacheDirectory === undefined ? {} : { compileCacheDirectory: options.compileCacheDirectory }),
    ...(options.onMessage === undefined
      ? {}
      : { onMessage: (message: ObservedMessage) => options.onMessage?.(start.name, message) }),
    onSpawn: (pid: number) => {
      onSpawned(start, context);
      // A child whose processor time stands still waits for something and does not boot: the next one may.
      const release = (): void => slot?.release();
      void whenBootIdle(pid, { signal: start.controller.signal }).then(release, release);
    },
  });
  mark(start, "initializedAt", clock);
  context.onStep(start, "initialized");
  return connection;
}

function onSpawned(start: ServerStart, context: StarterContext): void {
  mark(start, "spawnedAt", context.clock);
  context.onStep(start, "spawned");
  setPhase(start, "initializing", context);
}

function setPhase(start: ServerStart, phase: ServerPhase, context: StarterContext): void {
  start.phase = phase;
  if (context.registry.isCurrent(start)) context.onPhase(start);
}
