import { homedir } from "node:os";
import { join } from "node:path";

import type { NativeSettings } from "@toolgate/capability-discovery";
import type { DiscoveryWarning, ToolCache } from "@toolgate/contracts";
import { messageOf, silentLogger } from "@toolgate/contracts";
import type { LoadConfigsOptions, MCPManager, MCPManagerOptions } from "@toolgate/mcp-manager";
import { discoverAndLoadMCPTools } from "@toolgate/mcp-manager";

import { discoveryOptionsOf, joinWarnings, loadSettings, loadSettingsPlugins } from "../settings/load-settings.ts";
import type { LoadedSettings, SettingsPlaces } from "../settings/load-settings.ts";
import type { AgentSession, AgentSessionParts } from "./agent-session.ts";
import { assembleSession } from "./agent-session.ts";
import { WAIT_FOR_SERVERS_MS } from "./await-servers.ts";
import type { CreateAgentSessionOptions } from "./session-options.ts";
import { rootsOf } from "./session-roots.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { createToolRegistry } from "./tool-registry.ts";

/** What `createAgentSession` gives. */
export interface CreateAgentSessionResult {
  session: AgentSession;
  /** The same as `session.mcpManager`; absent with `enableMCP: false`. */
  mcpManager?: MCPManager;
  /** Path `mcp:<server>` for one server's error, `.mcp.json` when discovery as a whole failed. */
  mcpErrors: { path: string; error: string }[];
  /** What could not be used in the configuration, beside everything that could. */
  warnings: DiscoveryWarning[];
}

/**
 * Makes a session: finds and connects the MCP servers, unless `enableMCP` is false, and has their tools ready within the
 * startup gate. No server can make it fail, and no model is needed. End it with `dispose()` or `await using`.
 */
export async function createAgentSession(options: CreateAgentSessionOptions = {}): Promise<CreateAgentSessionResult> {
  const logger = options.logger ?? silentLogger;
  const registry = createToolRegistry();
  for (const tool of options.tools ?? []) registry.register(tool);
  const { model, applyTools, mayRun, waitForServersMs = WAIT_FOR_SERVERS_MS } = options;
  const loadSystemPrompt = createSystemPromptLoader(options, discoveryOptions);
  const parts = { registry, model, logger, applyTools, mayRun, waitForServersMs, loadSystemPrompt };
  if (options.enableMCP === false) {
    await registerNativeTools(registry, options, undefined);
    const session = assembleSession({ ...parts, manager: undefined, ownsManager: false, discoveryOptions });
    return { session, mcpErrors: [], warnings: [] };
  }

  const places = placesOf(options);
  const { settings, plugins, warnings } = await settingsOf(options, places);
  const watching = settings.mcp.reload === "watch" ? await watchFor(places, { discoveryOptions, logger }) : {};
  const loaded = await loadServers(options, { places, settings, plugins });
  const { manager } = loaded;
  await registerNativeTools(registry, options, manager);
  const replaceExaSearch = createExaSearchSlot(registry, options);
  await replaceExaSearch(loaded.exaApiKeys, settings);

  const mcpErrors = [...loaded.errors];
  for (const { path, error } of mcpErrors) logger.error(`${path}: ${error}`);
  const ownsManager = options.mcpManager === undefined;
  const session = assembleSession({
    ...parts,
    manager,
    ownsManager,
    discoveryOptions,
    reloadsByDifference: async () => {
      const { reload = "manual" } = (await settingsOf(options, placesOf(options))).settings.mcp;
      return reload !== "manual";
    },
    ...watching,
    onDiscovered: async ({ exaApiKeys }) => {
      await replaceExaSearch(exaApiKeys, (await settingsOf(options, places)).settings);
    },
  });
  try {
    // Asked for now, not taken from the result: a server may have become ready since.
    await session.refreshMCPTools(manager.getTools());
  } catch (error) {
    logger.error(`The tools of the servers could not be taken over: ${messageOf(error)}`);
    mcpErrors.push({ path: "mcp", error: messageOf(error) });
  }
  return { session, mcpManager: manager, mcpErrors, warnings: joinWarnings(warnings, loaded.warnings) };

  async function discoveryOptions(): Promise<LoadConfigsOptions> {
    const current = await settingsOf(options, placesOf(options));
    return {
      ...discoveryOptionsOf(current.settings, current.plugins),
      ...options.mcp,
      ...(await options.discoveryOptions?.()),
      filterExa: true,
    };
  }
}

/** What is read for the system prompt is read at the first prompt: a session that is never asked reads nothing. */
function createSystemPromptLoader(
  options: CreateAgentSessionOptions,
  discoveryOptions: AgentSessionParts["discoveryOptions"],
): NonNullable<AgentSessionParts["loadSystemPrompt"]> {
  const { systemPrompt, instructionFiles = true, now = Date.now } = options;
  const begunAt = now();
  return async () => {
    const [{ createSystemPrompt, formatDay }, { readInstructionFiles }] = await Promise.all([
      import("./system-prompt.ts"),
      import("./instruction-files.ts"),
    ]);
    const places = placesOf(options);
    const isRead = instructionFiles && systemPrompt !== false;
    const { enableProjectConfig: project = true } = options.enableMCP === false ? {} : await discoveryOptions();
    return createSystemPrompt({
      cwd: places.cwd,
      platform: places.platform,
      date: formatDay(begunAt),
      files: isRead ? await readInstructionFiles(places, { project }) : [],
      ...(systemPrompt === undefined ? {} : { option: systemPrompt }),
    });
  };
}

