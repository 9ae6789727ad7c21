import { isRecord } from "@toolgate/contracts";

import type { ModelUsage } from "../session/agent-model.ts";
import type { ProviderId } from "./providers.ts";
import { isProviderId } from "./providers.ts";

/** What a million tokens cost. */
export interface ModelPrices {
  input: number;
  output: number;
  /** @default the price of other input */
  cachedInput?: number;
  /** @default "USD" */
  currency?: string;
}

/** What the settings say of one model. */
export interface ModelTraits {
  /** Whether it takes images. @default yes, and no for Ollama, LM Studio and OpenAI-compatible servers */
  images?: boolean;
  /** The most tokens of an answer where a request names none. @default the provider's package decides */
  maxOutputTokens?: number;
}

/** The setting `model`, which is a text (the model) or an object. */
export interface ModelSettings {
  /** `provider/name`. */
  name?: string;
  /** Addresses of providers in place of their own. */
  baseUrls: Partial<Record<ProviderId, string>>;
  /** By `provider/name`. No prices are built in: they change more often than programs. */
  prices: Readonly<Record<string, ModelPrices>>;
  /** By `provider/name`. */
  models: Readonly<Record<string, ModelTraits>>;
}

/** Understands the setting; what has the wrong form counts as not there. */
export function readModelSettings(setting: unknown): ModelSettings {
  if (typeof setting === "string") return { name: setting, baseUrls: {}, prices: {}, models: {} };
  const { name, baseUrls, prices, models } = isRecord(setting) ? setting : {};
  return {
    ...(typeof name === "string" ? { name } : {}),
    baseUrls: Object.fromEntries(
      entriesOf(baseUrls).filter(
        (entry): entry is [ProviderId, string] => isProviderId(entry[0]) && typeof entry[1] === "string",
      ),
    ),
    prices: Object.fromEntries(entriesOf(prices).filter((entry): entry is [string, ModelPrices] => isPrices(entry[1]))),
    models: Object.fromEntries(entriesOf(models).map(([id, traits]) => [id, readTraits(traits)])),
  };
}

/** What an answer cost; undefined without prices, or without the counts that it takes. */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): ModelUsage["cost"] {
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  if (prices === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  const { input, output, cachedInput = input, currency = "USD" } = prices;
  const perMillion =
    (inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output;
  return { amount: perMillion / 1_000_000, currency };
}

function readTraits(traits: unknown): ModelTraits {
  const { images, maxOutputTokens } = isRecord(traits) ? traits : {};
  return {
    ...(typeof images === "boolean" ? { images } : {}),
    ...(Number.isSafeInteger(maxOutputTokens) && Number(maxOutputTokens) > 0
      ? { maxOutputTokens: Number(maxOutputTokens) }
      : {}),
  };
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function isPrices(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { input, output, cachedInput = 0, currency = "" } = value;
  return [input, output, cachedInput].every((price) => typeof price === "number") && typeof currency === "string";
}
