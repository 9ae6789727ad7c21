import type { ServerDescription } from "@toolgate/mcp-manager";

import { alignColumns } from "../terminal/columns.ts";
import { formatCount, formatDuration } from "../terminal/format.ts";
import { truncate } from "../terminal/text-width.ts";

/** What the drawing needs beside the servers. */
export interface WaterfallOptions {
  /** Milliseconds after which the startup gate fell. */
  gateMs: number;
  /** Columns of the terminal. @default 80 */
  width?: number;
}

const STARTING = "▓";
const INITIALIZING = "▒";
const LISTING = "█";
const GATE = "│";
const FAILED = "✗";
const NARROWEST_CHART = 16;

/**
 * Draws the start of a set of servers: a line per server with its result and a bar per step, on one time axis, and a mark
 * where the gate fell. Works without colour.
 */
export function renderWaterfall(servers: readonly ServerDescription[], options: WaterfallOptions): string[] {
  const labels = alignColumns(servers.map(describeResult), { gap: 2 });
  const labelWidth = Math.max(0, ...labels.map((label) => label.length));
  const chartWidth = Math.max(NARROWEST_CHART, (options.width ?? 80) - labelWidth - 5);
  const end = Math.max(options.gateMs, 1, ...servers.map((server) => server.timeline.endedAt ?? 0));
  const column = (milliseconds: number): number =>
    Math.min(chartWidth - 1, Math.floor((milliseconds / end) * chartWidth));
  return [
    `${" ".repeat(labelWidth + 2)}${renderAxis(end, chartWidth)}`,
    ...servers.map(
      (server, index) =>
        `${(labels[index] ?? "").padEnd(labelWidth)}  ${renderBar(server, column, { chartWidth, gate: column(options.gateMs) })}`,
    ),
    `${STARTING} starting  ${INITIALIZING} initialize  ${LISTING} tools/list  ${GATE} the gate at ${formatDuration(options.gateMs)}`,
  ].map((line) => truncate(line.trimEnd(), options.width ?? 80));
}

function describeResult(server: ServerDescription): string[] {
  const duration = server.durationMs === undefined ? "" : formatDuration(server.durationMs);
  if (server.error !== undefined) return [server.name, "FAILED", "", duration];
  return [
    server.name,
    server.status === "connected" ? "ready" : server.status,
    formatCount(server.tools, "tool"),
    duration,
  ];
}

function renderBar(
  { timeline, error }: ServerDescription,
  column: (milliseconds: number) => number,
  { chartWidth, gate }: { chartWidth: number; gate: number },
): string {
  const cells: string[] = Array.from({ length: chartWidth }, (_, index) => (index === gate ? GATE : " "));
  const { startedAt, endedAt } = timeline;
  if (startedAt === undefined || endedAt === undefined) return cells.join("");
  const spawned = timeline.spawnedAt ?? startedAt;
  const initialized = timeline.initializedAt ?? endedAt;
  for (let index = column(startedAt); index <= column(endedAt); index += 1) {
    if (index >= column(initialized) && error === undefined) cells[index] = LISTING;
    else cells[index] = index > column(spawned) ? INITIALIZING : STARTING;
  }
  if (error !== undefined) cells[column(endedAt)] = FAILED;
  return cells.join("");
}

// A label every half or whole second, or at the power of ten that leaves a readable number of them.
function renderAxis(end: number, chartWidth: number): string {
  const step =
    [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000].find((size) => (end / size) * 8 <= chartWidth) ?? end;
  const cells = Array.from({ length: chartWidth }, () => " ");
  for (let time = 0; time <= end; time += step) {
    const label = time === 0 ? "0" : formatDuration(time);
    const from = Math.floor((time / end) * chartWidth);
    if (from + label.length > chartWidth) break;
    cells.splice(from, label.length, ...label.split(""));
  }
  return cells.join("");
}
