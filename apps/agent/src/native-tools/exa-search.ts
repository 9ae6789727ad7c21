import type { AgentTool, ToolCallContext, ToolResult } from "@toolgate/contracts";
import { createRedactor, isRecord, messageOf } from "@toolgate/contracts";

import { timeLimit } from "../cancellation/time-limit.ts";

/** Where Exa's API is. */
export const EXA_BASE_URL = "https://api.exa.ai";

const TIMEOUT_MS = 30_000;
const MAX_RESULTS = 25;
const MAX_ERROR_CHARACTERS = 500;

/** Options of {@link createExaSearchTool}. */
export interface ExaSearchOptions {
  /** Keys of Exa servers that discovery took out; a key that is refused makes way for the next one. */
  apiKeys: readonly string[];
  /** @default "https://api.exa.ai" */
  baseUrl?: string;
  /** @default the global fetch */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds since some fixed moment. @default performance.now */
  now?: () => number;
}

/** The web search that stands in for configured Exa servers: no server is started for it. */
export function createExaSearchTool(options: ExaSearchOptions): AgentTool {
  const redact = createRedactor(options.apiKeys);
  const now = options.now ?? (() => performance.now());
  return {
    name: "exa_search",
    label: "Exa search",
    description: "Searches the web with Exa and gives titles, addresses and excerpts of the pages found.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", description: "What to look for, in natural language." },
        numResults: { type: "integer", minimum: 1, maximum: MAX_RESULTS, default: 8 },
      },
      required: ["query"],
    },
    annotations: { title: "Exa search", readOnlyHint: true, openWorldHint: true },
    async execute(args, context = {}) {
      const startedAt = now();
      const finish = (text: string, isError: boolean): ToolResult => ({
        content: [{ type: "text", text: redact(text) }],
        isError,
        details: { tool: "exa_search", durationMs: now() - startedAt },
      });
      const query = args["query"];
      if (typeof query !== "string" || query.trim() === "") return finish("exa_search needs a query.", true);
      try {
        const answer = await search({ query, numResults: countOf(args["numResults"]) }, options, context);
        return finish(answer.text, answer.isError);
      } catch (error) {
        if (context.signal?.aborted === true) throw abortError(context.signal);
        return finish(`Exa could not be asked at ${baseUrlOf(options)}: ${describeFailure(error)}`, true);
      }
    },
  };
}

async function search(
  request: { query: string; numResults: number },
  options: ExaSearchOptions,
  context: ToolCallContext,
): Promise<{ text: string; isError: boolean }> {
  const fetch = options.fetch ?? globalThis.fetch;
  const timeout = timeLimit(context.timeout ?? TIMEOUT_MS);
  const signal = context.signal === undefined ? timeout : AbortSignal.any([timeout, context.signal]);
  let refusal = "No Exa key is configured.";
  for (const key of options.apiKeys) {
    const response = await fetch(`${baseUrlOf(options)}/search`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ ...request, contents: { text: { maxCharacters: 1000 } } }),
      signal,
      // A redirect elsewhere would carry the key with it.
      redirect: "error",
    });
    const body = await response.text();
    if (response.ok) return { text: formatResults(parse(body)), isError: false };
    refusal = `Exa answered with HTTP status ${response.status}: ${body.slice(0, MAX_ERROR_CHARACTERS)}`;
    if (response.status !== 401 && response.status !== 403) break;
  }
  return { text: refusal, isError: true };
}

function formatResults(value: unknown): string {
  const results = isRecord(value) && Array.isArray(value["results"]) ? value["results"].filter(isRecord) : [];
  if (results.length === 0) return "Nothing was found.";
  return results
    .map((result) =>
      ["title", "url", "publishedDate", "text"]
        .map((field) => result[field])
        .filter((item): item is string => typeof item === "string" && item !== "")
        .join("\n"),
    )
    .join("\n\n");
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error("the answer is not JSON");
  }
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(MAX_RESULTS, Math.max(1, Math.round(value)))
    : 8;
}

function baseUrlOf({ baseUrl = EXA_BASE_URL }: ExaSearchOptions): string {
  return baseUrl.replace(/\/+$/, "");
}

// fetch hides the reason in the cause.
function describeFailure(error: unknown): string {
  if (isRecord(error) && error["name"] === "TimeoutError") return "no answer in time";
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)} (${messageOf(cause)})`;
}

function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  return new DOMException("The search was cancelled.", "AbortError");
}
