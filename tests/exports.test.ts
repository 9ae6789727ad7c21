/* oxlint-disable max-lines -- one list per package, nothing else */
import { expect, test } from "vitest";

import { readSurface } from "./support/exported-names.ts";

// What is imported by others is a promise: a change here is one that they see, and comes with a changeset.

test("contracts exports what it promises", () => {
  const surface = readSurface("packages/contracts");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "SECRET_MASK",
      "ToolgateError",
      "collectSecrets",
      "createRedactor",
      "isRecord",
      "isSecretName",
      "maskServerConfig",
      "maskUrl",
      "messageOf",
      "silentLogger",
      "transportOf",
      "type AgentTool",
      "type AudioContent",
      "type AuthConfig",
      "type BaseServerConfig",
      "type CacheContext",
      "type CacheEntry",
      "type CacheRequest",
      "type ClientCapabilities",
      "type ConfigFilter",
      "type ContentBlock",
      "type DiscoveredConfigs",
      "type DiscoveryWarning",
      "type EmbeddedResource",
      "type ErrorCode",
      "type ErrorStage",
      "type HttpServerConfig",
      "type ImageContent",
      "type JsonSchema",
      "type Logger",
      "type MCPServerConfig",
      "type MCPToolDefinition",
      "type MaybePromise",
      "type OAuthConfig",
      "type ProtocolEra",
      "type ResourceLink",
      "type SourceLevel",
      "type SourceMeta",
      "type SseServerConfig",
      "type StartDurations",
      "type StdioServerConfig",
      "type TextContent",
      "type ToolAnnotations",
      "type ToolCache",
      "type ToolCallContext",
      "type ToolParameters",
      "type ToolProgress",
      "type ToolResult",
      "type ToolResultDetails",
      "type ToolgateErrorOptions",
      "type TransportType",
      "validateServerConfig",
    ]
  `);
});

test("capability-discovery exports what it promises", () => {
  const surface = readSurface("packages/capability-discovery");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./testing": {
        "@toolgate/source": "./src/testing.ts",
        "types": "./dist/testing.d.ts",
        "default": "./dist/testing.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "LEVEL_RANK",
      "MAX_CONFIG_FILE_BYTES",
      "addServer",
      "createCapabilityRegistry",
      "createFileProvider",
      "defineCapability",
      "definePlugin",
      "defineProvider",
      "findNativeUserFile",
      "loadNativeSettings",
      "loadPlugins",
      "mcpCapability",
      "mcpProviders",
      "removeServer",
      "setServerDisabledOverlay",
      "setServerEnabled",
      "type AddServerOptions",
      "type Capability",
      "type CapabilityProvider",
      "type CapabilityRegistry",
      "type CapabilityResult",
      "type ConfigFormat",
      "type ConfigParser",
      "type DiscoveryClock",
      "type DiscoveryWarning",
      "type EditResult",
      "type EnableServerOptions",
      "type EntryField",
      "type EntryHook",
      "type EntryRules",
      "type EntryTools",
      "type ExpansionRules",
      "type FileLocation",
      "type FileLocations",
      "type FileProviderOptions",
      "type FileRules",
      "type FileScope",
      "type FinishTools",
      "type LoadContext",
      "type LoadOptions",
      "type LoadPluginsOptions",
      "type LoadedPlugins",
      "type MCPServerItem",
      "type NativeMCPSettings",
      "type NativeSettings",
      "type NativeSettingsResult",
      "type Places",
      "type PluginModule",
      "type ProviderDescription",
      "type ProviderItem",
      "type ProviderResult",
      "type ProviderSource",
      "type ReferenceForm",
      "type RestrictedSettings",
      "type ServerGroup",
      "type ServerProviderItem",
      "type ServersLocator",
      "type Shadowed",
      "type SourceFile",
      "type SourceOptions",
      "type Sourced",
      "type ToolgatePlugin",
      "type WriteOptions",
      "type WriteRules",
    ]
  `);
  expect(surface.names("testing")).toMatchInlineSnapshot(`
    [
      "describeProvider",
      "type ExpectedServer",
      "type ProviderCase",
      "type TestFunction",
    ]
  `);
});

