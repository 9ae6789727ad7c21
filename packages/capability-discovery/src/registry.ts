import { setMaxListeners } from "node:events";
import { homedir } from "node:os";

import { isRecord, messageOf, ToolgateError } from "@toolgate/contracts";
import type { DiscoveryWarning } from "@toolgate/contracts";

import { LEVEL_RANK, sourceOf } from "./capability.ts";
import type {
  Capability,
  CapabilityProvider,
  CapabilityResult,
  LoadContext,
  ProviderItem,
  Sourced,
  SourceFile,
} from "./capability.ts";
import { resolvePrecedence } from "./precedence.ts";
import type { Candidate } from "./precedence.ts";
import { withDeadline } from "./provider-deadline.ts";
import type { DiscoveryClock } from "./provider-deadline.ts";

/** Where to look and whom to ask. */
export interface LoadOptions<T> {
  cwd: string;
  /** @default the home directory of the process's user */
  home?: string;
  /** @default process.env */
  env?: Record<string, string | undefined>;
  /** @default process.platform */
  platform?: NodeJS.Platform;
  signal?: AbortSignal;
  /** Ids of registered providers, or providers themselves, to ask instead of all registered ones. */
  providers?: readonly (string | CapabilityProvider<T>)[];
  /** Ids of providers to leave out. @default none */
  disabledProviders?: readonly string[];
  /** Leaves out items before precedence is decided: what is refused here shadows nothing. */
  accept?(item: Sourced<T>): boolean;
  /** Replaces accepted items before precedence is decided, for example to disable some. */
  transform?(item: Sourced<T>): Sourced<T>;
  /** Milliseconds that one provider may take. @default 2000 */
  providerTimeoutMs?: number;
  /** Where the deadline comes from. @default timers of Node */
  clock?: DiscoveryClock;
}

/** Where {@link CapabilityRegistry.describeSources} looks: a part of {@link LoadOptions}. */
export type SourceOptions<T> = Pick<
  LoadOptions<T>,
  "cwd" | "home" | "env" | "platform" | "signal" | "providers" | "disabledProviders"
>;

/** A provider with the files that it looks at. */
export interface ProviderDescription {
  id: string;
  displayName: string;
  priority: number;
  files: SourceFile[];
}

/** Holds the providers of every capability and asks them. */
export interface CapabilityRegistry {
  /**
   * Adds a provider. Adding the same object twice is one registration.
   *
   * @returns takes the provider out again
   * @throws ToolgateError `CONFIG_INVALID` when another provider has the same id
   */
  register<T>(capability: Capability<T>, provider: CapabilityProvider<T>): () => void;
  /**
   * Asks all providers at once. Never fails because of a provider or a file: those become warnings.
   *
   * @throws the reason of `options.signal`, when that is aborted
   */
  load<T>(capability: Capability<T>, options: LoadOptions<T>): Promise<CapabilityResult<T>>;
  /** Every provider, highest priority first, with the files it looks at; providers without one are listed too. */
  describeSources<T>(capability: Capability<T>, options: SourceOptions<T>): Promise<ProviderDescription[]>;
}

const PROVIDER_TIMEOUT_MS = 2000;

/** Makes an empty registry. Registries share nothing. */
export function createCapabilityRegistry(): CapabilityRegistry {
  const registered = new Map<string, Map<string, CapabilityProvider<unknown>>>();

  function register<T>(capability: Capability<T>, provider: CapabilityProvider<T>): () => void {
    const providers = registered.get(capability.id) ?? new Map<string, CapabilityProvider<unknown>>();
    registered.set(capability.id, providers);
    const present = providers.get(provider.id);
    if (present !== undefined && present !== provider) {
      throw new ToolgateError(
        "CONFIG_INVALID",
        `A provider ${quote(provider.id)} is registered already; unregister it first.`,
      );
    }
    providers.set(provider.id, provider);
    return () => {
      if (providers.get(provider.id) === provider) providers.delete(provider.id);
    };
  }

  function select<T>(capability: Capability<T>, options: SourceOptions<T>): Selection<T> {
    // The map of a capability holds providers of that capability only; `register` saw to it.
    const known = (registered.get(capability.id) ?? new Map()) as Map<string, CapabilityProvider<T>>;
    return selectProviders(known, options);
  }

  async function load<T>(capability: Capability<T>, options: LoadOptions<T>): Promise<CapabilityResult<T>> {
    options.signal?.throwIfAborted();
    const { providers, warnings } = select(capability, options);
    // Every provider listens; the caller's signal gets one listener only, and loses it again.
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const forward = (): void => controller.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", forward, { once: true });
    const context = { ...createContext(options), signal: controller.signal };
    const answers = await Promise.all(
      providers.map((provider) => askProvider(capability, { provider, context, options })),
    ).finally(() => options.signal?.removeEventListener("abort", forward));
    options.signal?.throwIfAborted();
    for (const answer of answers) warnings.push(...answer.warnings);
    const candidates = answers.flatMap((answer) => answer.candidates);
    const { items, shadowed } = resolvePrecedence(capability, candidates);
    return { items, shadowed, warnings, providers: providers.map((provider) => provider.id) };
  }

  async function describeSources<T>(
    capability: Capability<T>,
    options: SourceOptions<T>,
  ): Promise<ProviderDescription[]> {
    const context = createContext(options);
    return Promise.all(
      select(capability, options).providers.map(async (provider) => ({
        id: provider.id,
        displayName: provider.displayName,
        priority: provider.priority,
        files: await listFiles(provider, context),
      })),
    );
  }

  return { register, load, describeSources };
}

