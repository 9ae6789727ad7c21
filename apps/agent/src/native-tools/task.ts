import type { AgentTool } from "@toolgate/contracts";
import type { MCPManager } from "@toolgate/mcp-manager";
import { createSubagentTools, isServerTool } from "@toolgate/mcp-manager";

import type { ModelMessage } from "../session/agent-model.ts";
import { runPromptLoop } from "../session/prompt-loop.ts";
import type { PromptScope, SessionCallContext } from "../session/session-call-context.ts";
import { SUBAGENT_NOTE } from "../session/system-prompt.ts";
import { matchesTool } from "../session/tool-patterns.ts";
import type { NativeToolOutcome } from "./native-tool.ts";
import { defineNativeTool } from "./native-tool.ts";
import { readInteger, readText, readTexts } from "./read-arguments.ts";

const NAME = "task";
const DEFAULT_STEPS = 25;
const MAX_STEPS = 50;

/** What {@link createTaskTool} works with. */
export interface TaskToolOptions {
  /** The session's servers, whose connections a subagent shares. @default none */
  mcpManager?: MCPManager;
}

/**
 * `task`: a subagent with a conversation of its own, the session's model, and the tools that are active in the session,
 * or some of them. It never connects or closes a server, is asked about as the session is, and has no `task` itself.
 */
export function createTaskTool({ mcpManager }: TaskToolOptions = {}): AgentTool {
  return defineNativeTool({
    name: NAME,
    label: "Task",
    description:
      "Gives a task to a subagent that starts without this conversation and answers with its result. It has the same tools, or those that tools names, but cannot start further subagents.",
    parameters: {
      type: "object",
      properties: {
        prompt: { type: "string", minLength: 1, description: "Everything that the subagent has to know." },
        tools: {
          type: "array",
          items: { type: "string" },
          description: "Names of the tools that it gets, * stands for any characters. All without it.",
        },
        max_steps: { type: "integer", minimum: 1, maximum: MAX_STEPS, default: DEFAULT_STEPS },
      },
      required: ["prompt"],
    },
    // What the subagent does is asked about call by call.
    annotations: { title: "Task", readOnlyHint: true, openWorldHint: true },
    async run(args, context: SessionCallContext) {
      const { prompt: scope, signal = new AbortController().signal } = context;
      if (scope === undefined) throw new Error("A task needs a model: it runs only within a prompt of a session.");
      const maxSteps = readInteger(args, "max_steps", { minimum: 1, maximum: MAX_STEPS, fallback: DEFAULT_STEPS });
      const messages: ModelMessage[] = [{ role: "user", content: readText(args, "prompt") }];
      const activeTools = chooseTools(scope, readTexts(args, "tools"), mcpManager);
      const events = runPromptLoop({
        model: scope.model,
        messages,
        system: () => systemOf(scope),
        activeTools,
        findTool: (name) => activeTools().find((tool) => tool.name === name),
        ...(scope.mayRun === undefined ? {} : { mayRun: scope.mayRun }),
        maxSteps,
        signal,
      });
      let calls = 0;
      for await (const event of events) {
        if (event.type === "error") throw new Error(event.message);
        if (event.type === "tool-call")
          context.onProgress?.({ progress: (calls += 1), message: `${NAME}: ${event.call.name}` });
        if (event.type === "done") return answerOf(messages, event.reason === "limit" ? maxSteps : undefined);
      }
      throw new Error("The subagent ended without an answer.");
    },
  });
}

// The session's text comes first and whole: what a provider has cached of it is good for the subagent as well.
function systemOf(scope: PromptScope): string {
  const system = scope.system?.() ?? "";
  return system === "" ? SUBAGENT_NOTE : `${system}\n\n${SUBAGENT_NOTE}`;
}

/** Asked anew for each step, so that a server that became ready is seen. */
function chooseTools(
  scope: PromptScope,
  allow: readonly string[] | undefined,
  mcpManager: MCPManager | undefined,
): () => AgentTool[] {
  return () => {
    const allowed = scope
      .activeTools()
      .filter((tool) => tool.name !== NAME && (allow === undefined || allow.some((item) => matchesTool(tool, item))));
    const native = allowed.filter((tool) => !isServerTool(tool));
    const names = allowed.filter(isServerTool).map(({ name }) => name);
    return [...native, ...(mcpManager === undefined ? [] : createSubagentTools(mcpManager, { allow: names }))];
  };
}

function answerOf(messages: readonly ModelMessage[], limit: number | undefined): NativeToolOutcome {
  const last = messages.findLast((message) => message.role === "assistant");
  const text = last?.content === undefined || last.content === "" ? "(no answer)" : last.content;
  if (limit === undefined) return text;
  return {
    content: [{ type: "text", text: `${text}\n(The subagent was stopped after ${limit} steps.)` }],
    isError: true,
  };
}
