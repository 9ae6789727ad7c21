import type { SourceMeta } from "@toolgate/contracts";
import { transportOf } from "@toolgate/contracts";

import type { Clock } from "./clock.ts";
import { notConnectedError } from "./connection-errors.ts";
import type { ServerDescription, ServerDurations, ServerStatus, ServerTimeline } from "./server-description.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";

/** What a description is made from, beside the start. */
export interface DescribeContext {
  registry: ServerRegistry;
  clock: Clock;
}

/** Puts together what the registry knows about one server. */
export function describeServer(
  start: ServerStart,
  tools: number,
  { registry, clock }: DescribeContext,
): ServerDescription {
  const connection = registry.connections.get(start.name);
  const open = registry.openConnection(start.name);
  const source: SourceMeta | undefined = registry.sources.get(start.name);
  const closeReason = connection?.closeReason;
  const error = start.error ?? (closeReason === undefined ? undefined : notConnectedError(start.name, closeReason));
  const { startedAt, endedAt } = start.timeline;
  return {
    name: start.name,
    status: statusOf(registry, start),
    ...(start.phase === undefined ? {} : { phase: start.phase }),
    transport: open?.transport ?? transportOf(start.config),
    ...(source === undefined ? {} : { source }),
    tools,
    cached: tools > 0 && !start.toolsAreLive,
    ...describeCache(start, clock),
    timeline: { ...start.timeline },
    ...(startedAt === undefined || endedAt === undefined ? {} : { durationMs: endedAt - startedAt }),
    durations: { ...durationsOf(start.timeline), ...start.durations },
    ...(error === undefined ? {} : { error, reason: error.message }),
    warnings: [...start.warnings],
    stderr: connection?.stderr() ?? start.stderr,
    ...(open?.pid === undefined ? {} : { pid: open.pid }),
    ...(open === undefined
      ? {}
      : { protocolVersion: open.protocolVersion, era: open.era, serverInfo: open.serverInfo }),
    ...(open?.instructions === undefined
      ? {}
      : { instructions: open.instructions, instructionsLength: open.instructions.length }),
  };
}

/** Milliseconds of the steps that have come to their end. */
export function durationsOf({ startedAt, spawnedAt, initializedAt, listedAt }: ServerTimeline): ServerDurations {
  return {
    ...(startedAt === undefined ? {} : { queue: startedAt }),
    ...(startedAt === undefined || spawnedAt === undefined ? {} : { spawn: spawnedAt - startedAt }),
    ...(spawnedAt === undefined || initializedAt === undefined ? {} : { initialize: initializedAt - spawnedAt }),
    ...(initializedAt === undefined || listedAt === undefined ? {} : { list: listedAt - initializedAt }),
  };
}

function describeCache(start: ServerStart, clock: Clock): Pick<ServerDescription, "cachedAt" | "cachedAgeMs"> {
  if (start.toolsAreLive || start.cached == null) return {};
  const { fetchedAt } = start.cached;
  // A clock that was put back must not make tools come from the future.
  return { cachedAt: fetchedAt, cachedAgeMs: Math.max(0, clock.wallTime() - fetchedAt) };
}

function statusOf(registry: ServerRegistry, start: ServerStart): ServerStatus {
  if (start.error?.code === "NOT_TRUSTED") return "needs-approval";
  if (start.error?.code === "AUTH_REQUIRED") return "needs-auth";
  if (start.error !== undefined) return "failed";
  return registry.statusOf(start.name);
}
