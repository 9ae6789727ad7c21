import type { LanguageModelV3, SharedV3ProviderOptions } from "@ai-sdk/provider";

import type { SchemaDialect } from "./translate-schema.ts";

/** Ids of the providers, as people write them. */
export const providerIds = ["anthropic", "openai", "google", "ollama", "lmstudio", "openai-compatible"] as const;

/** One of {@link providerIds}. */
export type ProviderId = (typeof providerIds)[number];

/** Where a model is reached, and with what. */
export interface ModelAccess {
  /** The provider's own name of the model. */
  name: string;
  apiKey: string;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
}

/** What a provider takes and where it is. */
export interface Provider {
  id: ProviderId;
  displayName: string;
  /** Variables that may hold the key, in order. */
  keyVariables: readonly string[];
  needsKey: boolean;
  /** Variables that may hold another address. */
  baseUrlVariables: readonly string[];
  /** Absent where only the user knows it. */
  baseUrl?: string;
  /** What the path of an address ends with, added where it is missing: other tools leave it out of the same variable. */
  basePath?: string;
  /** What answers when nothing but the provider is known; absent where it depends on what is installed. */
  defaultModel?: string;
  /** Most tools of one request; absent where none is known. */
  maxTools?: number;
  dialect: SchemaDialect;
  images: {
    /** Media types that it takes. */
    types: readonly string[];
    /** Whether the results of tools may hold them. */
    inResults: boolean;
    /** Whether its models take images unless the settings say otherwise. */
    isUsual: boolean;
  };
  /** What goes with each request. @default nothing */
  requestOptions?: SharedV3ProviderOptions;
  /** Marks where a part of a request ends that its cache keeps. @default it caches by itself */
  cacheMark?: SharedV3ProviderOptions;
  /** Imports what speaks with it, on first use. */
  load(access: ModelAccess): Promise<LanguageModelV3>;
}

const COMMON_IMAGES = ["image/png", "image/jpeg", "image/webp"];

const providers: Record<ProviderId, Provider> = {
  anthropic: {
    id: "anthropic",
    displayName: "Anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    baseUrl: "https://api.anthropic.com/v1",
    basePath: "/v1",
    defaultModel: "claude-sonnet-5-5",
    dialect: "anthropic",
    images: { types: [...COMMON_IMAGES, "image/gif"], inResults: true, isUsual: true },
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
    async load({ name, baseUrl, ...access }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...access, baseURL: baseUrl })(name);
    },
  },
  openai: {
    id: "openai",
    displayName: "OpenAI",
    keyVariables: ["OPENAI_API_KEY"],
    needsKey: true,
    baseUrlVariables: ["OPENAI_BASE_URL"],
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-6.1-sol",
    maxTools: 128,
    dialect: "openai",
    images: { types: [...COMMON_IMAGES, "image/gif"], inResults: true, isUsual: true },
    // Nothing of a conversation is left behind there: reasoning comes encrypted and goes back with the next request.
    requestOptions: { openai: { store: false } },
    async load({ name, baseUrl, ...access }) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...access, baseURL: baseUrl })(name);
    },
  },
  google: {
    id: "google",
    displayName: "Google",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    needsKey: true,
    baseUrlVariables: ["GOOGLE_GEMINI_BASE_URL"],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    basePath: "/v1beta",
    defaultModel: "gemini-4-argon",
    dialect: "google",
    images: { types: COMMON_IMAGES, inResults: true, isUsual: true },
    async load({ name, baseUrl, ...access }) {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ ...access, baseURL: baseUrl })(name);
    },
  },
  ollama: createCompatible({
    id: "ollama",
    displayName: "Ollama",
    keyVariables: [],
    baseUrlVariables: ["OLLAMA_HOST"],
    baseUrl: "http://127.0.0.1:11434/v1",
    basePath: "/v1",
  }),
  lmstudio: createCompatible({
    id: "lmstudio",
    displayName: "LM Studio",
    keyVariables: [],
    baseUrlVariables: ["LMSTUDIO_BASE_URL"],
    baseUrl: "http://127.0.0.1:1234/v1",
    basePath: "/v1",
  }),
  "openai-compatible": createCompatible({
    id: "openai-compatible",
    displayName: "The OpenAI-compatible server",
    keyVariables: ["OPENAI_COMPATIBLE_API_KEY"],
    baseUrlVariables: ["OPENAI_COMPATIBLE_BASE_URL"],
  }),
};

/** What is known of a provider. */
export function providerOf(id: ProviderId): Provider {
  return providers[id];
}

/** Whether a text is the id of a provider. */
export function isProviderId(text: string): text is ProviderId {
  return (providerIds as readonly string[]).includes(text);
}

// The chat completions of such servers have no place for an image in a tool's result, and many of their models have no
// eyes: such a model refuses a whole request for one image.
function createCompatible(known: Omit<Provider, "needsKey" | "dialect" | "images" | "load">): Provider {
  return {
    ...known,
    needsKey: false,
    dialect: "openai",
    images: { types: COMMON_IMAGES, inResults: false, isUsual: false },
    async load({ name, baseUrl, apiKey, ...access }) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...access,
        ...(apiKey === "" ? {} : { apiKey }),
        name: known.id,
        baseURL: baseUrl,
        includeUsage: true,
      })(name);
    },
  };
}
