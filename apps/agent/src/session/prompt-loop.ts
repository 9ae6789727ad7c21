import { setMaxListeners } from "node:events";
import { isDeepStrictEqual } from "node:util";

import type { AgentTool, ToolResult } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import { isServerTool } from "@toolgate/mcp-manager";

import type { AgentEvent } from "./agent-event.ts";
import type { AgentModel, ModelMessage, ModelReplay, ModelToolCall } from "./agent-model.ts";
import { EventQueue } from "./event-queue.ts";
import type { MayRunTool, SessionCallContext } from "./session-call-context.ts";

/** How many answers of the model one prompt may take. */
export const MAX_STEPS = 50;
/** Tool calls of one answer that run; a model that makes more has lost its way. */
const MAX_CALLS = 100;

/** What the loop around a model works with. */
export interface PromptLoopOptions {
  model: AgentModel;
  /** The conversation so far; the loop appends to it, always whole steps. */
  messages: ModelMessage[];
  /** What stands above the conversation, asked anew for each step. @default nothing */
  system?: () => string;
  /** Asked anew for each step: a tool that arrives meanwhile can be called in the next one. */
  activeTools(): AgentTool[];
  findTool: (name: string) => AgentTool | undefined;
  /** Whether a tool may run now; a refusal is the call's result. @default every tool may */
  mayRun?: MayRunTool;
  maxSteps: number;
  signal: AbortSignal;
}

/**
 * Runs a model until it answers without calling a tool: the tool calls of one answer run at once, and their results go
 * into the next request.
 *
 * An abort rejects with the signal's reason. A step that did not end leaves nothing in the conversation.
 */
export async function* runPromptLoop(options: PromptLoopOptions): AsyncGenerator<AgentEvent, void, undefined> {
  const { model, messages, maxSteps, signal } = options;
  // An answer may have many calls, and each of them listens.
  setMaxListeners(0, signal);
  for (let step = 1; step <= maxSteps; step += 1) {
    signal.throwIfAborted();
    const answer: { text: string; calls: ModelToolCall[]; replay?: ModelReplay } = { text: "", calls: [] };
    const tools = options.activeTools();
    const system = options.system?.() ?? "";
    const request = { messages: [...messages], tools, signal, ...(system === "" ? {} : { system }) };
    try {
      for await (const event of model.respond(request)) {
        signal.throwIfAborted();
        if (event.type === "tool-call") answer.calls.push(event.call);
        else if (event.type === "replay") answer.replay = event.replay;
        else if (event.type !== "finish") {
          if (event.type === "text") answer.text += event.text;
          yield event;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      const code = ToolgateError.isInstance(error) ? { code: error.code } : {};
      yield { type: "error", message: `${model.id} failed: ${messageOf(error)}`, ...code };
      return;
    }
    signal.throwIfAborted();
    const distinct = withDistinctIds(answer.calls);
    // What the provider wants back has the ids that the model gave.
    if (distinct !== answer.calls) delete answer.replay;
    answer.calls = distinct;
    const results = yield* runTools(answer.calls, new Set(tools.map((tool) => tool.name)), options);
    const replay = answer.replay === undefined ? {} : { replay: answer.replay };
    messages.push({ role: "assistant", content: answer.text, toolCalls: answer.calls, ...replay }, ...results);
    if (answer.calls.length === 0) {
      yield { type: "done", reason: "answered", steps: step };
      return;
    }
  }
  yield { type: "done", reason: "limit", steps: maxSteps };
}

/** Results go by the ids of their calls: a call whose id another one has gets one of its own. */
function withDistinctIds(calls: ModelToolCall[]): ModelToolCall[] {
  const given = new Set(calls.map(({ id }) => id));
  if (given.size === calls.length) return calls;
  const used = new Set<string>();
  return calls.map((call, index) => {
    let { id } = call;
    if (used.has(id)) {
      id = `${id}-${index + 1}`;
      while (given.has(id)) id += "-";
      given.add(id);
    }
    used.add(id);
    return { ...call, id };
  });
}

async function* runTools(
  calls: readonly ModelToolCall[],
  offered: ReadonlySet<string>,
  options: PromptLoopOptions,
): AsyncGenerator<AgentEvent, ModelMessage[], undefined> {
  if (calls.length === 0) return [];
  const queue = new EventQueue<AgentEvent>();
  const running = calls.map(async (call, index): Promise<ModelMessage> => {
    queue.push({ type: "tool-call", call });
    const result =
      index < MAX_CALLS
        ? await runTool(call, offered, { options, queue })
        : refuse(call.name, `It was not run: an answer may have ${MAX_CALLS} calls, and this has ${calls.length}.`);
    queue.push({ type: "tool-result", toolCallId: call.id, toolName: call.name, result });
    return { role: "tool", toolCallId: call.id, toolName: call.name, result };
  });
  // All are awaited also when one is aborted: nothing of a prompt may run on after it.
  const settled = Promise.allSettled(running).finally(() => queue.end());
  yield* queue;
  const messages: ModelMessage[] = [];
  for (const outcome of await settled) {
    if (outcome.status === "rejected") throw outcome.reason;
    messages.push(outcome.value);
  }
  return messages;
}

async function runTool(
  call: ModelToolCall,
  offered: ReadonlySet<string>,
  context: { options: PromptLoopOptions; queue: EventQueue<AgentEvent> },
): Promise<ToolResult> {
  const { model, signal, mayRun, system, findTool } = context.options;
  const tool = findTool(call.name);
  if (tool === undefined || !offered.has(tool.name)) {
    return refuse(call.name, `There is no tool ${call.name}. There are: ${[...offered].join(", ") || "none"}.`);
  }
  if (call.problem !== undefined) return refuse(tool.name, call.problem);
  try {
    const decision = (await mayRun?.(tool, call.arguments, { signal })) ?? true;
    const { allowed, reason = "it is not allowed here." } =
      typeof decision === "boolean" ? { allowed: decision } : decision;
    if (!allowed) return refuse(tool.name, `${tool.name} was not run: ${reason}`);
    if (!isStill(tool, findTool(call.name))) {
      return refuse(tool.name, `${tool.name} was not run: it has changed while it was asked about. Call it again.`);
    }
    const callContext: SessionCallContext = {
      toolCallId: call.id,
      signal,
      onProgress: (progress) => context.queue.push({ type: "tool-progress", toolCallId: call.id, progress }),
      prompt: {
        model,
        activeTools: () => context.options.activeTools(),
        ...(mayRun === undefined ? {} : { mayRun }),
        ...(system === undefined ? {} : { system }),
      },
    };
    return await tool.execute(call.arguments, callContext);
  } catch (error) {
    signal.throwIfAborted();
    return refuse(tool.name, `${tool.name} failed: ${messageOf(error)}`);
  }
}

/** Whether a name stands for the tool that was asked about; one that is gone by now answers for itself. */
function isStill(tool: AgentTool, current: AgentTool | undefined): boolean {
  return current === undefined || current === tool || isDeepStrictEqual(definitionOf(tool), definitionOf(current));
}

/** What a person or a rule decides by. */
function definitionOf(tool: AgentTool): unknown {
  const { name, description, parameters, annotations } = tool;
  return { name, description, parameters, annotations, ...(isServerTool(tool) ? { server: tool.server } : {}) };
}

function refuse(tool: string, text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true, details: { tool, durationMs: 0 } };
}
