export { callTool, connectToServer, disconnectServer, listTools } from "@toolgate/mcp-client";
export type { CloseReason, MCPServerConnection } from "@toolgate/mcp-client";
export { systemClock } from "./clock.ts";
export type { Clock } from "./clock.ts";
export { cutText } from "./cut-text.ts";
export { DeferredMCPTool } from "./deferred-mcp-tool.ts";
export type { ReadyServer, WaitForServer } from "./deferred-mcp-tool.ts";
export { CALL_CHANNEL, SERVER_CHANNEL } from "./diagnostics.ts";
export type { CallDiagnostics, ServerDiagnostics } from "./diagnostics.ts";
export { findTool, isServerTool } from "./find-tool.ts";
export type { ServerTool } from "./find-tool.ts";
export type { HostHandlerContext, HostHandlers, HostRequestHandler } from "./host-handlers.ts";
export { MAX_INSTRUCTIONS_CHARACTERS } from "./instructions.ts";
export type { MergedInstructions, ServerInstructions } from "./instructions.ts";
export { loadAllMCPConfigs } from "./load-configs.ts";
export type { ConfigEntry, DisabledServer, LoadConfigsOptions, LoadedConfigs } from "./load-configs.ts";
export { discoverAndLoadMCPTools } from "./loader.ts";
export type { DiscoverAndLoadResult, LoadedCustomTool } from "./loader.ts";
export { MCPManager } from "./manager.ts";
export type { DiscoverResult } from "./manager.ts";
export type { EventTime, MCPManagerEvent, MCPManagerListener, ServerStep, ServerStepEvent } from "./manager-events.ts";
export type {
  ApprovalRequest,
  AuthStorage,
  ConnectServersOptions,
  MCPLoadResult,
  MCPManagerOptions,
} from "./manager-options.ts";
export { MCPTool } from "./mcp-tool.ts";
export type { MCPToolOptions } from "./connection-tool.ts";
export { MAX_MEDIA_BYTES, MAX_TEXT_BYTES } from "./output-limits.ts";
export type { LimitOutput, OutputLimits } from "./output-limits.ts";
export { formatResourceAddress, parseResourceAddress } from "./resource-address.ts";
export type { ServerResourceReference } from "./resource-address.ts";
export { resultsDirectory } from "./results-directory.ts";
export type { ResultsDirectoryOptions } from "./results-directory.ts";
export type {
  ArgumentCompletion,
  ContentOptions,
  PromptRequest,
  ResourceReference,
  ServerItems,
  ServerPrompt,
  ServerResource,
  ServerResourceContents,
  ServerResourceTemplate,
} from "./server-content.ts";
export type { ReconcileResult } from "./reconcile.ts";
export type { ReconnectDescription, ReconnectPolicy, ReconnectState } from "./reconnect-policy.ts";
export type {
  ServerDescription,
  ServerDurations,
  ServerPhase,
  ServerStatus,
  ServerTimeline,
  StartupDescription,
} from "./server-description.ts";
export type { ConnectionStatus } from "./server-registry.ts";
export { STARTUP_TIMEOUT_MS } from "./server-startup.ts";
export { createSubagentTools, createSubagentToolSet } from "./subagent-tools.ts";
export type { SubagentToolSet, SubagentToolsOptions } from "./subagent-tools.ts";
export { createNameMatcher } from "./tool-filter.ts";
export { createMcpToolName, MAX_TOOL_NAME_LENGTH } from "./tool-name.ts";
