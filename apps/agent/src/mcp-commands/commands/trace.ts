import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import { messageOf } from "@toolgate/contracts";

import type { StartRecord } from "../../state/start-record.ts";
import { describeStart } from "../../state/start-record.ts";
import { createStartStore } from "../../state/start-store.ts";
import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { describeHandOver, describeTime, gateOf, summarizeStart } from "../../terminal/start-summary.ts";
import { renderWaterfall } from "../../terminal/waterfall.ts";
import { wrapText } from "../../terminal/wrap-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, failedOutcome } from "../command-outcome.ts";
import type { MCPCommand } from "../mcp-command.ts";

const LONGEST_REASON_LINES = 4;

/**
 * `trace`: draws the last start as a waterfall, or writes it as a page. In the chat it is the start of the live session,
 * otherwise the last one that was recorded; nothing is started.
 */
export async function traceStart(
  { html }: Extract<MCPCommand, { name: "trace" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const start = await findStart(context);
  if (start === undefined) {
    return {
      document: { start: null },
      text: `No start of servers has been recorded yet: ${context.prefix} list starts them all.`,
      exitStatus: html === undefined ? EXIT_STATUS.fine : EXIT_STATUS.failed,
    };
  }
  if (html === undefined) return { document: { start }, text: render(start, context), exitStatus: EXIT_STATUS.fine };
  const file = resolve(context.cwd, html);
  const { renderTracePage } = await import("../../trace-page/render-trace-page.ts");
  try {
    await writeFile(file, renderTracePage(start, context));
  } catch (error) {
    return failedOutcome(new Error(`The page could not be written to ${file}: ${messageOf(error)}`));
  }
  return { document: { start, html: file }, text: `Written: ${sanitizeLine(file)}`, exitStatus: EXIT_STATUS.fine };
}

async function findStart(context: CommandContext): Promise<StartRecord | undefined> {
  const manager = context.session?.mcpManager;
  if (manager !== undefined) return describeStart(manager, { command: "chat", cwd: context.cwd });
  return createStartStore(context).latest();
}

function render(start: StartRecord, context: CommandContext): string {
  const { style, width, home } = context;
  const place = formatPath(start.cwd, { cwd: "", home });
  return [
    style.bold(sanitizeLine(`${start.command} · ${describeTime(start.time)} · ${place}`)),
    [summarizeStart(start), describeHandOver(start)].filter((text) => text !== "").join(" · "),
    "",
    ...renderWaterfall(start.servers, { ...gateOf(start), width, style }),
    ...renderReasons(start, context),
  ].join("\n");
}

function renderReasons({ servers }: StartRecord, { style, width }: CommandContext): string[] {
  const lines = servers.flatMap(({ name, status, error }) => {
    if (error === undefined) return [];
    const sign = status === "failed" ? style.bad("✗") : style.warning("!");
    const wrapped = wrapText(sanitizeLine(`${name}: ${error.message}`), Math.max(20, width - 2));
    const shown = wrapped.slice(0, LONGEST_REASON_LINES);
    const rest = wrapped.length > shown.length ? ["…"] : [];
    return [...shown, ...rest].map((line, index) => `${index === 0 ? sign : " "} ${line}`);
  });
  return lines.length === 0 ? [] : ["", ...lines];
}
