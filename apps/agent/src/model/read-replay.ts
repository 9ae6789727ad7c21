import { isRecord } from "@toolgate/contracts";
import type { AssistantContent, ModelMessage } from "ai";

/**
 * An answer as its provider wants it back: reasoning with its signature, calls with what belongs to them, in their order.
 * Models that reason refuse to go on after a tool call without it.
 *
 * @returns undefined when the provider has added nothing to it, so that text and calls say it all
 */
export function readReplay(messages: readonly ModelMessage[]): unknown {
  const content = messages.find((message) => message.role === "assistant")?.content;
  if (!Array.isArray(content) || !content.some(isSpecific)) return undefined;
  // Every provider refuses arguments that are no object, also when they come back.
  return content.map((part) => (part.type === "tool-call" && !isRecord(part.input) ? { ...part, input: {} } : part));
}

function isSpecific(part: Exclude<AssistantContent, string>[number]): boolean {
  return "providerOptions" in part && part.providerOptions !== undefined;
}
