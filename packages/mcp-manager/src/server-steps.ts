import { transportOf } from "@toolgate/contracts";
import type { ToolgateError } from "@toolgate/contracts";

import { durationsOf } from "./describe-server.ts";
import type { ServerStep, ServerStepEvent } from "./manager-events.ts";
import type { ServerStart } from "./server-registry.ts";

/** What is known beside the start when a step is told. */
export interface StepDetails {
  /** How many tools the server offers. */
  tools?: number;
  error?: ToolgateError;
}

/** The event of one step of a start, with the time that came to its end. */
export function describeStep(start: ServerStart, step: ServerStep, details: StepDetails = {}): ServerStepEvent {
  const durationMs = durationOf(start, step);
  return {
    type: "server-step",
    server: start.name,
    transport: transportOf(start.config),
    step,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...details,
  };
}

function durationOf({ timeline }: ServerStart, step: ServerStep): number | undefined {
  const { spawn, initialize, list } = durationsOf(timeline);
  switch (step) {
    case "spawned":
      return spawn;
    case "initialized":
      return initialize;
    case "listed":
      return list;
    case "ready":
    case "failed":
      return timeline.endedAt;
    case "queued":
    case "dropped":
    case "closed":
      return undefined;
    default:
      return step satisfies never;
  }
}
