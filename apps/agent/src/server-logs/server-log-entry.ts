import { isRecord } from "@toolgate/contracts";
import type { MessageDirection, ObservedMessage } from "@toolgate/mcp-client";

/** One message between the host and a server. */
export interface LoggedMessage {
  type: "message";
  /** Milliseconds since 1970. */
  at: number;
  direction: MessageDirection;
  kind: ObservedMessage["kind"];
  /** Of a response: the method that it answers. */
  method?: string;
  id?: string | number;
  /** Milliseconds since the request; of responses only. */
  durationMs?: number;
  /** Characters of the message as JSON. */
  size: number;
  errorCode?: number;
  /** What it said, secrets masked and cut where it is long; only where that is kept. */
  text?: string;
}

/** The beginning of a run, as its file says it first. */
interface LoggedRun {
  type: "run";
  /** Milliseconds since 1970. */
  at: number;
  server: string;
  cwd: string;
  pid: number;
}

/** The end of what a server wrote to stderr, secrets masked. */
interface LoggedStderr {
  type: "stderr";
  text: string;
}

/** One line of a file. */
export type LogEntry = LoggedRun | LoggedMessage | LoggedStderr;

/** Reads a line of a file; undefined for one that is damaged or from a later version. */
export function parseLogEntry(line: string): LogEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const known = isRecord(value) && ["run", "message", "stderr"].includes(String(value["type"]));
    return known ? (value as unknown as LogEntry) : undefined;
  } catch {
    return undefined;
  }
}
