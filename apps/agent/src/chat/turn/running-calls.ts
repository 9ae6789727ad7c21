import type { ToolProgress } from "@toolgate/contracts";

import type { ModelToolCall } from "../../session/agent-model.ts";
import { formatElapsed } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { truncate } from "../../terminal/text-width.ts";

const MOST_SHOWN = 6;
const BAR_WIDTH = 10;

/** A call that has not ended. */
export interface RunningCall {
  readonly call: ModelToolCall;
  /** By the clock of the turn. */
  readonly startedAt: number;
  progress?: ToolProgress;
  /** When its progress was last shown on a line of its own. */
  reportedAt?: number;
}

/** One line for each call that runs, at most six, and how many more there are. Each is plain text and fits the width. */
export function renderRunningCalls(
  calls: readonly RunningCall[],
  { now, width, sign }: { now: number; width: number; sign: string },
): string[] {
  const lines = calls.slice(0, MOST_SHOWN).map((running) => {
    const parts = [sanitizeLine(running.call.name), formatElapsed(now - running.startedAt)];
    const progress = describeProgress(running.progress);
    return truncate(`${sign} ${[...parts, ...progress].join("  ")}`, width);
  });
  const more = calls.length - MOST_SHOWN;
  return more > 0 ? [...lines, truncate(`  … and ${more} more`, width)] : lines;
}

/** How far a call has got and what it says, as far as it tells. */
export function describeProgress(progress: ToolProgress | undefined): string[] {
  if (progress === undefined) return [];
  const { progress: done, total, message } = progress;
  const text = message === undefined ? "" : sanitizeLine(message);
  return [...(total === undefined || total <= 0 ? [] : [renderBar(done, total)]), ...(text === "" ? [] : [text])];
}

function renderBar(done: number, total: number): string {
  const share = Math.min(1, Math.max(0, done / total)) || 0;
  const full = Math.round(share * BAR_WIDTH);
  return `${"▓".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${Math.round(share * 100)}%`;
}