/** Watches the files from now on; what changes before there is a session is taken over when there is one. */
async function watchFor(
  places: SettingsPlaces,
  { discoveryOptions, logger }: Pick<AgentSessionParts, "discoveryOptions" | "logger">,
): Promise<Pick<AgentSessionParts, "watchConfiguration">> {
  const [{ watchFiles }, { configurationFiles }] = await Promise.all([
    import("./watch-files.ts"),
    import("./configuration-files.ts"),
  ]);
  let attach = (_takeOver: () => Promise<unknown>): void => {};
  const attached = new Promise<() => Promise<unknown>>((resolve) => {
    attach = resolve;
  });
  const onChange = async (): Promise<void> => {
    const takeOver = await attached;
    try {
      await takeOver();
    } catch (error) {
      logger.warn(`The configuration has changed and could not be taken over: ${messageOf(error)}`);
    }
  };
  const listFiles = async (): Promise<string[]> => configurationFiles(places, await discoveryOptions());
  const stop = await watchFiles(listFiles, { logger, onChange });
  return {
    watchConfiguration: (takeOver) => {
      attach(takeOver);
      return stop;
    },
  };
}

/** Adds the native tools, unless the host has tools of these names. */
async function registerNativeTools(
  registry: ToolRegistry,
  options: CreateAgentSessionOptions,
  mcpManager: MCPManager | undefined,
): Promise<void> {
  const { nativeTools = false } = options;
  if (nativeTools === false) return;
  const { createNativeTools } = await import("../native-tools/create-native-tools.ts");
  const tools = createNativeTools({
    ...placesOf(options),
    ...(nativeTools === true ? {} : nativeTools),
    ...(mcpManager === undefined ? {} : { mcpManager }),
  });
  for (const tool of tools) if (registry.get(tool.name) === undefined) registry.register(tool);
}

/** Keeps the native search in step with the keys that discovery finds: none without a key, and switched off stays off. */
function createExaSearchSlot(
  registry: ToolRegistry,
  options: CreateAgentSessionOptions,
): (apiKeys: readonly string[], settings: NativeSettings) => Promise<void> {
  let takeOut: (() => void) | undefined;
  return async (apiKeys, settings) => {
    const active = takeOut === undefined || registry.isActive("exa_search");
    takeOut?.();
    takeOut = undefined;
    // A host's own tool of that name is left alone.
    if (apiKeys.length === 0 || registry.get("exa_search") !== undefined) return;
    const { createExaSearchTool } = await import("../native-tools/exa-search.ts");
    const baseUrl = settings.exa?.baseUrl;
    const tool = createExaSearchTool({
      apiKeys,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    });
    takeOut = registry.register(tool, { active });
  };
}

interface SessionContext extends Pick<LoadedSettings, "settings" | "plugins"> {
  places: SettingsPlaces;
}

interface LoadedServers {
  manager: MCPManager;
  errors: readonly { path: string; error: string }[];
  warnings: readonly DiscoveryWarning[];
  exaApiKeys: readonly string[];
}

async function loadServers(options: CreateAgentSessionOptions, context: SessionContext): Promise<LoadedServers> {
  // A manager that is handed over has been started by its owner.
  if (options.mcpManager !== undefined) {
    return { manager: options.mcpManager, errors: [], warnings: [], exaApiKeys: [] };
  }
  return discoverAndLoadMCPTools(context.places.cwd, await managerOptions(options, context));
}

async function managerOptions(
  options: CreateAgentSessionOptions,
  { places, settings, plugins }: SessionContext,
): Promise<MCPManagerOptions> {
  const { startupTimeoutMs, reconnect, maxConcurrentStarts, outputLimits } = settings.mcp;
  const toolCache = await toolCacheOf(options, places);
  return {
    ...rootsOf(places.cwd),
    ...discoveryOptionsOf(settings, plugins),
    ...(startupTimeoutMs === undefined ? {} : { startupTimeoutMs }),
    ...(reconnect === undefined ? {} : { reconnect }),
    ...(maxConcurrentStarts === undefined ? {} : { maxConcurrentStarts }),
    ...(outputLimits === undefined ? {} : { outputLimits }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    ...options.mcp,
    ...(await options.discoveryOptions?.()),
    ...(toolCache === undefined ? {} : { toolCache }),
    ...(options.authStorage === undefined ? {} : { authStorage: options.authStorage }),
    ...(options.logger === undefined ? {} : { logger: options.logger }),
    env: places.env,
    home: places.home,
    platform: places.platform,
    filterExa: true,
  };
}

async function toolCacheOf(
  { toolCache }: CreateAgentSessionOptions,
  places: SettingsPlaces,
): Promise<ToolCache | undefined> {
  if (toolCache === false) return undefined;
  if (toolCache !== undefined) return toolCache;
  const { createToolCache, toolCacheDirectory } = await import("@toolgate/tool-cache");
  return createToolCache({ directory: toolCacheDirectory(places) });
}

function placesOf(options: CreateAgentSessionOptions): SettingsPlaces {
  return {
    cwd: options.cwd ?? process.cwd(),
    home: options.home ?? homedir(),
    env: options.env ?? process.env,
    platform: options.platform ?? process.platform,
  };
}

async function settingsOf(options: CreateAgentSessionOptions, places: SettingsPlaces): Promise<LoadedSettings> {
  if (options.settings === undefined) return loadSettings(places);
  const settings = { ...options.settings, mcp: options.settings.mcp ?? {} };
  // Settings that come in by code have no file; relative paths start where project files are looked for.
  return { settings, ...(await loadSettingsPlugins(settings, join(places.cwd, "package.json"))) };
}
