import type { RecordedServer } from "../state/start-record.ts";
import type { StartSegment } from "../state/start-segments.ts";
import { segmentsOf } from "../state/start-segments.ts";
import { formatAge, formatDuration } from "../terminal/format.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { Markup } from "./markup.ts";
import { html } from "./markup.ts";

/** What all bars have in common. */
export interface TimeAxis {
  /** Where it ends, in milliseconds. */
  end: number;
  /** Where the gate is drawn, in milliseconds. */
  gateMs: number;
}

const COLUMNS = 9;

const STATES: Record<string, { sign: string; label: string; kind: "good" | "bad" | "warn" | "plain" }> = {
  connected: { sign: "✓", label: "ready", kind: "good" },
  connecting: { sign: "…", label: "connecting", kind: "plain" },
  disconnected: { sign: "-", label: "disconnected", kind: "warn" },
  failed: { sign: "✗", label: "failed", kind: "bad" },
  "needs-approval": { sign: "!", label: "needs approval", kind: "warn" },
  "needs-auth": { sign: "!", label: "needs sign-in", kind: "warn" },
};

const STEP_NAMES: Record<StartSegment["step"], string> = {
  queue: "waited",
  spawn: "spawn",
  initialize: "initialize",
  list: "tools/list",
};

/** One server as a group of rows: name, state, figures and its bar, and below them why it failed. */
export function renderServer(server: RecordedServer, axis: TimeAxis): Markup {
  const { name, status, durations, durationMs, tools, transport, source } = server;
  const { sign, label, kind } = STATES[status] ?? { sign: "", label: status, kind: "plain" };
  const details = [transport, source?.providerName ?? ""].filter((text) => text !== "");
  return html`<tbody>
    <tr>
      <th scope="row" data-sort="${clean(name)}" title="${clean(source?.path ?? "")}">
        ${clean(name)}<small>${clean(details.join(" · "))}</small>
      </th>
      <td class="state ${kind}" data-sort="${label}">${sign} ${label}${renderCached(server)}</td>
      <td class="number" data-sort="${tools}">${tools}</td>
      ${[durations.queue, durations.spawn, durations.initialize, durations.list, durationMs].map(renderFigure)}
      <td class="timeline">${renderBar(server, axis)}</td>
    </tr>
    ${renderReason(server)}
  </tbody>`;
}

/** How far along the axis a time is, in per cent. */
export function share(milliseconds: number, end: number): number {
  return Math.round(Math.min(1, Math.max(0, milliseconds / end)) * 10_000) / 100;
}

function renderCached({ timeline, cachedAgeMs }: RecordedServer): Markup | string {
  if (timeline.cachedToolsAt === undefined) return "";
  const age = cachedAgeMs === undefined ? "" : `, ${formatAge(cachedAgeMs)}`;
  return html` <small>◆ cache${age}</small>`;
}

function renderFigure(milliseconds: number | undefined): Markup {
  if (milliseconds === undefined) return html`<td class="number" data-sort=""><span aria-label="none">–</span></td> `;
  return html`<td class="number" data-sort="${milliseconds}">${Math.round(milliseconds)}</td> `;
}

function renderBar(server: RecordedServer, { end, gateMs }: TimeAxis): Markup {
  const wasStarted = server.timeline.startedAt !== undefined;
  const segments = wasStarted ? segmentsOf(server.timeline, end) : [];
  return html`<span class="bar" role="img" aria-label="${describeBar(server, segments)}"
    >${[
      ...segments.map((segment) => renderSegment(segment, server, end)),
      html`<i class="gate" style="left:${share(gateMs, end)}%"></i>`,
    ]}</span
  >`;
}

function renderSegment({ step, from, to, complete }: StartSegment, { error }: RecordedServer, end: number): Markup {
  const left = share(from, end);
  const width = Math.round((share(to, end) - left) * 100) / 100;
  const isPending = !complete && error === undefined;
  const bar = html`<i class="${step}${isPending ? " pending" : ""}" style="left:${left}%;width:${width}%"></i>`;
  if (complete || isPending) return bar;
  return html`${bar}<i class="end" style="left:${share(to, end)}%"></i>`;
}

function describeBar({ name, error }: RecordedServer, segments: readonly StartSegment[]): string {
  if (segments.length === 0) return `${clean(name)}: not started`;
  const steps = segments.map(({ step, from, to, complete }) => {
    const text = `${STEP_NAMES[step]} ${formatDuration(to - from)}`;
    if (complete) return text;
    return error === undefined ? `${STEP_NAMES[step]} still under way` : `${text}, failed`;
  });
  return `${clean(name)}: ${steps.join(", ")}`;
}

function renderReason({ error, status }: RecordedServer): Markup | string {
  if (error === undefined) return "";
  const kind = status === "failed" ? "reason" : "reason warn";
  return html`<tr>
    <td class="${kind}" colspan="${COLUMNS}">${sanitizeText(error.message).trim()}</td>
  </tr>`;
}

// What turns text around would do so in a page, too.
function clean(text: string): string {
  return sanitizeText(text);
}
