/** How a remote server is signed in to with a fixed credential. */
export interface AuthConfig {
  type: "bearer";
  /** The token itself. A secret: it never reaches logs, errors, caches or listings. */
  token: string;
}

/** OAuth client settings of a remote server, as its configuration file gives them. */
export interface OAuthConfig {
  clientId?: string;
  /** A secret: it never reaches logs, errors, caches or listings. */
  clientSecret?: string;
  scope?: string;
  /** Fixed port of the loopback redirect. Default: a free port. */
  callbackPort?: number;
}

/** What every kind of server entry may carry. */
export interface BaseServerConfig {
  /** `false` keeps the entry listed and never starts it. @default true */
  enabled?: boolean;
  /**
   * Milliseconds for connecting and for each request; a request's clock is reset by progress. `0` means no limit.
   * @default unset: 30000 to connect, 60000 without progress for a request, 600000 for a request in all
   */
  timeout?: number;
  /** Milliseconds for connecting only; wins over `timeout` there. */
  startupTimeout?: number;
  /** Names or globs of the tools to keep. @default all */
  includeTools?: string[];
  /** Names or globs of the tools to leave out; wins over `includeTools`. @default none */
  excludeTools?: string[];
  auth?: AuthConfig;
  oauth?: OAuthConfig;
  /** Which protocol era to speak. @default "auto" */
  protocol?: "auto" | "legacy" | "modern";
}

/** A server that is started as a child process and spoken to over its standard input and output. */
export interface StdioServerConfig extends BaseServerConfig {
  type?: "stdio";
  command: string;
  args?: string[];
  /** Added to the allow-listed part of the host's environment. Values are secrets. */
  env?: Record<string, string>;
  /** Working directory of the child. @default the project's folder, else the session's working directory */
  cwd?: string;
}

/** A server reached over Streamable HTTP. */
export interface HttpServerConfig extends BaseServerConfig {
  type: "http";
  url: string;
  /** Sent with every request. Values are secrets. */
  headers?: Record<string, string>;
}

/** A server reached over HTTP with server-sent events, the transport of revision 2024-11-05. */
export interface SseServerConfig extends BaseServerConfig {
  type: "sse";
  url: string;
  /** Sent with every request. Values are secrets. */
  headers?: Record<string, string>;
}

/** One server, in the form that every client's configuration is converted to. */
export type MCPServerConfig = StdioServerConfig | HttpServerConfig | SseServerConfig;

/** The transport that an entry asks for. */
export type TransportType = "stdio" | "http" | "sse";

/** Names the transport of an entry; `type` may be absent for stdio only. */
export function transportOf(config: MCPServerConfig): TransportType {
  return config.type ?? "stdio";
}
