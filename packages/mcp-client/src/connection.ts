import type { MCPServerConfig, ProtocolEra, ToolgateError, TransportType } from "@toolgate/contracts";

/** What a server says about itself. */
export interface ServerInfo {
  name: string;
  version: string;
  title?: string;
}

/** What a server says it can do; unknown capabilities are kept. */
export interface ServerCapabilities {
  tools?: Record<string, unknown>;
  resources?: Record<string, unknown>;
  prompts?: Record<string, unknown>;
  logging?: Record<string, unknown>;
  completions?: Record<string, unknown>;
  [capability: string]: unknown;
}

/** Why a connection ended. */
export interface CloseReason {
  /** `closed` on purpose, `exited` when the process ended by itself, `failed` when the transport broke. */
  kind: "closed" | "exited" | "failed";
  /** One sentence for people, with the exit code and the end of stderr where there is one. No secrets. */
  message: string;
  /** Set for `exited` and `failed`. */
  error?: ToolgateError;
  exitCode?: number | null;
  signal?: NodeJS.Signals | null;
}

/** How one request is made. */
export interface RequestOptions {
  /** Cancels this request; the server is told with a neutral reason. */
  signal?: AbortSignal;
  /** Milliseconds without an answer or progress; `0` for no limit. @default the entry's `timeout`, else 60000 */
  timeout?: number;
  /** Called for each progress notification of this request; it resets the clock. */
  onProgress?(progress: { progress: number; total?: number; message?: string }): void;
}

/** Receives the parameters of one notification. Must not throw. */
export type NotificationListener = (params: Record<string, unknown>) => void;

/**
 * An open connection to one server, whatever its transport and protocol era.
 *
 * Contract: `request` rejects with a `ToolgateError`, or with an `AbortError` when its signal says so; a connection that
 * ends rejects everything in flight at once; `close` is idempotent, bounded and resolves when the server's whole process
 * tree is gone.
 */
export interface MCPServerConnection {
  readonly name: string;
  readonly transport: TransportType;
  /** The resolved config. Holds secrets: never log it. */
  readonly config: MCPServerConfig;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  /** The protocol revision that was agreed on. */
  readonly protocolVersion: string;
  readonly era: ProtocolEra;
  readonly instructions?: string;
  /** Of the child that was started; absent for remote servers. */
  readonly pid?: number;
  /** Milliseconds of spawning and of the handshake. */
  readonly durations: { spawn: number; initialize: number };
  /** Resolves when the connection has ended, for whatever reason; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** The same, undefined while the connection is open. */
  readonly closeReason: CloseReason | undefined;
  /** The end of what the child wrote to stderr, secrets masked; empty for remote servers. */
  stderr(): string;
  request(method: string, params?: Record<string, unknown>, options?: RequestOptions): Promise<Record<string, unknown>>;
  notify(method: string, params?: Record<string, unknown>): Promise<void>;
  /** Calls the listener for each such notification until the returned function is called. */
  onNotification(method: string, listener: NotificationListener): () => void;
  close(): Promise<void>;
}
