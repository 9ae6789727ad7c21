import type { ServerTimeline } from "@toolgate/mcp-manager";

/** The steps of a start that take time, in their order. */
export type StartSegmentStep = "queue" | "spawn" | "initialize" | "list";

/** One step of a start on the time axis, in milliseconds since the start of all servers. */
export interface StartSegment {
  step: StartSegmentStep;
  from: number;
  to: number;
  /** Whether the step came to its end; the start failed in it, or still is in it, when it did not. */
  complete: boolean;
}

/**
 * What a server did when, without gaps.
 *
 * @param now - The end of a step that is still under way.
 */
export function segmentsOf(timeline: ServerTimeline, now: number): StartSegment[] {
  const { startedAt, spawnedAt, initializedAt, listedAt, endedAt = now } = timeline;
  const ends = { queue: startedAt, spawn: spawnedAt, initialize: initializedAt, list: listedAt };
  const segments: StartSegment[] = [];
  let from = 0;
  for (const step of ["queue", "spawn", "initialize", "list"] as const) {
    const end = ends[step];
    const to = Math.max(from, end ?? endedAt);
    segments.push({ step, from, to, complete: end !== undefined });
    if (end === undefined) break;
    from = to;
  }
  return segments;
}

/** Where the time axis of a set of starts ends. */
export function endOfAxis(timelines: readonly ServerTimeline[], gateMs: number): number {
  return Math.max(1, gateMs, ...timelines.flatMap((timeline) => Object.values(timeline) as number[]));
}
