import { isRecord } from "@toolgate/contracts";
import type { MCPManager, ServerDescription, StartupDescription } from "@toolgate/mcp-manager";

// A server decides what its errors say, and how much.
const MAX_MESSAGE_LENGTH = 2000;

/** One server in the record of a start. Holds neither its configuration nor what it wrote. */
export interface RecordedServer extends Pick<
  ServerDescription,
  | "name"
  | "status"
  | "phase"
  | "transport"
  | "tools"
  | "cachedAgeMs"
  | "timeline"
  | "durations"
  | "durationMs"
  | "protocolVersion"
  | "era"
> {
  source?: { providerName: string; path: string };
  /** Why it is not connected; the secrets of its entry are masked. */
  error?: { code: string; message: string };
}

/** How a set of servers was started, as it is kept for `mcp trace`. All durations are in milliseconds. */
export interface StartRecord extends Pick<StartupDescription, "gateMs" | "elapsedMs"> {
  version: 1;
  /** When it began, in milliseconds since 1970; all timelines count from here. */
  time: number;
  /** What was run: `chat`, `prompt`, `mcp list`. */
  command: string;
  /** Where. */
  cwd: string;
  /** Sorted by name. */
  servers: RecordedServer[];
}

/** Who was started where. */
export type StartOccasion = Pick<StartRecord, "command" | "cwd">;

/** The record of how a manager's servers were started; undefined when it has started none. */
export function describeStart(manager: MCPManager, { command, cwd }: StartOccasion): StartRecord | undefined {
  const startup = manager.describeStartup();
  if (startup === undefined) return undefined;
  const { time, gateMs, elapsedMs } = startup;
  return {
    version: 1,
    time,
    command,
    cwd,
    ...(gateMs === undefined ? {} : { gateMs }),
    ...(elapsedMs === undefined ? {} : { elapsedMs: round(elapsedMs) }),
    servers: manager.describeServers().map(recordServer),
  };
}

/** Whether a value that was read from a file is a record of a start. */
export function isStartRecord(value: unknown): value is StartRecord {
  return (
    isRecord(value) &&
    value["version"] === 1 &&
    typeof value["time"] === "number" &&
    typeof value["command"] === "string" &&
    typeof value["cwd"] === "string" &&
    Array.isArray(value["servers"]) &&
    value["servers"].every(isRecordedServer)
  );
}

function isRecordedServer(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["status"] === "string" &&
    typeof value["tools"] === "number" &&
    isRecord(value["timeline"]) &&
    isRecord(value["durations"])
  );
}

function recordServer(server: ServerDescription): RecordedServer {
  const { name, status, phase, transport, tools, cachedAgeMs, durationMs, protocolVersion, era, source, error } =
    server;
  return {
    name,
    status,
    ...(phase === undefined ? {} : { phase }),
    transport,
    tools,
    ...(source === undefined ? {} : { source: { providerName: source.providerName, path: source.path } }),
    ...(cachedAgeMs === undefined ? {} : { cachedAgeMs }),
    timeline: roundAll(server.timeline),
    durations: roundAll(server.durations),
    ...(durationMs === undefined ? {} : { durationMs: round(durationMs) }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(era === undefined ? {} : { era }),
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: error.message.slice(0, MAX_MESSAGE_LENGTH) } }),
  };
}

function roundAll<T extends object>(times: T): T {
  return Object.fromEntries(Object.entries(times).map(([step, time]) => [step, round(Number(time))])) as T;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