interface Selection<T> {
  providers: CapabilityProvider<T>[];
  warnings: DiscoveryWarning[];
}

function selectProviders<T>(
  known: ReadonlyMap<string, CapabilityProvider<T>>,
  options: SourceOptions<T>,
): Selection<T> {
  const warnings: DiscoveryWarning[] = [];
  const chosen = new Map<string, CapabilityProvider<T>>();
  for (const wanted of options.providers ?? known.values()) {
    const provider = typeof wanted === "string" ? known.get(wanted) : wanted;
    if (provider !== undefined) {
      chosen.set(provider.id, provider);
      continue;
    }
    const ids = [...known.keys()].toSorted().join(", ");
    warnings.push({ path: "<providers>", message: `There is no provider ${quote(wanted)}. Known: ${ids || "none"}.` });
  }
  for (const id of options.disabledProviders ?? []) chosen.delete(id);
  const providers = [...chosen.values()].toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  return { providers, warnings };
}

function createContext<T>(options: SourceOptions<T>): LoadContext {
  return {
    cwd: options.cwd,
    home: options.home ?? homedir(),
    env: options.env ?? process.env,
    platform: options.platform ?? process.platform,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    shared: new Map(),
  };
}

async function listFiles<T>(provider: CapabilityProvider<T>, context: LoadContext): Promise<SourceFile[]> {
  try {
    return [...((await provider.files?.(context)) ?? [])];
  } catch {
    // Listing is for people; a provider that cannot say where it looks still says what is wrong when it loads.
    return [];
  }
}

interface Question<T> {
  provider: CapabilityProvider<T>;
  context: LoadContext;
  options: LoadOptions<T>;
}

interface Answer<T> {
  candidates: Candidate<T>[];
  warnings: DiscoveryWarning[];
}

async function askProvider<T>(capability: Capability<T>, question: Question<T>): Promise<Answer<T>> {
  const { provider, context, options } = question;
  const answer: Answer<T> = { candidates: [], warnings: [] };
  const warn = (message: string, path = `<${provider.id}>`): void => {
    answer.warnings.push({ path, message, provider: provider.id });
  };
  let items: readonly ProviderItem<T>[];
  try {
    const result = await withDeadline((signal) => provider.load({ ...context, signal }), {
      milliseconds: options.providerTimeoutMs ?? PROVIDER_TIMEOUT_MS,
      description: `The provider ${provider.displayName}`,
      clock: options.clock,
      signal: context.signal,
    });
    for (const warning of result.warnings ?? []) answer.warnings.push({ ...warning, provider: provider.id });
    items = [...result.items];
  } catch (error) {
    warn(`${provider.displayName} could not be asked: ${messageOf(error)}`);
    return answer;
  }
  for (const raw of items) {
    const problem = sourceProblem(raw);
    if (problem !== undefined) {
      warn(`${provider.displayName} returned an item ${problem}; it is left out.`);
      continue;
    }
    const source = { ...sourceOf(raw), provider: provider.id, providerName: provider.displayName };
    let item: Sourced<T> = { ...raw, _source: source };
    try {
      const problems = capability.validate?.(item) ?? [];
      if (problems.length > 0) {
        warn(`${capability.displayName} ${quote(capability.key(item))}: ${problems.join("; ")}`, source.path);
        continue;
      }
    } catch (error) {
      warn(`${provider.displayName} returned an item that cannot be understood: ${messageOf(error)}`, source.path);
      continue;
    }
    // Errors of the caller's own functions are the caller's: they are not caught here.
    if (options.accept?.(item) === false) continue;
    if (options.transform !== undefined) item = options.transform(item);
    answer.candidates.push({ item, key: capability.key(item), priority: provider.priority });
  }
  return answer;
}

function sourceProblem(item: unknown): string | undefined {
  if (!isRecord(item)) return "that is not an object";
  const source = item["_source"];
  if (!isRecord(source)) return "without _source";
  if (typeof source["path"] !== "string") return "whose _source has no path";
  if (typeof source["level"] !== "string" || !Object.hasOwn(LEVEL_RANK, source["level"])) {
    return "whose _source has no known level";
  }
  return undefined;
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
