import type { ServerTimeline } from "@toolgate/mcp-manager";

import type { StartSegmentStep } from "../state/start-segments.ts";
import { endOfAxis, segmentsOf } from "../state/start-segments.ts";
import { alignColumns } from "./columns.ts";
import { formatCount, formatDuration } from "./format.ts";
import { sanitizeLine } from "./sanitize-text.ts";
import type { Style } from "./style.ts";
import { plainStyle } from "./style.ts";
import { padEnd, textWidth, truncate } from "./text-width.ts";

/** What is drawn of one server. */
export interface WaterfallServer {
  name: string;
  status: string;
  tools: number;
  /** Milliseconds of its start, time in the queue not counted. */
  durationMs?: number;
  timeline: ServerTimeline;
  error?: { message: string };
}

/** What the drawing needs beside the servers. */
export interface WaterfallOptions {
  /** Milliseconds after which the startup gate fell, or would fall. */
  gateMs: number;
  /** What the legend says of the gate. @default "the gate at …" */
  gateLabel?: string;
  /** Columns of the terminal. @default 80 */
  width?: number;
  /** @default none: signs alone */
  style?: Style;
}

type Mark = StartSegmentStep | "gate" | "failed" | "pending";

const SIGNS: Record<Mark, string> = {
  queue: "·",
  spawn: "▓",
  initialize: "▒",
  list: "█",
  gate: "│",
  failed: "✗",
  pending: "…",
};
const CACHED = "◆";
const NARROWEST_CHART = 16;
const LONGEST_NAME = 24;
const GAP = 2;

/**
 * Draws the start of a set of servers: a line per server with its result and a bar per step, on one time axis, and a mark
 * where the gate fell. Works without colour, from 40 columns on.
 */
export function renderWaterfall(servers: readonly WaterfallServer[], options: WaterfallOptions): string[] {
  const { gateMs, width = 80, style = plainStyle } = options;
  const gateLabel = options.gateLabel ?? `the gate at ${formatDuration(gateMs)}`;
  const labels = renderLabels(servers, width);
  const labelWidth = Math.max(0, ...labels.map(textWidth));
  const axis: Axis = {
    end: endOfAxis(
      servers.map(({ timeline }) => timeline),
      gateMs,
    ),
    width: Math.max(NARROWEST_CHART, width - labelWidth - GAP),
  };
  const usesCache = servers.some(({ timeline }) => timeline.cachedToolsAt !== undefined);
  return [
    `${" ".repeat(labelWidth + GAP)}${renderAxis(axis)}`.trimEnd(),
    ...servers.map((server, index) => {
      const bar = paint(drawBar(server, axis, gateMs), style);
      return `${padEnd(labels[index] ?? "", labelWidth + GAP)}${bar}`.trimEnd();
    }),
    ...renderLegend({ gateLabel, width, usesCache }),
  ];
}

interface Axis {
  /** Milliseconds. */
  end: number;
  /** Columns. */
  width: number;
}

function renderLabels(servers: readonly WaterfallServer[], width: number): string[] {
  const labels = alignColumns(servers.map(describeResult), { gap: GAP, right: [2, 3] });
  const fits = Math.max(0, ...labels.map(textWidth)) + GAP + NARROWEST_CHART <= width;
  if (fits) return labels;
  const nameWidth = Math.max(4, width - NARROWEST_CHART - GAP - 10);
  return alignColumns(
    servers.map((server) => {
      const [name = "", , , duration = ""] = describeResult(server);
      return [truncate(name, nameWidth), duration];
    }),
    { gap: GAP, right: [1] },
  );
}

function describeResult({ name, status, tools, durationMs, error, timeline }: WaterfallServer): string[] {
  const duration = durationMs === undefined ? "" : formatDuration(durationMs);
  const label = truncate(sanitizeLine(name), LONGEST_NAME);
  if (error !== undefined && status === "failed") return [label, "FAILED", "", duration];
  const cached = timeline.cachedToolsAt === undefined ? "" : `${CACHED} `;
  const state = status === "connected" ? "ready" : status.replaceAll("-", " ");
  return [label, state, tools === 0 && error !== undefined ? "" : cached + formatCount(tools, "tool"), duration];
}

function drawBar({ timeline, error }: WaterfallServer, axis: Axis, gateMs: number): (Mark | undefined)[] {
  const column = (milliseconds: number): number =>
    Math.min(axis.width - 1, Math.floor((milliseconds / axis.end) * axis.width));
  const cells: (Mark | undefined)[] = Array.from({ length: axis.width });
  cells[column(gateMs)] = "gate";
  for (const { step, from, to, complete } of segmentsOf(timeline, axis.end)) {
    // What never left the queue has no bar: it was not started.
    if (step === "queue" && !complete) return cells;
    for (let index = column(from); index <= column(to); index += 1) {
      if (step !== "queue" || cells[index] === undefined) cells[index] = step;
    }
    if (!complete) cells[column(to)] = error === undefined ? "pending" : "failed";
  }
  return cells;
}

function paint(cells: readonly (Mark | undefined)[], style: Style): string {
  const styles: Record<Mark, (text: string) => string> = {
    queue: style.dim,
    spawn: style.accent,
    initialize: style.warning,
    list: style.good,
    gate: style.dim,
    failed: style.bad,
    pending: style.accent,
  };
  return cells.map((mark) => (mark === undefined ? " " : styles[mark](SIGNS[mark]))).join("");
}

// A label every half or whole second, or at the power of ten that leaves a readable number of them.
function renderAxis({ end, width }: Axis): string {
  const step =
    [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000].find((size) => (end / size) * 8 <= width) ?? end;
  const cells = Array.from({ length: width }, () => " ");
  for (let time = 0; time <= end; time += step) {
    const label = time === 0 ? "0" : formatDuration(time);
    const from = Math.floor((time / end) * width);
    if (from + label.length > width) break;
    cells.splice(from, label.length, ...label.split(""));
  }
  return cells.join("");
}

function renderLegend({
  gateLabel,
  width,
  usesCache,
}: {
  gateLabel: string;
  width: number;
  usesCache: boolean;
}): string[] {
  const items = [
    `${SIGNS.queue} waiting`,
    `${SIGNS.spawn} starting`,
    `${SIGNS.initialize} initialize`,
    `${SIGNS.list} tools/list`,
    `${SIGNS.gate} ${gateLabel}`,
    ...(usesCache ? [`${CACHED} tools from the cache at first`] : []),
  ];
  const lines: string[] = [];
  for (const item of items) {
    const longer = `${lines.at(-1) ?? ""}  ${item}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(item);
  }
  return lines;
}
