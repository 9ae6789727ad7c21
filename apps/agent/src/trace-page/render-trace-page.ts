import { createHash } from "node:crypto";

import type { StartRecord } from "../state/start-record.ts";
import { endOfAxis } from "../state/start-segments.ts";
import { formatDuration, formatPath } from "../terminal/format.ts";
import { describeHandOver, describeTime, gateOf, summarizeStart } from "../terminal/start-summary.ts";
import { html, Markup } from "./markup.ts";
import { TRACE_PAGE_SCRIPT } from "./trace-page-script.ts";
import { TRACE_PAGE_STYLE } from "./trace-page-style.ts";
import type { TimeAxis } from "./trace-server.ts";
import { renderServer, share } from "./trace-server.ts";

/** Headings of the columns with figures, in the order of {@link renderServer}. */
const FIGURES = ["Tools", "Wait", "Spawn", "Initialize", "List", "Start"] as const;
// In one piece: the policy below names the script by the hash of its text.
const SCRIPT = new Markup(`<script>${TRACE_PAGE_SCRIPT}</script>`);
const AXIS_STEPS = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000];
const MOST_AXIS_LABELS = 6;

/**
 * Draws a start as one page: nothing is loaded, and nothing that a server calls itself or says can run in it. The table
 * can be read without seeing the bars, and used without a mouse.
 */
export function renderTracePage(start: StartRecord, { home }: { home: string }): string {
  const { gateMs, gateLabel } = gateOf(start);
  const end = endOfAxis(
    start.servers.map(({ timeline }) => timeline),
    gateMs,
  );
  const axis: TimeAxis = { end, gateMs };
  const title = `${start.command} · ${describeTime(start.time)}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${contentPolicy()}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Toolgate start: ${title}</title>
        <style>
          ${new Markup(TRACE_PAGE_STYLE)}
        </style>
      </head>
      <body>
        <header>
          <h1>How the servers started</h1>
          <p>${title} · ${formatPath(start.cwd, { cwd: "", home })}</p>
          <p class="summary">
            ${[summarizeStart(start), describeHandOver(start)].filter((text) => text !== "").join(" · ")}
          </p>
        </header>
        <main>
          ${renderLegend(start, gateLabel)}
          <div class="scroll" role="region" aria-label="Servers" tabindex="0">
            <table>
              <caption>
                Servers with their state and the milliseconds of each step of their start
              </caption>
              <thead>
                <tr>
                  <th scope="col" aria-sort="ascending"><button type="button">Server</button></th>
                  <th scope="col" aria-sort="none"><button type="button">State</button></th>
                  ${FIGURES.map((name) => html`<th scope="col" class="number" aria-sort="none"><button type="button">${name}</button></th> `)}
                  <th scope="col" class="timeline">Timeline${renderAxis(axis)}</th>
                </tr>
              </thead>
              ${start.servers.map((server) => renderServer(server, axis))}
            </table>
          </div>
        </main>
        <footer>
          <p>
            Figures are milliseconds. Wait: from the beginning to the server’s turn; Start: from its turn to its end.
          </p>
        </footer>
        ${SCRIPT}
      </body>
    </html> `;
  return page.toString();
}

// Even a page that was put together wrongly could neither load anything nor run another script.
function contentPolicy(): string {
  const hash = createHash("sha256").update(TRACE_PAGE_SCRIPT).digest("base64");
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

function renderLegend({ servers }: StartRecord, gate: string): Markup {
  const usesCache = servers.some(({ timeline }) => timeline.cachedToolsAt !== undefined);
  const steps = [
    ["queue", "waiting for its turn"],
    ["spawn", "spawn"],
    ["initialize", "initialize"],
    ["list", "tools/list"],
    ["gate", gate],
  ] as const;
  return html`<ul class="legend" aria-label="Legend">
    ${steps.map(([step, text]) => html`<li><i class="${step}" aria-hidden="true"></i>${text}</li>`)}
    ${usesCache ? html`<li>◆ cache: tools of an earlier session stood in for the server</li>` : ""}
  </ul>`;
}

function renderAxis({ end }: TimeAxis): Markup {
  const step = AXIS_STEPS.find((size) => end / size <= MOST_AXIS_LABELS) ?? end;
  const times = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  // The last one would stand outside.
  const shown = times.filter((time) => time / end < 0.93);
  return html`<span class="axis" aria-hidden="true"
    >${shown.map(
      (time) => html`<span style="left:${share(time, end)}%">${time === 0 ? "0" : formatDuration(time)}</span>`,
    )}</span
  >`;
}
