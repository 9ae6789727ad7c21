import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";

interface RecordedPart {
  type: "text" | "reasoning" | "tool-call";
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  providerOptions?: SharedV3ProviderMetadata;
}

/**
 * Keeps an answer as its provider wants it back: reasoning with its signature, calls with what belongs to them, in their
 * order. Models that reason refuse to go on after a tool call without it.
 */
export class ReplayRecorder {
  readonly #parts: RecordedPart[] = [];
  readonly #open = new Map<string, RecordedPart>();
  #isSpecific = false;

  /** Takes notice of one part of the stream; parts that do not come back are ignored. */
  record(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        return this.#begin(part.id, part.type === "text-start" ? "text" : "reasoning", part.providerMetadata);
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end": {
        const kind = part.type.startsWith("text") ? "text" : "reasoning";
        const open = this.#open.get(`${kind} ${part.id}`);
        if (open === undefined) return;
        if ("delta" in part) open.text = `${open.text ?? ""}${part.delta}`;
        return this.#describe(open, part.providerMetadata);
      }
      default:
    }
  }

  /** Takes notice of a call, with its arguments as an object. */
  recordCall(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>, input: Record<string, unknown>): void {
    const recorded: RecordedPart = {
      type: "tool-call",
      toolCallId: part.toolCallId,
      toolName: part.toolName,
      input,
    };
    this.#parts.push(recorded);
    this.#describe(recorded, part.providerMetadata);
  }

  /** The answer; undefined when the provider has added nothing to it, so that text and calls say it all. */
  get content(): unknown {
    if (!this.#isSpecific) return undefined;
    return this.#parts.filter((part) => part.type !== "text" || (part.text ?? "") !== "");
  }

  #begin(id: string, type: "text" | "reasoning", metadata: SharedV3ProviderMetadata | undefined): void {
    const recorded: RecordedPart = { type, text: "" };
    this.#parts.push(recorded);
    this.#open.set(`${type} ${id}`, recorded);
    this.#describe(recorded, metadata);
  }

  #describe(recorded: RecordedPart, metadata: SharedV3ProviderMetadata | undefined): void {
    if (metadata === undefined) return;
    this.#isSpecific = true;
    const merged: SharedV3ProviderMetadata = { ...recorded.providerOptions };
    for (const [provider, values] of Object.entries(metadata)) merged[provider] = { ...merged[provider], ...values };
    recorded.providerOptions = merged;
  }
}
