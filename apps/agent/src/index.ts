export type { ApprovalMode } from "./approval/approval-mode.ts";
export type { ApprovalRules } from "./approval/approval-rules.ts";
export { createApproval } from "./approval/create-approval.ts";
export type { Approval, ApprovalOptions, AskPerson } from "./approval/create-approval.ts";
export { createRememberedTools } from "./approval/remembered-tools.ts";
export type { RememberedTools, RememberedToolsOptions } from "./approval/remembered-tools.ts";
export { chooseModel } from "./model/choose-model.ts";
export type { ChosenModel, ModelChoice } from "./model/choose-model.ts";
export { ModelError } from "./model/model-error.ts";
export { createNativeTools } from "./native-tools/create-native-tools.ts";
export type { NativeToolsOptions } from "./native-tools/create-native-tools.ts";
export { createExaSearchTool, EXA_BASE_URL } from "./native-tools/exa-search.ts";
export type { ExaSearchOptions } from "./native-tools/exa-search.ts";
export type { OutsideRequest, PathScopeOptions } from "./native-tools/path-scope.ts";
export type { AgentEvent } from "./session/agent-event.ts";
export type {
  AgentModel,
  ModelEvent,
  ModelFinishReason,
  ModelMessage,
  ModelReplay,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
  UserMessage,
} from "./session/agent-model.ts";
export type { AgentSession, PromptOptions, ReloadResult } from "./session/agent-session.ts";
export { createAgentSession } from "./session/create-agent-session.ts";
export type { CreateAgentSessionResult } from "./session/create-agent-session.ts";
export { discoverMCPServers } from "./session/discover-mcp-servers.ts";
export type { MayRunTool, PromptScope, SessionCallContext, ToolDecision } from "./session/session-call-context.ts";
export type { CreateAgentSessionOptions, SessionManagerOptions } from "./session/session-options.ts";
export type { SystemPromptOption, SystemPromptParts } from "./session/system-prompt.ts";
export { createToolRegistry } from "./session/tool-registry.ts";
export type {
  RegisterToolOptions,
  ReplaceableToolRegistry,
  ToolRegistry,
  ToolRegistrySnapshot,
} from "./session/tool-registry.ts";
export { hashDefinition } from "./trust/definition-hash.ts";
export type { TrustSubject } from "./trust/definition-hash.ts";
export { createProjectApproval } from "./trust/project-approval.ts";
export { createTrustStore } from "./trust/trust-store.ts";
export type { TrustStore, TrustStoreOptions } from "./trust/trust-store.ts";
