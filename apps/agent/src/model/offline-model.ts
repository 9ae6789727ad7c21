import type { AgentTool, ContentBlock } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import type { AgentModel, ModelEvent, ModelMessage, ModelRequest } from "../session/agent-model.ts";
import { renderContent, renderToolResult } from "../terminal/render-content.ts";
import type { FilledArguments } from "./fill-arguments.ts";
import { fillArguments } from "./fill-arguments.ts";
import { findAbsentName, findNamedTool, findToolByWords } from "./pick-tool.ts";
import { readPromptWords } from "./prompt-words.ts";

/** A question that the next prompt may answer. */
interface OpenQuestion {
  tool: string;
  values: Record<string, unknown>;
}

/**
 * Stands in where there is no model: it takes the tool whose words are the prompt's, and arguments that stand there as
 * they are. It understands nothing, and says so in its name; the same prompt gives the same call.
 */
export class OfflineModel implements AgentModel {
  readonly id: string = "offline (no model: picks tools by words)";
  /** What it answers are results of tools, as they are. */
  readonly textFormat = "plain";

  async *respond({ messages, tools }: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const results = resultsAtEnd(messages);
    if (results.length > 0) {
      yield { type: "text", text: results.map(({ result }) => renderToolResult(result) || "(no output)").join("\n") };
      return;
    }
    const prompt = promptOf(messages);
    const question = this.#questionOf(messages, tools);
    const words = readPromptWords(prompt);
    const named = findNamedTool(prompt, tools);
    if (question !== undefined && named === undefined) {
      const { tool, values } = question;
      yield* this.#act(tool, fillArguments(tool.parameters, { words, known: values, remainder: prompt }), messages);
      return;
    }
    const attached = attachmentsOf(messages);
    if (named === undefined && attached.length > 0) {
      yield { type: "text", text: renderContent(attached) };
      return;
    }
    const absent = named === undefined ? findAbsentName(prompt, tools) : undefined;
    if (absent !== undefined) {
      // Not for the words in it to pick another server's tool.
      yield { type: "text", text: `There is no tool ${absent}; /tools lists those that there are.` };
      return;
    }
    const picked = named ?? (await findToolByWords(words, tools));
    if (picked === undefined) {
      yield { type: "text", text: describeNothing(tools.length) };
      return;
    }
    const { tool, remainder } = picked;
    const given = { words, ...(remainder === undefined ? {} : { remainder }) };
    yield* this.#act(tool, fillArguments(tool.parameters, given), messages);
  }

  *#act(
    tool: AgentTool,
    { values, missing, problem }: FilledArguments,
    messages: readonly ModelMessage[],
  ): Generator<ModelEvent, void, undefined> {
    if (problem === undefined && missing.length === 0) {
      // Unique within the conversation, and the same for the same conversation.
      yield { type: "tool-call", call: { id: `offline-${messages.length}`, name: tool.name, arguments: values } };
      return;
    }
    yield { type: "text", text: problem === undefined ? describeMissing(tool, missing) : `${tool.name}: ${problem}` };
    yield { type: "replay", replay: { model: this.id, content: { tool: tool.name, values } satisfies OpenQuestion } };
  }

  #questionOf(
    messages: readonly ModelMessage[],
    tools: readonly AgentTool[],
  ): { tool: AgentTool; values: Record<string, unknown> } | undefined {
    const answer = messages.at(-2);
    if (answer?.role !== "assistant" || answer.replay?.model !== this.id || !isRecord(answer.replay.content)) {
      return undefined;
    }
    const { tool: name, values } = answer.replay.content as Partial<OpenQuestion>;
    const tool = tools.find((each) => each.name === name);
    return tool === undefined || values === undefined ? undefined : { tool, values };
  }
}

function resultsAtEnd(messages: readonly ModelMessage[]): Extract<ModelMessage, { role: "tool" }>[] {
  const first = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  return messages.slice(first).filter((message) => message.role === "tool");
}

function promptOf(messages: readonly ModelMessage[]): string {
  const last = messages.at(-1);
  return last?.role === "user" ? last.content : "";
}

function attachmentsOf(messages: readonly ModelMessage[]): readonly ContentBlock[] {
  const last = messages.at(-1);
  return last?.role === "user" ? (last.attachments ?? []) : [];
}

function describeMissing(tool: AgentTool, missing: readonly string[]): string {
  const properties = isRecord(tool.parameters.properties) ? tool.parameters.properties : {};
  const lines = missing.map((name) => {
    const { [name]: schema } = properties;
    const { type, description } = isRecord(schema) ? schema : {};
    const kind = typeof type === "string" ? ` (${type})` : "";
    return `  ${name}${kind}${typeof description === "string" ? `: ${description}` : ""}`;
  });
  return `${tool.name} needs more. Say what it is, or write key=value:\n${lines.join("\n")}`;
}

function describeNothing(count: number): string {
  if (count === 0) return "There are no tools here, and no model that could answer without one.";
  return (
    "None of the tools has words of this prompt, and no model is here that could answer without one. " +
    "Name a tool outright, with key=value for its parameters; /tools lists them."
  );
}