test("mcp-client exports what it promises", () => {
  const surface = readSurface("packages/mcp-client");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "buildChildEnvironment",
      "callTool",
      "complete",
      "connectToServer",
      "createFileCredentialStorage",
      "createKeyvCredentialStorage",
      "disconnectServer",
      "ensureProcessSupervisor",
      "findCommand",
      "getPrompt",
      "killAllChildren",
      "listPrompts",
      "listResourceTemplates",
      "listResources",
      "listTools",
      "notifyRootsChanged",
      "ping",
      "readResource",
      "setLoggingLevel",
      "signIn",
      "signOut",
      "type AuthorizationOptions",
      "type AuthorizationUrlContext",
      "type BootIdleOptions",
      "type ChildEnvironmentInput",
      "type ClientCredentials",
      "type Clock",
      "type CloseReason",
      "type Completion",
      "type CompletionRequest",
      "type ConnectOptions",
      "type CredentialRecord",
      "type CredentialStorage",
      "type CrossAppAccess",
      "type ElicitationHandlers",
      "type ElicitationResult",
      "type FileCredentialStorageOptions",
      "type FindCommandOptions",
      "type FormElicitation",
      "type HandlerContext",
      "type InvalidTool",
      "type KeyvLike",
      "type ListOptions",
      "type LoggingLevel",
      "type MCPServerConnection",
      "type NotificationListener",
      "type Prompt",
      "type PromptResult",
      "type RequestOptions",
      "type Resource",
      "type ResourceContents",
      "type ResourceTemplate",
      "type Root",
      "type SamplingHandler",
      "type SamplingRequest",
      "type SamplingResult",
      "type ServerCapabilities",
      "type ServerInfo",
      "type ServerRequestHandler",
      "type SignInOptions",
      "type SignOutOptions",
      "type SignedIn",
      "type SignedOut",
      "type StoredClient",
      "type StoredTokens",
      "type ToolCallResult",
      "type ToolList",
      "type UrlElicitation",
      "whenBootIdle",
    ]
  `);
});

test("mcp-manager exports what it promises", () => {
  const surface = readSurface("packages/mcp-manager");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "DeferredMCPTool",
      "MAX_TOOL_NAME_LENGTH",
      "MCPManager",
      "MCPTool",
      "STARTUP_TIMEOUT_MS",
      "callTool",
      "connectToServer",
      "createMcpToolName",
      "createNameMatcher",
      "createSubagentTools",
      "disconnectServer",
      "discoverAndLoadMCPTools",
      "findTool",
      "isServerTool",
      "listTools",
      "loadAllMCPConfigs",
      "systemClock",
      "type ApprovalRequest",
      "type AuthStorage",
      "type Clock",
      "type CloseReason",
      "type ConfigEntry",
      "type ConnectServersOptions",
      "type ConnectionStatus",
      "type DisabledServer",
      "type DiscoverAndLoadResult",
      "type DiscoverResult",
      "type LoadConfigsOptions",
      "type LoadedConfigs",
      "type LoadedCustomTool",
      "type MCPLoadResult",
      "type MCPManagerEvent",
      "type MCPManagerListener",
      "type MCPManagerOptions",
      "type MCPServerConnection",
      "type MCPToolOptions",
      "type ReadyServer",
      "type ServerDescription",
      "type ServerPhase",
      "type ServerStatus",
      "type ServerTimeline",
      "type ServerTool",
      "type SubagentToolsOptions",
      "type WaitForServer",
    ]
  `);
});

test("tool-cache exports what it promises", () => {
  const surface = readSurface("packages/tool-cache");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./testing": {
        "@toolgate/source": "./src/testing.ts",
        "types": "./dist/testing.d.ts",
        "default": "./dist/testing.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "FileStore",
      "MCPToolCache",
      "createToolCache",
      "toolCacheDirectory",
      "type CacheDirectoryOptions",
      "type CreateToolCacheOptions",
      "type FileStoreOptions",
      "type MCPToolCacheOptions",
      "type ToolCacheStore",
    ]
  `);
  expect(surface.names("testing")).toMatchInlineSnapshot(`
    [
      "describeToolCacheStore",
      "type StoreUnderTest",
      "type TestFunction",
    ]
  `);
});

test("exa-filter exports what it promises", () => {
  const surface = readSurface("packages/exa-filter");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "exaFilter",
      "extractExaApiKey",
      "filterExaServers",
      "isExaServer",
      "type ExaFilterResult",
    ]
  `);
});

test("agent exports what it promises", () => {
  const surface = readSurface("apps/agent");
  expect(surface.exports).toMatchInlineSnapshot(`
    "{
      ".": {
        "@toolgate/source": "./src/index.ts",
        "types": "./dist/index.d.ts",
        "default": "./dist/index.js"
      },
      "./package.json": "./package.json"
    }"
  `);
  expect(surface.names()).toMatchInlineSnapshot(`
    [
      "EXA_BASE_URL",
      "createAgentSession",
      "createExaSearchTool",
      "createProjectApproval",
      "createToolRegistry",
      "createTrustStore",
      "discoverMCPServers",
      "hashDefinition",
      "type AgentEvent",
      "type AgentModel",
      "type AgentSession",
      "type CreateAgentSessionOptions",
      "type CreateAgentSessionResult",
      "type ExaSearchOptions",
      "type ModelEvent",
      "type ModelMessage",
      "type ModelRequest",
      "type ModelToolCall",
      "type ModelUsage",
      "type PromptOptions",
      "type RegisterToolOptions",
      "type ReloadResult",
      "type ReplaceableToolRegistry",
      "type SessionManagerOptions",
      "type ToolRegistry",
      "type ToolRegistrySnapshot",
      "type TrustStore",
      "type TrustStoreOptions",
      "type TrustSubject",
    ]
  `);
});
