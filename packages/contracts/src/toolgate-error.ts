import type { TransportType } from "./server-config.ts";

/** What went wrong, as a stable value to branch on. One documented line each. */
export type ErrorCode =
  /** The entry lacks a field or has one of the wrong kind; nothing was started. */
  | "CONFIG_INVALID"
  /** A configuration file that was asked for by name cannot be read or parsed. */
  | "CONFIG_UNREADABLE"
  /** Discovery as a whole failed, for example because a filter threw. */
  | "DISCOVERY_FAILED"
  /** A `!command` or another substitution in an entry failed or is not allowed there. */
  | "SUBSTITUTION_FAILED"
  /** The child process could not be started. */
  | "SPAWN_FAILED"
  /** The child process ended while it was needed. */
  | "SERVER_EXITED"
  /** The address could not be reached: refused, DNS, TLS. */
  | "CONNECT_FAILED"
  /** The server did not finish `initialize` in time. */
  | "CONNECT_TIMEOUT"
  /** The server answered `initialize` with an error or with something that is not an answer. */
  | "HANDSHAKE_FAILED"
  /** The server speaks no protocol revision that we speak. */
  | "PROTOCOL_UNSUPPORTED"
  /** The server answered with an HTTP status that is an error. */
  | "HTTP_STATUS"
  /** The server wants a sign-in, or refuses the one it was given. */
  | "AUTH_REQUIRED"
  /** A sign-in, or the renewal of one, failed: refused, not finished in time, or the authorization server is in trouble. */
  | "SIGN_IN_FAILED"
  /** `tools/list` or another list failed. */
  | "LIST_FAILED"
  /** The server answered a request with a JSON-RPC error. */
  | "SERVER_ERROR"
  /** The server is not connected and nothing is on its way. */
  | "NOT_CONNECTED"
  /** The server has no tool of that name (any more). */
  | "TOOL_NOT_FOUND"
  /** The server does not offer what was asked for, and was not asked. */
  | "NOT_OFFERED"
  /** A request got no answer in time. */
  | "CALL_TIMEOUT"
  /** A message is larger than the limit. */
  | "TOO_LARGE"
  /** The server is declared by a project file and has not been approved. */
  | "NOT_TRUSTED"
  /** The connection or the manager was closed on purpose while this was under way. */
  | "CLOSED";

/** What was being done with a server when it went wrong. One documented line each. */
export type ErrorStage =
  /** Its entry was looked at; nothing was started. */
  | "config"
  /** Its process was being started. */
  | "spawn"
  /** Its address was being reached. */
  | "connect"
  /** The handshake was under way: `initialize`, or `server/discover`. */
  | "initialize"
  /** A list was asked for, of tools or of anything else. */
  | "list"
  /** A tool was called. */
  | "call"
  /** Another request or a notification was sent. */
  | "request";

/** Facts that an error may carry beside its message. */
export interface ToolgateErrorOptions {
  server?: string;
  stage?: ErrorStage;
  transport?: TransportType;
  data?: unknown;
  cause?: unknown;
}

// Shared by all copies of this package in one process, where `instanceof` would tell them apart.
const BRAND = Symbol.for("toolgate.error");

/**
 * The one error type of all Toolgate packages. Its message is meant for people: it names the server, the config file,
 * what was tried, what came back and what to do next, and holds no secret.
 */
export class ToolgateError extends Error {
  override readonly name: string = "ToolgateError";
  readonly code: ErrorCode;
  /** Name of the server that the error is about. */
  declare readonly server?: string;
  /** What was being done with that server. */
  declare readonly stage?: ErrorStage;
  /** How that server is reached. */
  declare readonly transport?: TransportType;
  /** Typed by the code that throws; for example `{ exitCode, signal, stderr }` of an ended child. */
  declare readonly data?: unknown;

  constructor(code: ErrorCode, message: string, options: ToolgateErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.server !== undefined) this.server = options.server;
    if (options.stage !== undefined) this.stage = options.stage;
    if (options.transport !== undefined) this.transport = options.transport;
    if (options.data !== undefined) this.data = options.data;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** What `JSON.stringify` writes: code, message and server. `data` and `cause` may hold more than others should see. */
  toJSON(): { code: ErrorCode; message: string; server?: string } {
    return {
      code: this.code,
      message: this.message,
      ...(this.server === undefined ? {} : { server: this.server }),
    };
  }

  /** Recognises a ToolgateError of any copy of this package, where `instanceof` would fail. */
  static isInstance(value: unknown): value is ToolgateError {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
