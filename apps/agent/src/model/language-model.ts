import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isRecord } from "@toolgate/contracts";

import type { AgentModel, ModelEvent, ModelRequest, ModelToolCall, ModelUsage } from "../session/agent-model.ts";
import type { FailureContext } from "./explain-failure.ts";
import { explainFailure } from "./explain-failure.ts";
import type { ModelPrices } from "./model-settings.ts";
import { costOf } from "./model-settings.ts";
import { offerTools } from "./offer-tools.ts";
import type { ModelAccess, Provider } from "./providers.ts";
import { ReplayRecorder } from "./replay-recorder.ts";
import type { RetryOptions } from "./retry.ts";
import { withRetries } from "./retry.ts";
import { toPrompt } from "./to-prompt.ts";
import type { WireNames } from "./wire-names.ts";
import { createWireNames } from "./wire-names.ts";

/** What a model behind a provider is made of. */
export interface LanguageModelOptions extends Pick<RetryOptions, "delay" | "now"> {
  /** `provider/name`. */
  id: string;
  provider: Provider;
  access: ModelAccess;
  /** What tokens cost. @default unknown: no cost is told */
  prices?: ModelPrices;
}

/**
 * A model behind a provider's package. The package speaks the provider's protocol and does nothing else: one request is
 * one call of its `doStream`, tries again are ours, and so is the loop around it.
 */
export class ProviderModel implements AgentModel {
  readonly id: string;
  readonly #options: LanguageModelOptions;
  #model: Promise<LanguageModelV3> | undefined;
  /** Tools that people have been told about. */
  readonly #leftOut = new Set<string>();

  constructor(options: LanguageModelOptions) {
    this.id = options.id;
    this.#options = options;
  }

  async *respond(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    try {
      yield* this.#respond(request);
    } catch (error) {
      request.signal.throwIfAborted();
      throw explainFailure(error, this.#failureContext());
    }
  }

  async *#respond({ messages, tools, signal }: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const { provider, access, delay, now } = this.#options;
    const names = createWireNames(tools.map((tool) => tool.name));
    const offered = offerTools(tools, provider, names);
    for (const message of offered.leftOut) {
      if (this.#leftOut.has(message)) continue;
      this.#leftOut.add(message);
      yield { type: "warning", message };
    }
    this.#model ??= provider.load(access);
    const model = await this.#model;
    const call = {
      prompt: toPrompt(messages, { modelId: this.id, names, images: provider.images }),
      ...(offered.tools.length === 0 ? {} : { tools: offered.tools, toolChoice: { type: "auto" as const } }),
      abortSignal: signal,
      // Nothing of a conversation is left behind at OpenAI: reasoning comes encrypted and goes back with the next request.
      ...(provider.id === "openai" ? { providerOptions: { openai: { store: false } } } : {}),
    };
    const { stream } = yield* withRetries(() => model.doStream(call), {
      signal,
      describe: (error, delayMs) =>
        `${explainFailure(error, this.#failureContext()).message} Trying again in ${Math.ceil(delayMs / 1000)} s.`,
      ...(delay === undefined ? {} : { delay }),
      ...(now === undefined ? {} : { now }),
    });
    yield* this.#readStream(stream, names);
  }

  async *#readStream(
    stream: ReadableStream<LanguageModelV3StreamPart>,
    names: WireNames,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const recorder = new ReplayRecorder();
    let isFinished = false;
    for await (const part of stream) {
      recorder.record(part);
      if (part.type === "text-delta") yield { type: "text", text: part.delta };
      else if (part.type === "reasoning-delta") {
        // A signature comes as a piece without text.
        if (part.delta !== "") yield { type: "reasoning", text: part.delta };
      } else if (part.type === "error") throw part.error;
      else if (part.type === "tool-call" && part.providerExecuted !== true) {
        const call = toCall(part, names);
        recorder.recordCall(part, call.arguments);
        yield { type: "tool-call", call };
      } else if (part.type === "finish") {
        isFinished = true;
        yield* this.#finish(part);
      }
    }
    if (!isFinished) throw new Error("the stream ended early");
    if (recorder.content !== undefined) {
      yield { type: "replay", replay: { model: this.id, content: recorder.content } };
    }
  }

  *#finish({
    finishReason,
    usage,
  }: Extract<LanguageModelV3StreamPart, { type: "finish" }>): Generator<ModelEvent, void, undefined> {
    const { displayName } = this.#options.provider;
    // What a package says of a stream that has stopped without saying why.
    if (finishReason.unified === "other" && finishReason.raw === undefined) throw new Error("the stream ended early");
    if (finishReason.unified === "error") throw new Error(`it gave ${finishReason.raw ?? "an error"} as the reason`);
    yield { type: "usage", usage: this.#usageOf(usage) };
    if (finishReason.unified === "length") {
      yield { type: "warning", message: `${displayName} cut the answer off: it has as many tokens as one may have.` };
    }
    if (finishReason.unified === "content-filter") {
      yield {
        type: "warning",
        message: `${displayName} held the answer back (${finishReason.raw ?? "content filter"}).`,
      };
    }
  }

  #usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
    const usage: ModelUsage = {
      ...(inputTokens.total === undefined ? {} : { inputTokens: inputTokens.total }),
      ...(inputTokens.cacheRead === undefined ? {} : { cachedInputTokens: inputTokens.cacheRead }),
      ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
    };
    const cost = costOf(usage, this.#options.prices);
    return cost === undefined ? usage : { ...usage, cost };
  }

  #failureContext(): FailureContext {
    const { provider, access } = this.#options;
    return { provider, name: access.name, baseUrl: access.baseUrl, apiKey: access.apiKey };
  }
}

function toCall(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>, names: WireNames): ModelToolCall {
  const call = { id: part.toolCallId, name: names.fromWire(part.toolName) };
  let input: unknown;
  try {
    input = part.input.trim() === "" ? {} : JSON.parse(part.input);
  } catch {
    return { ...call, arguments: {}, problem: `The arguments of ${call.name} were not JSON; call it again.` };
  }
  if (isRecord(input)) return { ...call, arguments: input };
  return { ...call, arguments: {}, problem: `The arguments of ${call.name} must be a JSON object; call it again.` };
}
