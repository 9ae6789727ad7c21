import type { DiscoveryWarning, MaybePromise, SourceLevel, SourceMeta } from "@toolgate/contracts";

import type { ReferenceForm } from "./interpolate.ts";

/**
 * A kind of thing that can be found in configuration files, for example MCP servers. It says which two finds are the
 * same one; who finds them is the matter of its providers.
 */
export interface Capability<T> {
  readonly id: string;
  readonly displayName: string;
  /** Identity of an item: of several items with one key, one is used and the others are shadowed. */
  key(item: T): string;
  /** Problems of an item; a non-empty answer turns the item into a warning. */
  validate?(item: T): readonly string[];
  /**
   * Rank of an item whose level alone does not say it; see {@link LEVEL_RANK}. Default: the rank of its level.
   */
  rank?(item: T): number | undefined;
  /**
   * Second identity: items of *different* providers with different keys and the same value are one thing. `undefined`
   * takes no part.
   */
  endpoint?(item: T): string | undefined;
}

/** What a provider may look at. Everything comes from here, nothing from the process. */
export interface LoadContext {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Absolute path of the home directory. */
  readonly home: string;
  readonly env: Record<string, string | undefined>;
  readonly platform: NodeJS.Platform;
  /** Aborted when the caller gives up or the provider's time is over. */
  readonly signal?: AbortSignal;
  /**
   * What providers of one load share, so that a file is read once. The registry fills it in; a context without it works.
   */
  readonly shared?: Map<string, unknown>;
}

/** An item with the place that it came from. */
export type Sourced<T> = T & { _source: SourceMeta };

/** Where an item came from. */
export function sourceOf<S>({ _source: source }: { _source: S }): S {
  return source;
}

/** An item that lost to another one. */
export type Shadowed<T> = Sourced<T> & {
  /** Where the item that is used instead came from. */
  shadowedBy: SourceMeta;
  /** Why, when it is not simply the same name. */
  note?: string;
};

/** What a provider has to say about the origin; id and name of the provider are filled in by the registry. */
export type ProviderSource = Omit<SourceMeta, "provider" | "providerName"> &
  Partial<Pick<SourceMeta, "provider" | "providerName">>;

/** An item as a provider returns it. */
export type ProviderItem<T> = T & { _source: ProviderSource };

/** What a provider found. */
export interface ProviderResult<T> {
  /** In the provider's own order: of two items with one key and level the first wins. */
  items: readonly ProviderItem<T>[];
  warnings?: readonly DiscoveryWarning[];
}

/** A file that a provider looks at. */
export interface SourceFile {
  /** Absolute path; the name of an environment variable that holds a document stands in angle brackets. */
  path: string;
  level: SourceLevel;
  exists: boolean;
}

/**
 * A source of items: a plain object.
 *
 * Contract: `load` only reads; a file that is absent is silence, one that cannot be used is a warning, and neither keeps
 * the others from being read. A provider that throws, or takes longer than its time, becomes a warning.
 */
export interface CapabilityProvider<T> {
  readonly id: string;
  /** The product's own name. */
  readonly displayName: string;
  /** Decides between items of one level; higher wins. */
  readonly priority: number;
  /** How its files refer to what stands elsewhere, for example `${env:NAME}` to a variable. @default none */
  readonly references?: readonly ReferenceForm[];
  load(context: LoadContext): MaybePromise<ProviderResult<T>>;
  /** All files that `load` looks at, also those that do not exist. */
  files?(context: LoadContext): MaybePromise<readonly SourceFile[]>;
}

/** Everything that was found for a capability. */
export interface CapabilityResult<T> {
  /** The item that is used for each key, highest precedence first. Disabled items are among them. */
  items: Sourced<T>[];
  shadowed: Shadowed<T>[];
  warnings: DiscoveryWarning[];
  /** Ids of the providers that were asked. */
  providers: string[];
}

/** Ranks of the levels, far enough apart for {@link Capability.rank} to place an item between them. */
export const LEVEL_RANK: Readonly<Record<SourceLevel, number>> = { runtime: 400, project: 300, user: 200, system: 100 };

/** Declares a capability. The argument is returned as it is; the function is there for its types. */
export function defineCapability<T>(capability: Capability<T>): Capability<T> {
  return capability;
}

/** Declares a provider. The argument is returned as it is; the function is there for its types. */
export function defineProvider<T>(provider: CapabilityProvider<T>): CapabilityProvider<T> {
  return provider;
}
