import type { ConfigFilter, MaybePromise } from "@toolgate/contracts";

import type { CapabilityProvider } from "./capability.ts";
import type { MCPServerItem } from "./server-item.ts";

/** What a plugin adds to a host. A plain object. */
export interface ToolgatePlugin {
  /** For messages, normally the name of its package. */
  readonly name: string;
  /** Further sources of servers. */
  readonly providers?: readonly CapabilityProvider<MCPServerItem>[];
  /** Filters that run after the built-in ones. */
  readonly filters?: readonly ConfigFilter[];
}

/**
 * The default export of a plugin's module: the plugin, or a function that makes it from the options that stand beside
 * its name in the configuration (`["name", { … }]`); without options it gets `{}`.
 */
export type PluginModule = ToolgatePlugin | ((options: Record<string, unknown>) => MaybePromise<ToolgatePlugin>);

/** Declares a plugin. The argument is returned as it is; the function is there for its types. */
export function definePlugin<P extends PluginModule>(plugin: P): P {
  return plugin;
}
