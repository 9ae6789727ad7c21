export type { AgentTool, ToolCallContext, ToolProgress, ToolResult, ToolResultDetails } from "./agent-tool.ts";
export type { ClientCapabilities } from "./client-capabilities.ts";
export type { ConfigFilter, DiscoveredConfigs, MaybePromise } from "./config-filter.ts";
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from "./content-block.ts";
export type { DiscoveryWarning, DiscoveryWarningKind } from "./discovery-warning.ts";
export { isRecord } from "./is-record.ts";
export type { JsonSchema, ToolParameters } from "./json-schema.ts";
export { silentLogger } from "./logger.ts";
export type { Logger } from "./logger.ts";
export { collectSecrets, createRedactor, isSecretName, maskServerConfig, maskUrl, SECRET_MASK } from "./secrets.ts";
export { transportOf } from "./server-config.ts";
export type {
  AuthConfig,
  BaseServerConfig,
  HttpServerConfig,
  MCPServerConfig,
  OAuthConfig,
  SseServerConfig,
  StdioServerConfig,
  TransportType,
} from "./server-config.ts";
export type { SourceLevel, SourceMeta } from "./source-meta.ts";
export type { CacheContext, CacheEntry, CacheRequest, ProtocolEra, StartDurations, ToolCache } from "./tool-cache.ts";
export type { MCPToolDefinition, ToolAnnotations } from "./tool-definition.ts";
export { messageOf, ToolgateError } from "./toolgate-error.ts";
export type { ErrorCode, ErrorStage, ToolgateErrorOptions } from "./toolgate-error.ts";
export { validateServerConfig } from "./validate-server-config.ts";
