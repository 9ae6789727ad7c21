import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { maskServerConfig, transportOf } from "@toolgate/contracts";
import type { LoadedConfigs, ServerDescription } from "@toolgate/mcp-manager";

import { joinWarnings } from "../../settings/load-settings.ts";
import { formatCount, formatDuration, formatPath } from "../../terminal/format.ts";
import type { ServerRow } from "../../terminal/render-servers.ts";
import { renderServers } from "../../terminal/render-servers.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { briefReason } from "../brief-reason.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { shadowedDocument, sourceDocument, warningDocument } from "../discovery-documents.ts";

/** `list`: every server with its state, the shadowed entries and how many warnings there are. */
export async function listServers(context: CommandContext): Promise<CommandOutcome> {
  const { manager, loaded } = await context.servers.open();
  const described = manager.describeServers();
  const servers = [
    ...described.map((server) => ({ row: connectedRow(server, loaded, context), error: server.error })),
    ...absentRows(loaded, new Set(described.map((server) => server.name))).map((row) => ({ row, error: undefined })),
  ].toSorted((a, b) => (a.row.name < b.row.name ? -1 : 1));
  const warnings = joinWarnings(context.settingsWarnings, loaded.warnings);
  const document = {
    servers: servers.map(({ row, error }) => ({
      name: row.name,
      status: row.status,
      transport: row.transport,
      tools: row.tools,
      cached: row.cached,
      ...(row.source === undefined ? {} : { source: sourceDocument(row.source) }),
      ...(row.durationMs === undefined ? {} : { durationMs: Math.round(row.durationMs) }),
      ...timingDocument(described.find((server) => server.name === row.name)),
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    })),
    shadowed: loaded.shadowed.map(shadowedDocument),
    filtered: Object.entries(loaded.filtered).map(([name, { source }]) => ({ name, source: sourceDocument(source) })),
    warnings: warnings.map(warningDocument),
  };
  const rows = servers.map(({ row }) => row);
  return {
    document,
    text: renderList(rows, { loaded, warnings: warnings.length, context }),
    exitStatus: EXIT_STATUS.fine,
  };
}

// What `durationMs` is made of, and how old the tools are that stand in for it.
function timingDocument(server: ServerDescription | undefined): Pick<ServerDescription, "cachedAgeMs"> & {
  durations?: Record<string, number>;
} {
  if (server === undefined) return {};
  const durations = Object.entries(server.durations).map(([step, time]) => [step, Math.round(time)] as const);
  return {
    ...(durations.length === 0 ? {} : { durations: Object.fromEntries(durations) }),
    ...(server.cachedAgeMs === undefined ? {} : { cachedAgeMs: server.cachedAgeMs }),
  };
}

function connectedRow(server: ServerDescription, loaded: LoadedConfigs, context: CommandContext): ServerRow {
  const reason = reasonOf(server, loaded);
  const hint = hintOf(server, context);
  return {
    name: server.name,
    status: server.status,
    transport: server.transport,
    tools: server.tools,
    cached: server.cached,
    ...(server.cachedAt === undefined ? {} : { cachedAt: server.cachedAt }),
    ...(server.source === undefined ? {} : { source: server.source }),
    ...(server.durationMs === undefined ? {} : { durationMs: server.durationMs }),
    ...(reason === undefined ? {} : { reason }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function reasonOf(server: ServerDescription, loaded: LoadedConfigs): string | undefined {
  const { name, status, source, durationMs } = server;
  // The error of an approval repeats what sign, label and hint say; what would be run is what to decide about.
  if (status === "needs-approval") {
    const config = loaded.configs[name];
    return config === undefined ? `declared by ${source?.path ?? "the project"}` : describeTarget(config);
  }
  const reason = briefReason(server);
  if (status !== "failed" || durationMs === undefined) return reason;
  return `after ${formatDuration(durationMs)}: ${reason ?? "failed"}`;
}

/** What an entry runs or asks, its secrets masked. */
function describeTarget(config: MCPServerConfig): string {
  const masked = maskServerConfig(config);
  return masked.type === "http" || masked.type === "sse"
    ? masked.url
    : [masked.command, ...(masked.args ?? [])].join(" ");
}

function hintOf({ name, status }: ServerDescription, { prefix, session }: CommandContext): string | undefined {
  if (status === "needs-approval") return `${prefix} trust ${name}`;
  if (status === "needs-auth") return `${prefix} auth ${name}`;
  // Only a session has something to start again.
  if ((status === "failed" || status === "disconnected") && session !== undefined) return `${prefix} reconnect ${name}`;
  return undefined;
}

function absentRows(loaded: LoadedConfigs, present: ReadonlySet<string>): ServerRow[] {
  const disabled = Object.entries(loaded.disabled).map(([name, { config, source }]) => ({
    ...absentRow(name, source, transportOf(config)),
    status: "disabled" as const,
  }));
  const waiting = Object.entries(loaded.configs)
    .filter(([name]) => !present.has(name))
    .map(([name, config]) => ({
      ...absentRow(name, loaded.sources[name], transportOf(config)),
      status: "disconnected" as const,
      reason: "configured since the session began; /mcp reload takes it in",
    }));
  return [...disabled.filter(({ name }) => !present.has(name)), ...waiting];
}

function absentRow(name: string, source: SourceMeta | undefined, transport: string): Omit<ServerRow, "status"> {
  return { name, transport, tools: 0, cached: false, ...(source === undefined ? {} : { source }) };
}

function renderList(
  rows: readonly ServerRow[],
  { loaded, warnings, context }: { loaded: LoadedConfigs; warnings: number; context: CommandContext },
): string {
  const { style, prefix } = context;
  const lines = renderServers(rows, { ...context, now: context.now() });
  if (rows.length === 0) {
    lines.push(`No MCP servers are configured. Add one: ${prefix} add NAME -- COMMAND, or see ${prefix} sources`);
  }
  for (const { name, _source: source, shadowedBy } of loaded.shadowed) {
    const path = formatPath(source.path, context);
    const winner = formatPath(shadowedBy.path, context);
    lines.push(style.dim(sanitizeLine(`shadowed: ${name} in ${path} (${winner} wins)`)));
  }
  for (const name of Object.keys(loaded.filtered)) {
    lines.push(style.dim(sanitizeLine(`not started: ${name}, the native tool exa_search stands in for it`)));
  }
  if (warnings > 0) lines.push(style.warning(`${formatCount(warnings, "warning")}: ${prefix} doctor`));
  return lines.join("\n");
}
