import type { SourceMeta } from "@toolgate/contracts";
import { transportOf } from "@toolgate/contracts";

import { notConnectedError } from "./connection-errors.ts";
import type { ServerDescription, ServerStatus } from "./server-description.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";

/** Puts together what the registry knows about one server. */
export function describeServer(registry: ServerRegistry, start: ServerStart, tools: number): ServerDescription {
  const connection = registry.connections.get(start.name);
  const open = registry.openConnection(start.name);
  const source: SourceMeta | undefined = registry.sources.get(start.name);
  const reason = connection?.closeReason;
  const error = start.error ?? (reason === undefined ? undefined : notConnectedError(start.name, reason));
  const { startedAt, endedAt } = start.timeline;
  return {
    name: start.name,
    status: statusOf(registry, start),
    ...(start.phase === undefined ? {} : { phase: start.phase }),
    transport: open?.transport ?? transportOf(start.config),
    ...(source === undefined ? {} : { source }),
    tools,
    cached: tools > 0 && !start.toolsAreLive,
    ...(start.toolsAreLive || start.cached == null ? {} : { cachedAt: start.cached.fetchedAt }),
    timeline: { ...start.timeline },
    ...(startedAt === undefined || endedAt === undefined ? {} : { durationMs: endedAt - startedAt }),
    ...(start.durations === undefined ? {} : { durations: start.durations }),
    ...(error === undefined ? {} : { error }),
    warnings: [...start.warnings],
    stderr: connection?.stderr() ?? start.stderr,
    ...(open?.pid === undefined ? {} : { pid: open.pid }),
    ...(open === undefined
      ? {}
      : { protocolVersion: open.protocolVersion, era: open.era, serverInfo: open.serverInfo }),
    ...(open?.instructions === undefined ? {} : { instructions: open.instructions }),
  };
}

function statusOf(registry: ServerRegistry, start: ServerStart): ServerStatus {
  if (start.error?.code === "NOT_TRUSTED") return "needs-approval";
  if (start.error?.code === "AUTH_REQUIRED") return "needs-auth";
  if (start.error !== undefined) return "failed";
  return registry.statusOf(start.name);
}
