import type { SourceMeta } from "@toolgate/contracts";

import { alignColumns } from "./columns.ts";
import { formatAge, formatCount, formatDuration, formatPath } from "./format.ts";
import { sanitizeLine } from "./sanitize-text.ts";
import type { Style } from "./style.ts";
import { padEnd, textWidth } from "./text-width.ts";
import { wrapText } from "./wrap-text.ts";

/** What the list shows of one server. */
export interface ServerRow {
  name: string;
  status: "connected" | "connecting" | "disconnected" | "disabled" | "failed" | "needs-approval" | "needs-auth";
  transport: string;
  tools: number;
  cached: boolean;
  /** Milliseconds since 1970. */
  cachedAt?: number;
  source?: SourceMeta;
  durationMs?: number;
  /** Why it is not connected. */
  reason?: string;
  /** What to type next. */
  hint?: string;
}

/** How the list is drawn. */
export interface RenderServersOptions {
  style: Style;
  /** Columns of the terminal. */
  width: number;
  cwd: string;
  home: string;
  /** Milliseconds since 1970, for the age of cached tools. */
  now: number;
}

const SIGNS: Record<ServerRow["status"], string> = {
  connected: "✓",
  connecting: "…",
  disconnected: "-",
  disabled: "-",
  failed: "✗",
  "needs-approval": "!",
  "needs-auth": "!",
};

const LABELS: Record<ServerRow["status"], string> = {
  connected: "connected",
  connecting: "connecting",
  disconnected: "disconnected",
  disabled: "disabled",
  failed: "failed",
  "needs-approval": "needs approval",
  "needs-auth": "needs sign-in",
};

const SHORTEST_REASON = 30;

/** Draws servers grouped by the file that they come from, names, states and reasons lined up. */
export function renderServers(rows: readonly ServerRow[], options: RenderServersOptions): string[] {
  const nameWidth = Math.max(0, ...rows.map((row) => textWidth(sanitizeLine(row.name))));
  const details = alignColumns(rows.map((row) => detailCells(row, options)));
  const lines: string[] = [];
  for (const [heading, group] of groupBySource(rows, options)) {
    lines.push(options.style.bold(heading));
    for (const row of group) {
      const sign = paint(row.status, options.style)(SIGNS[row.status]);
      const start = `  ${sign} ${padEnd(sanitizeLine(row.name), nameWidth)}  `;
      const indent = " ".repeat(nameWidth + 6);
      const [first = "", ...rest] = showsTools(row)
        ? [details[rows.indexOf(row)] ?? ""]
        : reasonLines(row, options, indent.length);
      lines.push((start + first).trimEnd(), ...rest.map((line) => (indent + line).trimEnd()));
    }
  }
  return lines;
}

function groupBySource(rows: readonly ServerRow[], options: RenderServersOptions): Map<string, ServerRow[]> {
  const groups = new Map<string, ServerRow[]>();
  for (const row of rows) {
    const heading = headingOf(row.source, options);
    groups.set(heading, [...(groups.get(heading) ?? []), row]);
  }
  return groups;
}

function headingOf(source: SourceMeta | undefined, options: RenderServersOptions): string {
  if (source === undefined) return "Runtime";
  const path = formatPath(source.path, options);
  // A provider that is called after its file says nothing that the path does not say.
  const name = path.endsWith(source.providerName) ? "Project" : source.providerName;
  return sanitizeLine(`${name} · ${path}`);
}

function showsTools({ status }: ServerRow): boolean {
  return status === "connected" || status === "connecting";
}

function detailCells(row: ServerRow, { now }: RenderServersOptions): string[] {
  if (!showsTools(row)) return [];
  const tools = row.status === "connecting" && row.tools === 0 ? "" : formatCount(row.tools, "tool");
  return [tools, row.transport, row.status === "connected" ? connectedNote(row) : connectingNote(row, now)];
}

function connectedNote({ durationMs }: ServerRow): string {
  return durationMs === undefined ? "" : formatDuration(durationMs);
}

function connectingNote({ cached, cachedAt }: ServerRow, now: number): string {
  if (!cached) return "connecting";
  const age = cachedAt === undefined ? "" : `, ${formatAge(now - cachedAt)}`;
  return `connecting (tools from the cache${age})`;
}

function reasonLines(row: ServerRow, options: RenderServersOptions, used: number): string[] {
  const label = padEnd(LABELS[row.status], LABELS["needs-approval"].length);
  const available = Math.max(SHORTEST_REASON, options.width - used - textWidth(label) - 2);
  const reason = row.reason === undefined ? [] : wrapText(sanitizeLine(row.reason), available);
  const [first = "", ...rest] = reason;
  const indent = " ".repeat(textWidth(label) + 2);
  const hint = row.hint === undefined ? [] : [indent + options.style.accent(sanitizeLine(row.hint))];
  return [`${label}  ${first}`, ...rest.map((line) => indent + line), ...hint];
}

function paint(status: ServerRow["status"], style: Style): (text: string) => string {
  switch (status) {
    case "connected":
      return style.good;
    case "failed":
      return style.bad;
    case "needs-approval":
    case "needs-auth":
      return style.warning;
    case "connecting":
      return style.accent;
    case "disconnected":
    case "disabled":
      return style.dim;
    default:
      return status satisfies never;
  }
}
