import type { ToolResult } from "@toolgate/contracts";
import type { ServerDescription } from "@toolgate/mcp-manager";

import { stderrOf } from "../../server-logs/stderr-of.ts";
import { alignColumns } from "../../terminal/columns.ts";
import { formatCount, formatDuration } from "../../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, exitStatusOf } from "../command-outcome.ts";
import { sourceDocument } from "../discovery-documents.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { describeNextStep } from "../next-step.ts";
import { unknownServerError } from "../server-access.ts";
import type { OpenServers } from "../server-access.ts";
import { callTool } from "./call.ts";

type TestCommand = Extract<MCPCommand, { name: "test" }>;

/** A server that was started for the test, with what it said of itself. */
interface TestedServer extends ServerDescription {
  /** Names of what it says it can do. */
  capabilities?: string[];
}

/**
 * `test`: starts servers as a session would, and shows each step with its duration, what was agreed on, what cannot be
 * used, what a failed one wrote, and what to do next. With `--call` it calls one tool too.
 */
export async function testServers(command: TestCommand, context: CommandContext): Promise<CommandOutcome> {
  const { server, tool } = command;
  const open = await context.servers.open({ needsTools: true, ...(server === undefined ? {} : { only: [server] }) });
  const tested = listTested(open, server);
  if (server !== undefined && tested.length === 0) throw unknownServerError(open.loaded, server);
  const statuses = tested.map(({ error }) => (error === undefined ? EXIT_STATUS.fine : exitStatusOf(error)));
  const isCalled = server !== undefined && tool !== undefined && tested.every(({ error }) => error === undefined);
  const call = isCalled ? await callTool(callOf(server, tool, command.pairs), context) : undefined;
  return {
    document: {
      servers: tested.map((item) => testDocument(item, context)),
      ...(call === undefined ? {} : { call: { tool, result: call.document } }),
    },
    text: [
      ...(tested.length === 0 ? ["No servers are configured."] : []),
      ...tested.map((item) => renderSteps(item, context)),
      ...(call === undefined || tool === undefined ? [] : [renderCall(tool, call, context)]),
      ...tested.map((item) => renderNextStep(item, context)),
    ].join("\n"),
    report: true,
    exitStatus: Math.max(EXIT_STATUS.fine, ...statuses, call?.exitStatus ?? EXIT_STATUS.fine),
  };
}

function listTested({ manager }: OpenServers, server: string | undefined): TestedServer[] {
  return manager
    .describeServers()
    .filter(({ name }) => server === undefined || name === server)
    .map((description) => {
      const capabilities = manager.getConnection(description.name)?.capabilities;
      return capabilities === undefined
        ? description
        : { ...description, capabilities: Object.keys(capabilities).toSorted() };
    });
}

function callOf(server: string, tool: string, pairs: string[]): Extract<MCPCommand, { name: "call" }> {
  const isWhole = tool.startsWith(`${server}.`) || tool.startsWith(`${server}/`) || tool.startsWith("mcp_");
  return { name: "call", reference: isWhole ? tool : `${server}.${tool}`, pairs };
}

function testDocument(server: TestedServer, { prefix }: CommandContext): unknown {
  const { name, status, transport, tools, timeline, durations, durationMs, error, source, ...rest } = server;
  return {
    name,
    status,
    transport,
    tools,
    ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
    ...(durations === undefined ? {} : { durations }),
    timeline,
    ...(rest.protocolVersion === undefined ? {} : { protocolVersion: rest.protocolVersion }),
    ...(rest.era === undefined ? {} : { era: rest.era }),
    ...(rest.capabilities === undefined ? {} : { capabilities: rest.capabilities }),
    ...(rest.serverInfo === undefined ? {} : { serverInfo: rest.serverInfo }),
    ...(rest.instructions === undefined ? {} : { instructions: rest.instructions }),
    warnings: rest.warnings,
    stderr: stderrOf(server),
    ...(source === undefined ? {} : { source: sourceDocument(source) }),
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: error.message }, next: describeNextStep(name, error, prefix) }),
  };
}

function renderSteps(server: TestedServer, { style }: CommandContext): string {
  const { name, error, tools, serverInfo, protocolVersion, era, capabilities } = server;
  const warnings = server.warnings.map((warning) => `    ${style.warning(`! ${sanitizeLine(warning)}`)}`);
  if (error !== undefined) {
    const stderr = sanitizeText(stderrOf(server)).trimEnd();
    return [
      `${style.bad("✗")} ${style.bold(sanitizeLine(name))}  ${sanitizeText(error.message)}`,
      ...renderDurations(server),
      // What the error quotes is not repeated.
      ...(sanitizeText(error.message).includes(stderr)
        ? []
        : stderr.split("\n").map((line) => `    ${style.dim(line)}`)),
    ].join("\n");
  }
  const identity = serverInfo === undefined ? "" : `${serverInfo.name} ${serverInfo.version}`;
  return [
    `${style.good("✓")} ${style.bold(sanitizeLine(name))}  ${sanitizeLine(identity)}, ${formatCount(tools, "tool")}, ` +
      `protocol ${sanitizeLine(protocolVersion ?? "unknown")}${era === undefined ? "" : ` (${era} era)`}`,
    ...(capabilities === undefined ? [] : [`    can do: ${sanitizeLine(capabilities.join(", ") || "nothing")}`]),
    ...renderDurations(server),
    ...warnings,
  ].join("\n");
}

/** The steps that were taken; of a start that failed, those before. */
function renderDurations({ durations, timeline }: ServerDescription): string[] {
  const { startedAt, spawnedAt, initializedAt, listedAt } = timeline;
  const between = (from: number | undefined, to: number | undefined): number | undefined =>
    from === undefined || to === undefined ? undefined : to - from;
  const steps: [string, number | undefined][] = [
    ["spawn", durations?.spawn ?? between(startedAt, spawnedAt)],
    ["initialize", durations?.initialize ?? between(spawnedAt, initializedAt)],
    ["list", durations?.list ?? between(initializedAt, listedAt)],
  ];
  const rows = steps.flatMap(([step, time]) => (time === undefined ? [] : [[step, formatDuration(time)]]));
  return alignColumns(rows, { indent: "    ", right: [1] });
}

function renderCall(tool: string, { text, document, exitStatus }: CommandOutcome, { style }: CommandContext): string {
  const duration = durationOf(document);
  const sign = exitStatus === EXIT_STATUS.fine ? style.good("✓") : style.bad("✗");
  const heading = `${sign} ${style.bold(sanitizeLine(tool))}${duration === undefined ? "" : `  ${formatDuration(duration)}`}`;
  return [
    heading,
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => `    ${line}`),
  ].join("\n");
}

/** How long a call took; nothing for one that was not made. */
function durationOf(document: unknown): number | undefined {
  const time = (document as Partial<ToolResult>).details?.durationMs;
  return time === undefined || time === 0 ? undefined : time;
}

function renderNextStep({ name, error, tools }: TestedServer, { style, prefix }: CommandContext): string {
  if (error !== undefined) return style.dim(sanitizeLine(`→ ${describeNextStep(name, error, prefix)}`));
  const hint = tools === 0 ? "It offers no tools." : `It works. Its tools: ${prefix} tools ${name}`;
  return style.dim(sanitizeLine(`→ ${hint}`));
}
