import { once } from "node:events";
import { connect } from "node:net";

import { isRecord } from "@toolgate/contracts";
import { isLoopback } from "@toolgate/mcp-client";

import { baseUrlOf } from "./base-url.ts";
import type { ModelReference } from "./model-reference.ts";
import type { ModelSettings } from "./model-settings.ts";
import { providerOf } from "./providers.ts";

/** What is looked for, and how long. */
export interface LocalSearch {
  settings: ModelSettings;
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  /** Ends the search; nothing is found then. */
  signal: AbortSignal;
}

/** How long a search for local models may take. Where nothing listens, the answer is there at once. */
export const LOCAL_SEARCH_MS = 750;

/** Models whose abilities are asked for one by one. */
const MAX_ASKED = 8;

type Ask = (url: string, body?: object) => Promise<Record<string, unknown>>;

/**
 * Looks for a model of Ollama, then of LM Studio, on this machine: the first that claims to call tools, or simply the
 * first where they do not say. Never rejects.
 */
export async function findLocalModel(search: LocalSearch): Promise<ModelReference | undefined> {
  const found = await Promise.all([findAt("ollama", search, findInOllama), findAt("lmstudio", search, findInLMStudio)]);
  return found.find((reference) => reference !== undefined);
}

async function findAt(
  provider: "ollama" | "lmstudio",
  { fetch, signal, ...places }: LocalSearch,
  find: (root: string, ask: Ask) => Promise<string | undefined>,
): Promise<ModelReference | undefined> {
  const ask: Ask = async (url, body) => {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(url, { ...post, signal, redirect: "error" });
    const answer: unknown = response.ok ? await response.json() : {};
    return isRecord(answer) ? answer : {};
  };
  try {
    const root = baseUrlOf(providerOf(provider), places).replace(/\/v1$/, "");
    if (!(await mayAnswer(new URL(root), signal))) return undefined;
    const name = await find(root, ask);
    return name === undefined ? undefined : { provider, name };
  } catch {
    // Nothing listens there, or something else does.
    return undefined;
  }
}

/** `fetch` takes far longer to load than it takes to find out that nothing listens on this machine. */
async function mayAnswer({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<boolean> {
  if (!isLoopback(hostname)) return true;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80), signal });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function findInOllama(root: string, ask: Ask): Promise<string | undefined> {
  const { models } = await ask(`${root}/api/tags`);
  const names = namesOf(models, "name").slice(0, MAX_ASKED);
  const abilities = await Promise.all(
    names.map(async (model) => (await ask(`${root}/api/show`, { model }))["capabilities"]),
  );
  return chooseByAbility(names, abilities, "tools");
}

async function findInLMStudio(root: string, ask: Ask): Promise<string | undefined> {
  const { data } = await ask(`${root}/api/v0/models`);
  const models = (Array.isArray(data) ? data : [])
    .filter(isRecord)
    .filter(({ type }) => type === "llm" || type === "vlm");
  if (models.length === 0) return namesOf((await ask(`${root}/v1/models`))["data"], "id")[0];
  return chooseByAbility(
    namesOf(models, "id"),
    models.map(({ capabilities }) => capabilities),
    "tool_use",
  );
}

function chooseByAbility(names: readonly string[], abilities: readonly unknown[], ability: string): string | undefined {
  const claims = names.find(
    (_name, index) => (abilities[index] as unknown[] | undefined)?.includes?.(ability) === true,
  );
  // One that says what it can do, and does not say this, would refuse every request that has tools.
  return claims ?? names.find((_name, index) => !Array.isArray(abilities[index]));
}

function namesOf(models: unknown, key: string): string[] {
  const records = (Array.isArray(models) ? models : []).filter(isRecord);
  return records.map((model) => model[key]).filter((name): name is string => typeof name === "string");
}
