import type { ToolParameters } from "@toolgate/contracts";
import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from "ai";

import type { AgentModel, ModelEvent, ModelRequest, ModelUsage } from "../session/agent-model.ts";
import type { FailureContext } from "./explain-failure.ts";
import { explainFailure } from "./explain-failure.ts";
import { imageFormOf } from "./image-form.ts";
import type { ModelPrices, ModelTraits } from "./model-settings.ts";
import { costOf } from "./model-settings.ts";
import type { OfferedTools } from "./offer-tools.ts";
import { offerTools } from "./offer-tools.ts";
import type { LoadedModel, ModelCall, OpenAnswer } from "./open-answer.ts";
import { openAnswer } from "./open-answer.ts";
import type { ModelAccess, Provider } from "./providers.ts";
import { readReplay } from "./read-replay.ts";
import { readToolCall } from "./read-tool-call.ts";
import type { RetryOptions } from "./retry.ts";
import { withRetries } from "./retry.ts";
import { toPrompt } from "./to-prompt.ts";
import type { WireNames } from "./wire-names.ts";
import { createWireNames } from "./wire-names.ts";

/** What a model behind a provider is made of. */
export interface LanguageModelOptions extends Pick<RetryOptions, "delay" | "now">, ModelTraits {
  /** `provider/name`. */
  id: string;
  provider: Provider;
  access: ModelAccess;
  /** What tokens cost. @default unknown: no cost is told */
  prices?: ModelPrices;
}

/**
 * A model behind a provider's package, called with `streamText` of the AI SDK: one request is one call of one step. What
 * is tried again, and the loop around it, is ours.
 */
export class ProviderModel implements AgentModel {
  readonly id: string;
  readonly #options: LanguageModelOptions;
  #loaded: Promise<LoadedModel> | undefined;
  readonly #sentSchemas = new Map<string, ToolParameters>();
  /** Warnings that people have been told. */
  readonly #told = new Set<string>();

  constructor(options: LanguageModelOptions) {
    this.id = options.id;
    this.#options = options;
  }

