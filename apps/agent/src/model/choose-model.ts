import { maskUrl } from "@toolgate/contracts";
import { proxyFromEnvironment } from "@toolgate/mcp-client";

import { timeLimit } from "../cancellation/time-limit.ts";
import type { AgentModel } from "../session/agent-model.ts";
import { baseUrlOf } from "./base-url.ts";
import { findLocalModel, LOCAL_SEARCH_MS } from "./find-local-model.ts";
import type { LanguageModelOptions } from "./language-model.ts";
import { limitAnswer } from "./limit-answer.ts";
import { ModelError } from "./model-error.ts";
import type { ModelReference } from "./model-reference.ts";
import { formatModelReference, OFFLINE_NAME, parseModelReference } from "./model-reference.ts";
import type { ModelSettings } from "./model-settings.ts";
import { readModelSettings } from "./model-settings.ts";
import type { Provider } from "./providers.ts";
import { providerIds, providerOf } from "./providers.ts";

/** What a choice goes by. */
export interface ModelChoice extends Pick<LanguageModelOptions, "delay" | "now"> {
  /** `provider/name`, a provider alone, or `offline`, as `--model` and `/model` name it. */
  named?: string;
  /** Who named it, for errors. @default "--model" */
  namedBy?: string;
  /** The setting `model`. */
  setting?: unknown;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Used where no proxy of the environment has to be taken. @default the global fetch */
  fetch?: typeof globalThis.fetch;
}

/** The model that answers, and why this one. */
export interface ChosenModel {
  model: AgentModel;
  /** For people: what named it, or how it was found. */
  reason: string;
  /** Whether it is the one that picks tools by words. */
  isOffline: boolean;
}

/**
 * Chooses what answers prompts: what was named, the setting `model`, `TOOLGATE_MODEL`, the first provider whose key is
 * in the environment, a model on this machine, and else the one that picks tools by words.
 *
 * @throws ModelError when a model is named that there is not, or that has no key or address
 */
export async function chooseModel(choice: ModelChoice): Promise<ChosenModel> {
  const { env } = choice;
  const settings = readModelSettings(choice.setting);
  const names = [
    { text: choice.named, source: choice.namedBy ?? "--model" },
    { text: settings.name, source: "the setting model" },
    { text: env["TOOLGATE_MODEL"], source: "TOOLGATE_MODEL" },
  ];
  for (const { text, source } of names) {
    if (text === undefined || text.trim() === "") continue;
    if (text.trim() === OFFLINE_NAME) return createOffline(source);
    return { model: await createModel(parseModelReference(text, source), choice), reason: source, isOffline: false };
  }
  for (const provider of providerIds.map(providerOf)) {
    const variable = provider.needsKey ? keyVariableOf(provider, env) : undefined;
    if (variable === undefined) continue;
    return {
      model: await createModel({ provider: provider.id, name: "" }, choice),
      reason: variable,
      isOffline: false,
    };
  }
  const local = await findLocal(choice, settings);
  if (local === undefined) return createOffline("there is no key of a provider and no model on this machine");
  return {
    model: await createModel(local, choice),
    reason: `found at ${maskUrl(baseUrlOf(providerOf(local.provider), { settings, env }))}`,
    isOffline: false,
  };
}

async function findLocal(choice: ModelChoice, settings: ModelSettings): Promise<ModelReference | undefined> {
  const { env, signal } = choice;
  signal.throwIfAborted();
  const found = await findLocalModel({
    settings,
    env,
    signal: AbortSignal.any([signal, timeLimit(LOCAL_SEARCH_MS)]),
    fetch: fetchOf(choice),
  });
  signal.throwIfAborted();
  return found;
}

async function createOffline(reason: string): Promise<ChosenModel> {
  const { OfflineModel } = await import("./offline-model.ts");
  return { model: new OfflineModel(), reason, isOffline: true };
}

async function createModel(reference: ModelReference, choice: ModelChoice): Promise<AgentModel> {
  const { env, setting, delay, now } = choice;
  const settings = readModelSettings(setting);
  const fetch = fetchOf(choice);
  const provider = providerOf(reference.provider);
  const name = reference.name || provider.defaultModel;
  if (name === undefined) {
    throw new ModelError(`${provider.displayName} has no default model: name one, as in ${provider.id}/NAME.`);
  }
  const variable = keyVariableOf(provider, env);
  if (variable === undefined && provider.needsKey) {
    throw new ModelError(`${provider.displayName} needs a key: set ${provider.keyVariables.join(" or ")}.`);
  }
  const id = formatModelReference({ provider: provider.id, name });
  const { [id]: prices } = settings.prices;
  const { [id]: traits } = settings.models;
  const { ProviderModel } = await import("./language-model.ts");
  return new ProviderModel({
    id,
    provider,
    access: {
      name,
      apiKey: (variable === undefined ? undefined : env[variable])?.trim() ?? "",
      baseUrl: baseUrlOf(provider, { settings, env }),
      // A redirect elsewhere would carry the key with it.
      fetch: async (input, init) => limitAnswer(await fetch(input, { ...init, redirect: "error" })),
    },
    ...(prices === undefined ? {} : { prices }),
    ...traits,
    ...(delay === undefined ? {} : { delay }),
    ...(now === undefined ? {} : { now }),
  });
}

/** Left open: connections to a proxy that nothing uses hold no process. */
function fetchOf({ fetch = globalThis.fetch, env }: ModelChoice): typeof globalThis.fetch {
  return proxyFromEnvironment(fetch, env).fetch;
}

function keyVariableOf({ keyVariables }: Provider, env: ModelChoice["env"]): string | undefined {
  return keyVariables.find((name) => (env[name] ?? "").trim() !== "");
}
