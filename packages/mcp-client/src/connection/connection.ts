import type { MCPServerConfig, ProtocolEra, StartDurations, ToolProgress, TransportType } from "@toolgate/contracts";

/** Why a connection is over. */
export interface CloseReason {
  /**
   * `closed`: the host closed it. `exited`: the child process ended by itself. `failed`: the child lives, or lived, but
   * can no longer be spoken to; or a remote server is gone.
   */
  kind: "closed" | "exited" | "failed";
  /** One sentence for people, without secrets. */
  message: string;
  /** Exit code of a child that ended by itself; `null` when a signal ended it. */
  exitCode?: number | null;
  /** The signal that ended the child. */
  signal?: string | null;
  /** The last lines of its error output, secrets redacted. */
  stderr?: string;
  /** How the network failed that led to a remote server: a code such as ECONNREFUSED, the address, both as text. */
  network?: { code: string; address?: string; text: string };
}

/** How a server introduces itself. */
export interface ServerInfo {
  name: string;
  version: string;
  title?: string;
  [field: string]: unknown;
}

/** What a server says it can do. */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  prompts?: { listChanged?: boolean };
  logging?: Record<string, unknown>;
  completions?: Record<string, unknown>;
  experimental?: Record<string, unknown>;
  [capability: string]: unknown;
}

/** What a caller may say about one request. */
export interface RequestOptions {
  /** Cancels this request and nothing else: AbortError here, `notifications/cancelled` with a neutral reason there. */
  signal?: AbortSignal;
  /** Milliseconds without answer or progress; `0` means no limit. @default the entry's `timeout`, else 60000 */
  timeout?: number;
  /**
   * Milliseconds in all, however much progress is reported; `0` means no limit.
   *
   * @default 600000, or the idle limit where that is longer; none where there is no idle limit
   */
  maxTotalTimeout?: number;
  /** Called for each progress notification of this request. Must not throw. */
  onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** Receives the `params` of a notification. Must not throw. */
export type NotificationListener = (params: Record<string, unknown>) => void;

/** One connected server. */
export interface MCPServerConnection {
  readonly name: string;
  readonly transport: TransportType;
  /** The entry as it was connected, secrets included: never log it. */
  readonly config: MCPServerConfig;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly protocolVersion: string;
  readonly era: ProtocolEra;
  /** What the server wants the model to know. */
  readonly instructions?: string;
  /** Process id of the child; absent for remote servers. */
  readonly pid?: number;
  /** Milliseconds to the spawned child, and from there to the answer to `initialize`. */
  readonly durations: Pick<StartDurations, "spawn" | "initialize">;
  /** Resolves when the connection is over; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** The same, without waiting: `undefined` while the connection lives. */
  readonly closeReason: CloseReason | undefined;
  /** The last 64 KiB of the child's error output, secrets redacted; empty for remote servers. */
  stderr(): string;
  /**
   * Sends a request and gives its result as the server sent it.
   *
   * @throws ToolgateError `SERVER_ERROR`, `CALL_TIMEOUT`, `SERVER_EXITED`, `CLOSED`, `TOO_LARGE`, `CONNECT_FAILED`,
   * `HTTP_STATUS` or `AUTH_REQUIRED`; an AbortError when `signal` aborts
   */
  request(method: string, params?: Record<string, unknown>, options?: RequestOptions): Promise<Record<string, unknown>>;
  /** Sends a notification. */
  notify(method: string, params?: Record<string, unknown>): Promise<void>;
  /** Listens to one method's notifications until the returned function is called. */
  onNotification(method: string, listener: NotificationListener): () => void;
  /** Ends the connection; requests in flight reject at once. Idempotent, bounded; resolves when the child's tree is gone. */
  close(): Promise<void>;
}
