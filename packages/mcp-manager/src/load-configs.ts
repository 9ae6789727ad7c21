import type { CapabilityProvider, DiscoveryWarning, MCPServerItem, Sourced } from "@toolgate/capability-discovery";
import { createCapabilityRegistry, mcpCapability, mcpProviders } from "@toolgate/capability-discovery";
import type { ConfigFilter, DiscoveredConfigs, MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import { exaFilter } from "@toolgate/exa-filter";

/** Where and what to look for. */
export interface LoadConfigsOptions {
  /** `false` removes entries of project files, before precedence is decided. @default true */
  enableProjectConfig?: boolean;
  /** Takes Exa servers out and returns their keys. @default true */
  filterExa?: boolean;
  /** Run after the Exa filter, in order, also when nothing was found. @default none */
  filters?: readonly ConfigFilter[];
  /** Ids of built-in providers to ask, or providers of your own. @default all built-in ones */
  providers?: readonly (string | CapabilityProvider<MCPServerItem>)[];
  /** Ids of providers that are not asked. @default none */
  disabledProviders?: readonly string[];
  /** Servers that are off whatever their file says. @default none */
  disabledServers?: readonly string[];
  /** Servers that are on although their file says `enabled: false`; `disabledServers` wins. @default none */
  enabledServers?: readonly string[];
  /** Servers passed in code or by a flag; they win over every file. @default none */
  runtimeServers?: Record<string, MCPServerConfig>;
  /** Replaces the process's environment, for variable expansion and paths alike. @default process.env */
  env?: Record<string, string | undefined>;
  /** Replaces the home directory of the user. @default os.homedir() */
  home?: string;
  /** @default process.platform */
  platform?: NodeJS.Platform;
  /** Gives up the whole discovery. */
  signal?: AbortSignal;
}

/** What discovery knows about a server beside its config. */
export interface ConfigEntry {
  /** The entry as it is written in its file. */
  definition?: unknown;
  /** The folder that the entry's project file belongs to; a child without `cwd` starts there. */
  projectDirectory?: string;
  /** Why this server, and no other, cannot be started. */
  problem?: ToolgateError;
  /** What the server needs that Toolgate lacks, for example a transport. */
  unsupported?: string;
}

/** A server that is configured and switched off. */
export interface DisabledServer {
  config: MCPServerConfig;
  source: SourceMeta;
}

/** Everything that was found; nothing is silently dropped. All records are keyed by server name. */
export interface LoadedConfigs {
  /** What will be connected: after the client's own variable expansion, before `!command` and auth. */
  configs: Record<string, MCPServerConfig>;
  sources: Record<string, SourceMeta>;
  disabled: Record<string, DisabledServer>;
  /** What the filters took out. */
  filtered: Record<string, DisabledServer>;
  exaApiKeys: string[];
  shadowed: (Sourced<MCPServerItem> & { shadowedBy: SourceMeta })[];
  warnings: DiscoveryWarning[];
  entries: Record<string, ConfigEntry>;
  /** Ids of the providers that were asked. */
  providers: string[];
}

/**
 * Finds the servers of all known clients, decides which entry wins, and filters.
 *
 * @throws ToolgateError `DISCOVERY_FAILED` when a filter throws: what it should have stopped must not be started.
 */
export async function loadAllMCPConfigs(cwd: string, options: LoadConfigsOptions = {}): Promise<LoadedConfigs> {
  const registry = createCapabilityRegistry();
  for (const provider of mcpProviders) registry.register(mcpCapability, provider);
  const chosen = options.providers ?? mcpProviders;
  const { items, shadowed, warnings, providers } = await registry.load(mcpCapability, {
    ...options,
    cwd,
    providers: options.runtimeServers === undefined ? chosen : [...chosen, runtimeProvider(options.runtimeServers)],
    accept: ({ _source: source }) => options.enableProjectConfig !== false || source.level !== "project",
  });

  const found: LoadedConfigs = {
    configs: createRecord(),
    sources: createRecord(),
    disabled: createRecord(),
    filtered: createRecord(),
    exaApiKeys: [],
    shadowed,
    warnings,
    entries: createRecord(),
    providers,
  };
  for (const item of items) addItem(found, item, options);
  return applyFilters(found, options);
}

function runtimeProvider(servers: Record<string, MCPServerConfig>): CapabilityProvider<MCPServerItem> {
  const source: SourceMeta = { provider: "runtime", providerName: "Runtime", path: "<runtime>", level: "runtime" };
  return {
    id: source.provider,
    displayName: source.providerName,
    priority: 1000,
    load: async () => ({
      items: Object.entries(servers).map(([name, config]) => ({ name, config, definition: config, _source: source })),
      warnings: [],
    }),
  };
}

function addItem(found: LoadedConfigs, item: Sourced<MCPServerItem>, options: LoadConfigsOptions): void {
  const { name, _source: source } = item;
  const problem = item.problem ?? unsupportedProblem(item);
  found.entries[name] = {
    definition: item.definition,
    ...(item.projectDirectory === undefined ? {} : { projectDirectory: item.projectDirectory }),
    ...(problem === undefined ? {} : { problem }),
    ...(item.unsupported === undefined ? {} : { unsupported: item.unsupported }),
  };
  const isOverridden = item.config.enabled === false && options.enabledServers?.includes(name) === true;
  const config = isOverridden ? { ...item.config, enabled: true } : item.config;
  if (config.enabled === false || options.disabledServers?.includes(name) === true) {
    found.disabled[name] = { config, source };
    return;
  }
  found.configs[name] = config;
  found.sources[name] = source;
}

function unsupportedProblem(item: Sourced<MCPServerItem>): ToolgateError | undefined {
  if (item.unsupported === undefined) return undefined;
  const message = `${item.name} (${item._source.path}) cannot be started here: ${item.unsupported}`;
  return new ToolgateError("CONFIG_INVALID", message, { server: item.name });
}

async function applyFilters(found: LoadedConfigs, options: LoadConfigsOptions): Promise<LoadedConfigs> {
  const filters = [...(options.filterExa === false ? [] : [exaFilter]), ...(options.filters ?? [])];
  let current: DiscoveredConfigs = { configs: found.configs, sources: found.sources, exaApiKeys: [] };
  for (const filter of filters) {
    try {
      const next = await filter.apply(current);
      const keys = new Set([...(current.exaApiKeys ?? []), ...(next.exaApiKeys ?? [])]);
      current = { ...next, exaApiKeys: [...keys] };
    } catch (error) {
      throw new ToolgateError(
        "DISCOVERY_FAILED",
        `The config filter "${filter.name}" failed, so no server is started: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }
  for (const [name, config] of Object.entries(found.configs)) {
    const source = found.sources[name];
    if (!Object.hasOwn(current.configs, name) && source !== undefined) found.filtered[name] = { config, source };
  }
  return { ...found, configs: current.configs, sources: current.sources, exaApiKeys: current.exaApiKeys ?? [] };
}

// Without a prototype, a server called "constructor" or "__proto__" is a server like any other.
function createRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
