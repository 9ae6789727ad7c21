export type {
  AuthorizationOptions,
  AuthorizationUrlContext,
  ClientCredentials,
  CrossAppAccess,
} from "./auth/authorization-options.ts";
export type { CredentialRecord, CredentialStorage, StoredClient, StoredTokens } from "./auth/credential-storage.ts";
export { createFileCredentialStorage } from "./auth/file-credential-storage.ts";
export type { FileCredentialStorageOptions } from "./auth/file-credential-storage.ts";
export { createKeyvCredentialStorage } from "./auth/keyv-credential-storage.ts";
export type { KeyvLike } from "./auth/keyv-credential-storage.ts";
export { connectToServer, disconnectServer } from "./connect-to-server.ts";
export type { Clock } from "./connection/clock.ts";
export type { ConnectOptions, Root } from "./connection/connect-options.ts";
export type {
  CloseReason,
  MCPServerConnection,
  NotificationListener,
  RequestOptions,
  ServerCapabilities,
  ServerInfo,
} from "./connection/connection.ts";
export type {
  ElicitationHandlers,
  ElicitationResult,
  FormElicitation,
  HandlerContext,
  SamplingHandler,
  SamplingRequest,
  SamplingResult,
  ServerRequestHandler,
  UrlElicitation,
} from "./connection/host-handlers.ts";
export type { MessageDirection, ObservedMessage } from "./connection/observe-message.ts";
export { loadClient } from "./load-client.ts";
export { killAllChildren } from "./process/child-registry.ts";
export { spawnOwnedProcess } from "./process/spawn-owned-process.ts";
export type { OwnedProcess, OwnedProcessOptions } from "./process/owned-process.ts";
export { ensureProcessSupervisor } from "./process/supervisor.ts";
export { whenBootIdle } from "./process/when-boot-idle.ts";
export type { BootIdleOptions } from "./process/when-boot-idle.ts";
export { ProxyError } from "./remote/http-errors.ts";
export { isLoopback } from "./remote/is-loopback.ts";
export { proxyFromEnvironment } from "./remote/proxy.ts";
export type { ProxyFetch } from "./remote/proxy.ts";
export { callTool } from "./requests/call-tool.ts";
export type { ToolCallResult } from "./requests/call-tool.ts";
export type { ListOptions } from "./requests/list-entries.ts";
export { listTools } from "./requests/list-tools.ts";
export type { ToolList } from "./requests/list-tools.ts";
export { ping, setLoggingLevel } from "./requests/ping.ts";
export type { LoggingLevel } from "./requests/ping.ts";
export { complete, getPrompt, listPrompts } from "./requests/prompts.ts";
export type { Completion, CompletionRequest, Prompt, PromptResult } from "./requests/prompts.ts";
export type { InvalidTool } from "./requests/read-tool.ts";
export { listResources, listResourceTemplates, readResource } from "./requests/resources.ts";
export type { Resource, ResourceContents, ResourceTemplate } from "./requests/resources.ts";
export { notifyRootsChanged } from "./requests/roots.ts";
export { signIn, signOut } from "./sign-in.ts";
export type { SignedIn, SignedOut, SignInOptions, SignOutOptions } from "./sign-in.ts";
export { buildChildEnvironment } from "./stdio/child-environment.ts";
export type { ChildEnvironmentInput } from "./stdio/child-environment.ts";
export { findCommand, searchedDirectories } from "./stdio/find-command.ts";
export type { FindCommandOptions } from "./stdio/find-command.ts";
