import type { ContentBlock, ToolResult } from "@toolgate/contracts";
import type { AssistantContent, FilePart, ModelMessage as PromptMessage, TextPart, ToolResultPart } from "ai";

import type { ModelMessage, UserMessage } from "../session/agent-model.ts";
import type { ImageForm } from "./image-form.ts";
import type { WireNames } from "./wire-names.ts";

/** How messages are put for one model. */
export interface PromptForm {
  /** Id of the model, whose own replays are given back to it. */
  modelId: string;
  names: WireNames;
  images: ImageForm;
}

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type ResultOutput = ToolResultPart["output"];
/** An image is passed on; everything else is text. */
type Part = TextPart | FilePart;

/**
 * The conversation in the form of the AI SDK; results of one answer's calls are one message. Where results of tools hold
 * no images, those follow in a message of the user.
 */
export function toPrompt(messages: readonly ModelMessage[], form: PromptForm): PromptMessage[] {
  const prompt: PromptMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") prompt.push({ role: "user", content: toUserContent(message, form.images) });
    else if (message.role === "assistant") {
      const content = toAssistantContent(message, form);
      // An answer of nothing is refused when it is sent back.
      if (content.length > 0) prompt.push({ role: "assistant", content });
    } else if (messages[index - 1]?.role !== "tool") prompt.push(...toResults(resultsFrom(messages, index), form));
  }
  return prompt;
}

function resultsFrom(messages: readonly ModelMessage[], start: number): ToolMessage[] {
  const end = messages.findIndex(({ role }, index) => index > start && role !== "tool");
  return messages.slice(start, end === -1 ? undefined : end).filter((message) => message.role === "tool");
}

function toUserContent({ content, attachments = [] }: UserMessage, images: ImageForm): Part[] {
  return [{ type: "text", text: content }, ...attachments.map((block) => toPart(nameResource(block), images))];
}

/** A text that goes with a prompt is told with its address; the result of a tool speaks for itself. */
function nameResource(block: ContentBlock): ContentBlock {
  if (block.type !== "resource" || block.resource.text === undefined) return block;
  return { type: "text", text: `${block.resource.uri}:\n${block.resource.text}` };
}

function toAssistantContent(
  { content, toolCalls, replay }: Extract<ModelMessage, { role: "assistant" }>,
  { modelId, names }: PromptForm,
): Exclude<AssistantContent, string> {
  if (replay?.model === modelId) return replay.content as Exclude<AssistantContent, string>;
  const calls = toolCalls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: names.toWire(call.name),
    input: call.arguments,
  }));
  return content === "" ? calls : [{ type: "text", text: content }, ...calls];
}

function toResults(results: readonly ToolMessage[], { names, images }: PromptForm): PromptMessage[] {
  const apart: Part[] = [];
  const content = results.map(({ toolCallId, toolName, result }): ToolResultPart => {
    const parts = result.content.map((block) => toPart(block, images));
    const files = images.inResults ? [] : parts.filter((part) => part.type === "file");
    if (files.length > 0) apart.push({ type: "text", text: `Images in the result of ${toolName}:` }, ...files);
    const kept = images.inResults ? parts : parts.map((part) => (part.type === "file" ? describeMoved(part) : part));
    return { type: "tool-result", toolCallId, toolName: names.toWire(toolName), output: toOutput(result, kept) };
  });
  return [{ role: "tool", content }, ...(apart.length === 0 ? [] : [{ role: "user" as const, content: apart }])];
}

function toOutput({ isError, structuredContent }: ToolResult, parts: readonly Part[]): ResultOutput {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (isError) return { type: "error-text", value: text === "" ? "The tool failed." : text };
  if (parts.some((part) => part.type !== "text")) {
    // Anthropic refuses a text of nothing.
    return {
      type: "content",
      value: parts.filter((part) => part.type !== "text" || part.text !== "").map(toResultPart),
    };
  }
  if (text !== "") return { type: "text", value: text };
  return { type: "text", value: structuredContent === undefined ? "(no output)" : JSON.stringify(structuredContent) };
}

function toResultPart(part: Part): Extract<ResultOutput, { type: "content" }>["value"][number] {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "image-data", data: part.data as string, mediaType: part.mediaType };
}

function toPart(block: ContentBlock, images: ImageForm): Part {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return toImage(block, images);
    case "audio":
      return describeMedia(block, "the model takes none here");
    case "resource":
      return toResource(block.resource, images);
    case "resource_link":
      return { type: "text", text: `[resource ${block.name}: ${block.uri}]` };
    default:
      // Servers send what later revisions define.
      return { type: "text", text: "[content of an unknown type]" };
  }
}

function toImage(image: { data: string; mimeType: string }, { types, refusal }: ImageForm): Part {
  const { data, mimeType } = image;
  if (types.includes(mimeType)) return { type: "file", data, mediaType: mimeType };
  return describeMedia({ type: "image", ...image }, refusal);
}

function toResource(
  { uri, text, blob, mimeType = "" }: Extract<ContentBlock, { type: "resource" }>["resource"],
  images: ImageForm,
): Part {
  if (text !== undefined) return { type: "text", text };
  if (blob !== undefined && mimeType.startsWith("image/")) return toImage({ data: blob, mimeType }, images);
  return { type: "text", text: `[resource ${uri}, not text]` };
}

function describeMoved({ mediaType }: FilePart): TextPart {
  return { type: "text", text: `[image ${mediaType}: it follows the results]` };
}

/** What a model reads in place of something that it cannot be given. */
function describeMedia(
  { type, mimeType, data }: { type: "image" | "audio"; mimeType: string; data: string },
  reason: string,
): TextPart {
  const bytes = Buffer.byteLength(data, "base64");
  return { type: "text", text: `[${type} ${mimeType}, ${bytes} bytes: it was not passed on, ${reason}]` };
}
