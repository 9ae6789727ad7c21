import { STARTUP_TIMEOUT_MS } from "@toolgate/mcp-manager";

import type { StartRecord } from "../state/start-record.ts";
import { formatCount, formatDuration } from "./format.ts";

/** What came of a start: `6 servers: 4 ready, 1 connecting, 1 failed · 40 tools`. */
export function summarizeStart({ servers }: StartRecord): string {
  const count = (...statuses: string[]): number => servers.filter(({ status }) => statuses.includes(status)).length;
  const states = [
    [count("connected"), "ready"],
    [count("connecting"), "connecting"],
    [count("failed"), "failed"],
    [count("disconnected"), "disconnected"],
    [count("needs-approval", "needs-auth"), "waiting for you"],
  ] as const;
  const shown = states.filter(([number]) => number > 0).map(([number, state]) => `${number} ${state}`);
  const tools = servers.reduce((sum, server) => sum + server.tools, 0);
  return `${formatCount(servers.length, "server")}: ${shown.join(", ")} · ${formatCount(tools, "tool")}`;
}

/** When the caller had its tools, or that it waited for all servers. */
export function describeHandOver({ gateMs, elapsedMs }: StartRecord): string {
  if (elapsedMs === undefined) return "";
  if (gateMs === undefined) return `all servers awaited: ${formatDuration(elapsedMs)}`;
  return `tools handed over after ${formatDuration(elapsedMs)}`;
}

/** Where the gate is drawn: where it was, or where it is by default when the start had none. */
export function gateOf({ gateMs }: StartRecord): { gateMs: number; gateLabel: string } {
  // Without any waiting there is no gate to see either.
  if (gateMs !== undefined && gateMs > 0) return { gateMs, gateLabel: `the gate at ${formatDuration(gateMs)}` };
  const drawn = STARTUP_TIMEOUT_MS;
  return { gateMs: drawn, gateLabel: `${formatDuration(drawn)}, the gate of a session` };
}

/** A moment as people write it, in universal time: `2026-11-30 08:45:01 UTC`. */
export function describeTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
