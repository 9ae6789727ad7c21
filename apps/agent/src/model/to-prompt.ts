import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import type { ContentBlock, ToolResult } from "@toolgate/contracts";

import type { ModelMessage, UserMessage } from "../session/agent-model.ts";
import type { WireNames } from "./wire-names.ts";

/** How messages are put for one model. */
export interface PromptForm {
  /** Id of the model, whose own replays are given back to it. */
  modelId: string;
  names: WireNames;
  /** Media types of images that its tool results take. */
  images: readonly string[];
}

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];
type UserContent = Extract<LanguageModelV3Message, { role: "user" }>["content"];
type ResultPart = Extract<LanguageModelV3ToolResultPart["output"], { type: "content" }>["value"][number];

/** The conversation in the form of the providers' packages; results of one answer's calls are one message. */
export function toPrompt(messages: readonly ModelMessage[], form: PromptForm): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  for (const message of messages) {
    if (message.role === "user") {
      prompt.push({ role: "user", content: toUserContent(message, form) });
      continue;
    }
    if (message.role === "assistant") {
      const content = toAssistantContent(message, form);
      // An answer of nothing is refused when it is sent back.
      if (content.length > 0) prompt.push({ role: "assistant", content });
      continue;
    }
    const part = toResultPart(message, form);
    const last = prompt.at(-1);
    if (last?.role === "tool") last.content.push(part);
    else prompt.push({ role: "tool", content: [part] });
  }
  return prompt;
}

function toUserContent({ content, attachments = [] }: UserMessage, { images }: PromptForm): UserContent {
  const parts = attachments.map((block) => toPart(block, images));
  const files = parts.map((part) =>
    part.type === "image-data" ? { type: "file" as const, data: part.data, mediaType: part.mediaType } : part,
  );
  return [{ type: "text" as const, text: content }, ...files].filter(
    (part) => part.type === "text" || part.type === "file",
  );
}

function toAssistantContent(
  { content, toolCalls, replay }: Extract<ModelMessage, { role: "assistant" }>,
  { modelId, names }: PromptForm,
): AssistantContent {
  if (replay?.model === modelId) return replay.content as AssistantContent;
  const calls = toolCalls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: names.toWire(call.name),
    input: call.arguments,
  }));
  return content === "" ? calls : [{ type: "text", text: content }, ...calls];
}

function toResultPart(
  { toolCallId, toolName, result }: Extract<ModelMessage, { role: "tool" }>,
  { names, images }: PromptForm,
): LanguageModelV3ToolResultPart {
  return { type: "tool-result", toolCallId, toolName: names.toWire(toolName), output: toOutput(result, images) };
}

function toOutput(result: ToolResult, images: readonly string[]): LanguageModelV3ToolResultPart["output"] {
  const parts = result.content.map((block) => toPart(block, images));
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (result.isError) return { type: "error-text", value: text === "" ? "The tool failed." : text };
  if (parts.some((part) => part.type !== "text")) return { type: "content", value: parts };
  if (text !== "") return { type: "text", value: text };
  const { structuredContent } = result;
  return { type: "text", value: structuredContent === undefined ? "(no output)" : JSON.stringify(structuredContent) };
}

function toPart(block: ContentBlock, images: readonly string[]): ResultPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return images.includes(block.mimeType)
        ? { type: "image-data", data: block.data, mediaType: block.mimeType }
        : { type: "text", text: describeMedia(block) };
    case "audio":
      return { type: "text", text: describeMedia(block) };
    case "resource":
      return { type: "text", text: block.resource.text ?? `[resource ${block.resource.uri}, not text]` };
    case "resource_link":
      return { type: "text", text: `[resource ${block.name}: ${block.uri}]` };
    default:
      // Servers send what later revisions define.
      return { type: "text", text: "[content of an unknown type]" };
  }
}

/** What a model reads in place of something that it cannot be given. */
function describeMedia({ type, mimeType, data }: Extract<ContentBlock, { type: "image" | "audio" }>): string {
  return `[${type} ${mimeType}, ${Buffer.byteLength(data, "base64")} bytes: it was not passed on, this model takes none here]`;
}
