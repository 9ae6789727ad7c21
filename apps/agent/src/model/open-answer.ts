import type { LanguageModelV3, LanguageModelV3StreamPart, SharedV3Warning } from "@ai-sdk/provider";
import type * as AISDK from "ai";
import type { ModelMessage, streamText, TextStreamPart, ToolSet } from "ai";

/** The package `ai`, imported, and a model for it. */
export interface LoadedModel {
  ai: typeof AISDK;
  model: LanguageModelV3;
}

/** What of `streamText` one request decides. */
export type ModelCall = Pick<
  Parameters<typeof streamText>[0],
  "system" | "maxOutputTokens" | "temperature" | "stopSequences" | "providerOptions"
> & { messages: ModelMessage[]; tools: ToolSet; abortSignal: AbortSignal };

/** An answer that has begun. */
export interface OpenAnswer {
  parts: AsyncIterable<TextStreamPart<ToolSet>>;
  /** What the provider's package says of the request. */
  warnings: readonly SharedV3Warning[];
  /** The answer as a message, once all parts are read. */
  readMessages(): Promise<readonly ModelMessage[]>;
}

/**
 * Sends one request with `streamText`: one step, and no try after the first.
 *
 * @throws the failure of a request that gave no answer
 */
export async function openAnswer({ ai, model }: LoadedModel, call: ModelCall): Promise<OpenAnswer> {
  const warnings: SharedV3Warning[] = [];
  const result = ai.streamText({
    ...call,
    model: takeWarnings({ ai, model }, warnings),
    stopWhen: ai.stepCountIs(1),
    maxRetries: 0,
    // It is thrown where the parts are read; the default writes it to stderr as well.
    onError: () => {},
    // Nobody reads it, and it may hold many images.
    experimental_include: { requestBody: false },
  });
  const parts = result.fullStream;
  await failOrBegin(parts);
  return { parts, warnings, readMessages: async () => (await result.response).messages };
}

/** Reads the two parts before the answer's own: `start`, and `start-step` or what the request failed with. */
async function failOrBegin(parts: ReadableStream<TextStreamPart<ToolSet>>): Promise<void> {
  const reader = parts.getReader();
  await reader.read();
  const { value: part } = await reader.read();
  reader.releaseLock();
  if (part?.type === "error") throw part.error;
}

/** What is left in the stream is written to the console by `ai`; only a global variable could stop that. */
function takeWarnings({ ai, model }: LoadedModel, taken: SharedV3Warning[]): LanguageModelV3 {
  return ai.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v3",
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        const taking = new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
          transform(part, controller) {
            if (part.type === "stream-start") taken.push(...part.warnings);
            controller.enqueue(part.type === "stream-start" ? { ...part, warnings: [] } : part);
          },
        });
        return { ...rest, stream: stream.pipeThrough(taking) };
      },
    },
  });
}
