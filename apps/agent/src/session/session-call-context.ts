import type { AgentTool, MaybePromise, ToolCallContext } from "@toolgate/contracts";

import type { AgentModel } from "./agent-model.ts";

/** Whether a tool may run; a reason is told to the model with the refusal. */
export type ToolDecision = boolean | { allowed: boolean; reason?: string };

/** Decides whether a call may run. The signal is that of the prompt: whoever asks a person stops asking with it. */
export type MayRunTool = (
  tool: AgentTool,
  args: Record<string, unknown>,
  context: { signal: AbortSignal },
) => MaybePromise<ToolDecision>;

/** The prompt that a call belongs to, for tools that go on with its model and its permissions. */
export interface PromptScope {
  readonly model: AgentModel;
  /** The session's active tools, as they are now. */
  activeTools(): AgentTool[];
  readonly mayRun?: MayRunTool;
  /** What stands above the conversation, as it is now. @default nothing */
  readonly system?: () => string;
}

/** What a session tells a tool about one call. */
export interface SessionCallContext extends ToolCallContext {
  /** Absent when a person calls the tool. */
  prompt?: PromptScope;
}
