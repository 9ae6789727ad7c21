import type { Logger } from "@toolgate/contracts";
import { silentLogger } from "@toolgate/contracts";
import type { ObservedMessage } from "@toolgate/mcp-client";
import type { ServerDescription } from "@toolgate/mcp-manager";

import type { HostPlaces } from "../state/state-directory.ts";
import { LogFile, logFileOf, readLogFile } from "./log-files.ts";
import type { LoggedMessage, LogEntry } from "./server-log-entry.ts";
import { stderrOf } from "./stderr-of.ts";

/** Messages of one server that are kept in memory. */
const MAX_MESSAGES = 500;
/** Requests without an answer that are remembered for their duration. */
const MAX_OPEN_REQUESTS = 1000;
/** Characters of a message's text that are kept. */
const MAX_TEXT = 4096;

/** How much of a run is kept in files. */
export type LogFileSetting = "off" | "messages" | "protocol";

/** Options of {@link ServerLogs}. */
export interface ServerLogsOptions extends HostPlaces {
  /** Where the run works; its file says it. */
  cwd: string;
  /** @default "messages" */
  files?: LogFileSetting;
  /** @default silent */
  logger?: Logger;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
}

/** What is said of a server at the end of a run. */
type FinishedServer = Pick<ServerDescription, "name" | "stderr" | "error">;

interface ServerLog {
  messages: LoggedMessage[];
  /** When each request that waits for its answer was sent, by direction and id. */
  open: Map<string, { at: number; method?: string }>;
  file: LogFile | undefined;
}

/**
 * Keeps what went to and fro between this host and each of its servers: the last messages in memory, and, unless that is
 * switched off, in one bounded file per server for later. Secrets are masked before anything is kept.
 */
export class ServerLogs {
  readonly #options: ServerLogsOptions;
  readonly #logs = new Map<string, ServerLog>();
  readonly #listeners = new Set<(server: string, message: LoggedMessage) => void>();

  constructor(options: ServerLogsOptions) {
    this.#options = options;
  }

  /** What the files keep. */
  get files(): LogFileSetting {
    return this.#options.files ?? "messages";
  }

  /** Takes a message in; to be given to a manager as `onMessage`. */
  readonly record = (server: string, observed: ObservedMessage): void => {
    const log = this.#logOf(server);
    const message = this.#describe(observed, log);
    log.messages.push(message);
    if (log.messages.length > MAX_MESSAGES) log.messages.shift();
    const { text: _text, ...withoutText } = message;
    log.file?.append(this.files === "protocol" ? message : withoutText);
    for (const listener of this.#listeners) listener(server, message);
  };

  /** The last messages of a server in this run, the oldest first. */
  messagesOf(server: string): readonly LoggedMessage[] {
    return this.#logs.get(server)?.messages ?? [];
  }

  /** Calls a listener with every message from now on, until the returned function is called. */
  subscribe(listener: (server: string, message: LoggedMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The file of a server's last run. */
  fileOf(server: string): string {
    return logFileOf(server, this.#options);
  }

  /** What the file of a server's last run holds. */
  readLastRun(server: string): Promise<LogEntry[]> {
    return readLogFile(this.fileOf(server));
  }

  /** Ends a run: writes what servers have said on stderr, and waits for the files. Never rejects. */
  async finish(servers: readonly FinishedServer[]): Promise<void> {
    for (const server of servers) {
      const text = stderrOf(server);
      if (text !== "") this.#logOf(server.name).file?.append({ type: "stderr", text });
    }
    await Promise.all([...this.#logs.values()].flatMap(({ file }) => (file === undefined ? [] : [file.flush()])));
  }

  #logOf(server: string): ServerLog {
    const known = this.#logs.get(server);
    if (known !== undefined) return known;
    const { cwd, logger = silentLogger } = this.#options;
    const file = this.files === "off" ? undefined : new LogFile(this.fileOf(server), logger);
    file?.append({ type: "run", at: this.#now(), server, cwd, pid: process.pid });
    const log: ServerLog = { messages: [], open: new Map(), file };
    this.#logs.set(server, log);
    return log;
  }

  #describe(observed: ObservedMessage, { open }: ServerLog): LoggedMessage {
    const at = this.#now();
    const message: LoggedMessage = { type: "message", at, ...observed, text: observed.text(MAX_TEXT) };
    const { direction, kind, id, method } = observed;
    if (id === undefined) return message;
    if (kind === "request") {
      open.set(`${direction} ${id}`, { at, ...(method === undefined ? {} : { method }) });
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN_REQUESTS && oldest !== undefined) open.delete(oldest);
      return message;
    }
    const asked = `${direction === "sent" ? "received" : "sent"} ${id}`;
    const request = open.get(asked);
    open.delete(asked);
    return request === undefined
      ? message
      : {
          ...message,
          ...(request.method === undefined ? {} : { method: request.method }),
          durationMs: at - request.at,
        };
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
