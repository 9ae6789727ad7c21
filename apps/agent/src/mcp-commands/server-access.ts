import { ToolgateError } from "@toolgate/contracts";
import type { LoadConfigsOptions, LoadedConfigs, MCPManager, ServerDescription } from "@toolgate/mcp-manager";

import { suggestNearest } from "./nearest-name.ts";

/** Servers that a command may use. */
export interface OpenServers {
  manager: MCPManager;
  loaded: LoadedConfigs;
}

/** How a command wants its servers. */
interface OpenServersOptions {
  /** Start these only. @default all */
  only?: readonly string[];
  /** Wait for servers whose tools are not known, whatever the startup timeout is. @default false */
  needsTools?: boolean;
}

/** Gives servers to commands. */
export interface ServerAccess {
  /** Reads the configuration; starts nothing. */
  load(): Promise<LoadedConfigs>;
  /** Starts the servers, or gives those of the live session, where nothing is started. */
  open(options?: OpenServersOptions): Promise<OpenServers>;
  /** Ends what was started for commands. Idempotent. */
  close(): Promise<void>;
}

/** Access to the servers of a live session, which belong to it. */
export function createSessionAccess(manager: MCPManager, loadOptions: () => Promise<LoadConfigsOptions>): ServerAccess {
  const load = async (): Promise<LoadedConfigs> => manager.loadConfigs(await loadOptions());
  return {
    load,
    open: async () => ({ manager, loaded: await load() }),
    close: async () => {},
  };
}

/** How {@link createCommandAccess} starts servers. */
export interface CommandAccessOptions {
  createManager(): Promise<MCPManager>;
  loadOptions(): Promise<LoadConfigsOptions>;
  /** Called with the manager before its servers are ended. @default nothing */
  beforeEnd?(manager: MCPManager): Promise<void>;
  /** Milliseconds after which servers that are not ready stay pending. @default waits for all */
  startupTimeoutMs?: number;
}

/** Access to servers that are started for one command. */
export function createCommandAccess(options: CommandAccessOptions): ServerAccess {
  let creating: Promise<MCPManager> | undefined;
  let closed = false;
  const managerOf = (): Promise<MCPManager> => (creating ??= options.createManager());
  const load = async (): Promise<LoadedConfigs> => (await managerOf()).loadConfigs(await options.loadOptions());
  const { startupTimeoutMs } = options;
  return {
    load,
    async open({ only, needsTools = false } = {}) {
      const loaded = await load();
      const manager = await managerOf();
      // Interrupted meanwhile: what is started now would outlive the command.
      if (closed) throw new ToolgateError("CLOSED", "The command was interrupted before its servers were started.");
      const configs =
        only === undefined
          ? loaded.configs
          : Object.fromEntries(Object.entries(loaded.configs).filter(([name]) => only.includes(name)));
      await manager.connectServers(configs, loaded.sources, {
        entries: loaded.entries,
        startupTimeoutMs: startupTimeoutMs ?? Number.POSITIVE_INFINITY,
        uncachedPending: startupTimeoutMs === undefined || needsTools ? "wait" : "defer",
      });
      return { manager, loaded };
    },
    async close() {
      const isFirst = !closed;
      closed = true;
      const manager = await creating;
      if (manager === undefined) return;
      try {
        if (isFirst) await options.beforeEnd?.(manager);
      } finally {
        await manager.disconnectAll();
      }
    },
  };
}

/**
 * Finds what is known about a server that a person named.
 *
 * @throws ToolgateError with the server's own error, or `NOT_CONNECTED` when there is no such server
 */
export function requireServer({ manager, loaded }: OpenServers, name: string): ServerDescription {
  const found = manager.describeServers().find((server) => server.name === name);
  if (found?.error !== undefined) throw found.error;
  if (found !== undefined) return found;
  throw unknownServerError(loaded, name);
}

/** Why there is nothing to be had from a server that was named. */
export function unknownServerError(loaded: LoadedConfigs, name: string): ToolgateError {
  const disabled = loaded.disabled[name];
  if (disabled !== undefined) {
    const message = `${name} is disabled (${disabled.source.path}).`;
    return new ToolgateError("NOT_CONNECTED", message, { server: name });
  }
  const filtered = loaded.filtered[name];
  if (filtered !== undefined) {
    const message = `${name} (${filtered.source.path}) is not started: the native tool exa_search stands in for it.`;
    return new ToolgateError("NOT_CONNECTED", message, { server: name });
  }
  if (loaded.configs[name] !== undefined) {
    const message = `${name} is configured but not part of this session yet; /mcp reload takes it in.`;
    return new ToolgateError("NOT_CONNECTED", message, { server: name });
  }
  const known = Object.keys(loaded.configs).toSorted();
  const nearest = suggestNearest(name, [...known, ...Object.keys(loaded.disabled), ...Object.keys(loaded.filtered)]);
  const message = `There is no server ${name}.${nearest} Configured: ${known.join(", ") || "none"}.`;
  return new ToolgateError("NOT_CONNECTED", message, { server: name });
}