  async *respond(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const { signal } = request;
    signal.throwIfAborted();
    // Whoever stops reading early ends the request as well.
    const answering = new AbortController();
    const end = (): void => answering.abort(signal.reason);
    signal.addEventListener("abort", end);
    try {
      yield* this.#respond({ ...request, signal: answering.signal });
    } catch (error) {
      signal.throwIfAborted();
      throw explainFailure(error, this.#failureContext());
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  }

  async *#respond(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const { tools, signal } = request;
    const { provider, delay, now } = this.#options;
    const names = createWireNames(tools.map((tool) => tool.name));
    const offered = offerTools(tools, provider, { names, sent: this.#sentSchemas });
    yield* this.#warnOnce(offered.leftOut);
    const loaded = await this.#load();
    const call = this.#createCall(request, { offered, names, loaded });
    const answer = yield* withRetries(() => openAnswer(loaded, call), {
      signal,
      describe: (error, delayMs) =>
        `${explainFailure(error, this.#failureContext()).message.replace(/\.?$/, ".")} Trying again in ${Math.ceil(delayMs / 1000)} s.`,
      ...(delay === undefined ? {} : { delay }),
      ...(now === undefined ? {} : { now }),
    });
    yield* this.#warnOnce(answer.warnings.flatMap((warning) => describeWarning(warning, provider)));
    yield* this.#readAnswer(answer, { names, signal });
  }

  #load(): Promise<LoadedModel> {
    const { provider, access } = this.#options;
    this.#loaded ??= Promise.all([import("ai"), provider.load(access)]).then(([ai, model]) => ({ ai, model }));
    return this.#loaded;
  }

  #createCall(
    {
      messages,
      signal,
      system,
      maxOutputTokens = this.#options.maxOutputTokens,
      temperature,
      stopSequences,
    }: ModelRequest,
    { offered, names, loaded: { ai } }: { offered: OfferedTools; names: WireNames; loaded: LoadedModel },
  ): ModelCall {
    const { provider, images } = this.#options;
    const { requestOptions, cacheMark } = provider;
    const marked = cacheMark === undefined ? {} : { providerOptions: cacheMark };
    const prompt = toPrompt(messages, {
      modelId: this.id,
      names,
      images: imageFormOf({ id: this.id, provider, ...(images === undefined ? {} : { setting: images }) }),
    });
    const last = prompt.at(-1);
    if (last !== undefined) Object.assign(last, marked);
    return {
      messages: prompt,
      tools: Object.fromEntries(
        offered.tools.map(({ name, inputSchema, type: _type, ...tool }) => [
          name,
          ai.tool({ ...tool, inputSchema: ai.jsonSchema(inputSchema) }),
        ]),
      ),
      abortSignal: signal,
      ...(system === undefined || system === "" ? {} : { system: { role: "system", content: system, ...marked } }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
      ...(requestOptions === undefined ? {} : { providerOptions: requestOptions }),
    };
  }

  async *#readAnswer(
    answer: OpenAnswer,
    { names, signal }: { names: WireNames; signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    for await (const part of answer.parts) {
      if (part.type === "text-delta") yield { type: "text", text: part.text };
      else if (part.type === "reasoning-delta") {
        // A signature comes as a piece without text.
        if (part.text !== "") yield { type: "reasoning", text: part.text };
      } else if (part.type === "error") throw part.error;
      else if (part.type === "tool-call" && part.providerExecuted !== true) {
        yield { type: "tool-call", call: readToolCall(part, names) };
      } else if (part.type === "finish-step") yield* this.#finish(part);
    }
    signal.throwIfAborted();
    const content = readReplay(await answer.readMessages());
    if (content !== undefined) yield { type: "replay", replay: { model: this.id, content } };
  }

  *#finish({
    finishReason,
    rawFinishReason,
    usage,
  }: Extract<TextStreamPart<ToolSet>, { type: "finish-step" }>): Generator<ModelEvent, void, undefined> {
    const { displayName } = this.#options.provider;
    // What is given of a stream that has stopped without saying why.
    if (finishReason === "other" && rawFinishReason === undefined) throw new Error("the stream ended early");
    if (finishReason === "error") throw new Error(`it gave ${rawFinishReason ?? "an error"} as the reason`);
    yield { type: "usage", usage: this.#usageOf(usage) };
    if (finishReason === "length") {
      const message =
        `${displayName} cut the answer off: it has as many tokens as one may have. ` +
        "`maxOutputTokens` in the model's setting says how many that are.";
      yield { type: "warning", message };
    }
    if (finishReason === "content-filter") {
      yield {
        type: "warning",
        message: `${displayName} held the answer back (${rawFinishReason ?? "content filter"}).`,
      };
    }
    yield { type: "finish", reason: finishReason satisfies Exclude<FinishReason, "error"> };
  }

  #usageOf({ inputTokens, inputTokenDetails, outputTokens }: LanguageModelUsage): ModelUsage {
    const { cacheReadTokens } = inputTokenDetails;
    const usage: ModelUsage = {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(cacheReadTokens === undefined ? {} : { cachedInputTokens: cacheReadTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
    const cost = costOf(usage, this.#options.prices);
    return cost === undefined ? usage : { ...usage, cost };
  }

  *#warnOnce(messages: readonly string[]): Generator<ModelEvent, void, undefined> {
    for (const message of messages) {
      if (this.#told.has(message)) continue;
      this.#told.add(message);
      yield { type: "warning", message };
    }
  }

  #failureContext(): FailureContext {
    const { provider, access } = this.#options;
    return { provider, name: access.name, baseUrl: access.baseUrl, apiKey: access.apiKey };
  }
}

/** What was asked for and not passed on; what a package says beyond that is for programmers. */
function describeWarning(warning: OpenAnswer["warnings"][number], { displayName }: Provider): string[] {
  if (warning.type !== "unsupported") return [];
  const details = warning.details === undefined ? "" : ` (${warning.details})`;
  return [`${displayName} was not given ${warning.feature}${details}.`];
}
