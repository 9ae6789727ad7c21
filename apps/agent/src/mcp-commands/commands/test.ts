import type { ServerDescription } from "@toolgate/mcp-manager";

import { alignColumns } from "../../terminal/columns.ts";
import { formatCount, formatDuration } from "../../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, exitStatusOf } from "../command-outcome.ts";
import { sourceDocument } from "../discovery-documents.ts";
import { unknownServerError } from "../server-access.ts";

/** `test`: starts servers and shows each step, with what a failed one wrote. */
export async function testServers(server: string | undefined, context: CommandContext): Promise<CommandOutcome> {
  const { manager, loaded } = await context.servers.open({
    needsTools: true,
    ...(server === undefined ? {} : { only: [server] }),
  });
  const tested = manager.describeServers().filter(({ name }) => server === undefined || name === server);
  if (server !== undefined && tested.length === 0) throw unknownServerError(loaded, server);
  return {
    document: { servers: tested.map(testDocument) },
    text: tested.length === 0 ? "No servers are configured." : tested.map((item) => render(item, context)).join("\n"),
    report: true,
    exitStatus: Math.max(
      EXIT_STATUS.fine,
      ...tested.map((item) => (item.error === undefined ? 0 : exitStatusOf(item.error))),
    ),
  };
}

function testDocument(server: ServerDescription): unknown {
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
    ...(rest.serverInfo === undefined ? {} : { serverInfo: rest.serverInfo }),
    ...(rest.instructions === undefined ? {} : { instructions: rest.instructions }),
    stderr: rest.stderr,
    ...(source === undefined ? {} : { source: sourceDocument(source) }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

function render(server: ServerDescription, { style }: CommandContext): string {
  const { name, error, durations, tools } = server;
  if (error !== undefined) {
    const stderr = sanitizeText(server.stderr).trimEnd();
    return [
      `${style.bad("✗")} ${style.bold(sanitizeLine(name))}  ${sanitizeLine(error.message)}`,
      ...(stderr === "" ? [] : stderr.split("\n").map((line) => `    ${style.dim(line)}`)),
    ].join("\n");
  }
  const { serverInfo } = server;
  const steps = Object.entries(durations ?? {}).map(([step, time]) => [step, formatDuration(Number(time))]);
  const identity = serverInfo === undefined ? "" : `${serverInfo.name} ${serverInfo.version}`;
  return [
    `${style.good("✓")} ${style.bold(sanitizeLine(name))}  ${sanitizeLine(identity)}, ${formatCount(tools, "tool")}, ` +
      `protocol ${sanitizeLine(server.protocolVersion ?? "unknown")}`,
    ...alignColumns(steps, { indent: "    ", right: [1] }),
  ].join("\n");
}
