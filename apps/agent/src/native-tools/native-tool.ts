import type { AgentTool, ContentBlock, ToolAnnotations, ToolCallContext, ToolParameters } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";

/** What a native tool gives: a text, or content with whether it stands for a failure. */
export type NativeToolOutcome = string | { content: ContentBlock[]; isError?: boolean };

/** What a native tool is made from. */
export interface NativeToolDefinition {
  name: string;
  label: string;
  description: string;
  parameters: ToolParameters;
  annotations: ToolAnnotations;
  /** Does the work. What it throws is the model's to read; an abort stays one. */
  run: (args: Record<string, unknown>, context: ToolCallContext) => Promise<NativeToolOutcome>;
}

/** Makes a tool that keeps the contract of {@link AgentTool}: failures are results, only an abort rejects. */
export function defineNativeTool({ run, ...description }: NativeToolDefinition): AgentTool {
  return {
    ...description,
    async execute(args, context = {}) {
      const startedAt = performance.now();
      const finish = (content: ContentBlock[], isError: boolean): Awaited<ReturnType<AgentTool["execute"]>> => ({
        content,
        isError,
        details: { tool: description.name, durationMs: performance.now() - startedAt },
      });
      throwIfAborted(context.signal);
      try {
        const outcome = await run(args, context);
        if (typeof outcome === "string") return finish([{ type: "text", text: outcome }], false);
        return finish(outcome.content, outcome.isError === true);
      } catch (error) {
        throwIfAborted(context.signal);
        return finish([{ type: "text", text: messageOf(error) }], true);
      }
    },
  };
}

/** Whatever the reason of the abort was, what a tool rejects with is an `AbortError`. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const reason: unknown = signal.reason;
  throw reason instanceof Error && reason.name === "AbortError"
    ? reason
    : new DOMException("The call was cancelled.", "AbortError");
}
