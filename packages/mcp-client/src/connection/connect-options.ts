import type { spawn } from "node:child_process";

import type { ClientCapabilities, Logger, ProtocolEra, SourceMeta } from "@toolgate/contracts";

import type { AuthorizationOptions } from "../auth/authorization-options.ts";
import type { Clock } from "./clock.ts";
import type { ElicitationHandlers, SamplingHandler, ServerRequestHandler } from "./host-handlers.ts";
import type { ObservedMessage } from "./observe-message.ts";

/** A folder that the host lets a server know of. */
export interface Root {
  /** A `file://` URI. */
  uri: string;
  name?: string;
}

/** How a connection is made; every effect can be replaced. */
export interface ConnectOptions {
  /** Where the entry was found; errors name its path. */
  source?: SourceMeta;
  /** How the host introduces itself. @default `{ name: "toolgate", version: "0.0.0" }` */
  clientInfo?: { name: string; version: string; title?: string };
  /** What the host declares. Servers may list other tools depending on it. @default none */
  capabilities?: ClientCapabilities;
  /**
   * Declares the `roots` capability and answers `roots/list` with these, or with what the function gives at that time. A host
   * whose roots change says so by `notifyRootsChanged`.
   */
  roots?: readonly Root[] | (() => readonly Root[]);
  /** Declares the `sampling` capability and answers `sampling/createMessage`. */
  sampling?: SamplingHandler;
  /** Declares the `elicitation` capability with the modes that have a handler, and answers `elicitation/create`. */
  elicitation?: ElicitationHandlers;
  /** Answers to requests of the server by method; they go before `roots`, `sampling` and `elicitation`. Others get -32601. */
  requestHandlers?: Readonly<Record<string, ServerRequestHandler>>;
  /**
   * The era that the server spoke the last time: it is tried first, and the other one if the server says so. An entry's
   * `protocol` wins. A promise is waited for after the process has been started; it must not reject.
   *
   * @default "legacy"
   */
  era?: ProtocolEra | Promise<ProtocolEra | undefined>;
  /** Working directory of a child whose entry names none, and base of a relative one. @default `process.cwd()` */
  cwd?: string;
  /** The host's environment: source of the allow-list, of the PATH lookup and of proxies. @default `process.env` */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default `process.platform` */
  platform?: NodeJS.Platform;
  /** @default silent */
  logger?: Logger;
  /** Gives the connecting up: rejects with an AbortError after the child and its tree are gone. */
  signal?: AbortSignal;
  /**
   * How to sign in to a remote server whose entry holds no credential of its own. Without it a server that wants a sign-in
   * is `AUTH_REQUIRED`. A person is asked between two attempts to connect, each with the whole time limit.
   */
  authorization?: AuthorizationOptions;
  /**
   * Sends the requests to remote servers; proxies are its own matter then.
   *
   * @default Node.js's fetch, over the proxy that `env` names for an address
   */
  fetch?: typeof globalThis.fetch;
  /**
   * Milliseconds between two pings of an idle server over Streamable HTTP that keeps no stream open: the only way to
   * notice before the next request that it is gone.
   *
   * @default none
   */
  livenessIntervalMs?: number;
  /**
   * Looks on at every message in both directions, for logs: what kind it is and how large, and its text with secrets
   * masked when that is asked for. Must not throw.
   *
   * @default nobody looks on
   */
  onMessage?(message: ObservedMessage): void;
  /** Called once the child has a process id, before the SDK is loaded; again for one that is started anew. Must not throw. */
  onSpawn?(pid: number): void;
  /**
   * Value of `NODE_COMPILE_CACHE` for children when neither the entry nor the host sets one: Node.js servers start
   * faster from their second start on. `false` sets none.
   *
   * @default `toolgate/compile-cache` in the user's cache directory: `$XDG_CACHE_HOME` or `~/.cache`,
   * `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows
   */
  compileCacheDirectory?: string | false;
  /** @default `child_process.spawn` */
  spawn?: typeof spawn;
  /** @default the process's own */
  clock?: Clock;
}
