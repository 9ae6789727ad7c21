import { randomUUID } from "node:crypto";
import { channel } from "node:diagnostics_channel";

import type { ErrorCode, ToolResult, TransportType } from "@toolgate/contracts";

import type { MCPManagerEvent, ServerStep } from "./manager-events.ts";

/** Name of the diagnostics channel that carries a {@link ServerDiagnostics} for each step of each server. */
export const SERVER_CHANNEL = "toolgate:server";

/** Name of the diagnostics channel that carries a {@link CallDiagnostics} when a call of a tool begins and ends. */
export const CALL_CHANNEL = "toolgate:call";

/** A step of a server, for whoever measures the process. Holds no configuration and no secret. */
export interface ServerDiagnostics {
  server: string;
  transport: TransportType;
  step: ServerStep;
  /** Milliseconds since the manager was made. */
  at: number;
  /** Milliseconds since 1970. */
  time: number;
  /** Milliseconds that came to their end with this step, see `ServerStepEvent`. */
  durationMs?: number;
  /** With `ready`: how many tools the server offers. */
  tools?: number;
  /** With `failed` and `dropped`; secrets of the configuration are masked in the message. */
  error?: { code: ErrorCode; message: string };
}

/**
 * A call of a tool, for whoever measures the process. Holds neither arguments nor content, and of an error only its code,
 * since a message may repeat what was sent.
 */
export interface CallDiagnostics {
  /** Identifies the call: its `start` and its `end` or `abort` carry the same. */
  call: string;
  /** `end`: there is a result, good or not; `abort`: the caller gave it up. */
  phase: "start" | "end" | "abort";
  server: string;
  /** The server's own name of the tool. */
  tool: string;
  /** With `end` and `abort`: milliseconds since `start`, waiting for the server included. */
  durationMs?: number;
  /** With `end`. */
  isError?: boolean;
  /** With `end`, when transport, protocol or server failed rather than the tool. */
  errorCode?: ErrorCode;
}

const servers = channel(SERVER_CHANNEL);
const calls = channel(CALL_CHANNEL);

/** Publishes a step of a server, if anybody listens. */
export function publishServerStep(event: Extract<MCPManagerEvent, { type: "server-step" }>): void {
  if (!servers.hasSubscribers) return;
  const { type: _, error, ...rest } = event;
  const message: ServerDiagnostics = {
    ...rest,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
  servers.publish(message);
}

/** Tells of one call that is under way. */
export interface CallTrace {
  ended(result: ToolResult): void;
  aborted(durationMs: number): void;
}

const silentTrace: CallTrace = { ended: () => {}, aborted: () => {} };

/** Publishes that a call begins, if anybody listens, and gives what tells of its end. */
export function traceCall({ server, tool }: { server: string; tool: string }): CallTrace {
  if (!calls.hasSubscribers) return silentTrace;
  const subject = { call: randomUUID(), server, tool };
  const publish = (message: CallDiagnostics): void => calls.publish(message);
  publish({ ...subject, phase: "start" });
  return {
    ended: ({ isError, details: { durationMs, errorCode } }) =>
      publish({
        ...subject,
        phase: "end",
        durationMs,
        isError,
        ...(errorCode === undefined ? {} : { errorCode }),
      }),
    aborted: (durationMs) => publish({ ...subject, phase: "abort", durationMs }),
  };
}
