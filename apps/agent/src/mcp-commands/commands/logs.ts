import { watch } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { LoggedMessage, LogEntry } from "../../server-logs/server-log-entry.ts";
import { stderrOf } from "../../server-logs/stderr-of.ts";
import { alignColumns } from "../../terminal/columns.ts";
import { formatDuration, formatPath } from "../../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, usageOutcome } from "../command-outcome.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { unknownServerError } from "../server-access.ts";
import { findSource } from "../server-source.ts";

type LogsCommand = Extract<MCPCommand, { name: "logs" }>;

/** What is known of a server's talk with this host. */
interface ServerLog {
  from: "session" | "last-run";
  messages: readonly LoggedMessage[];
  stderr: string;
  run?: { at: number; cwd: string };
}

/**
 * `logs`: what a server wrote to stderr and which messages went to and fro: in the live session, or in the last run that
 * left a file. What messages said is shown only when that is asked for, with secrets masked.
 */
export async function showLogs(command: LogsCommand, context: CommandContext): Promise<CommandOutcome> {
  const { server } = command;
  const { emit } = context;
  if (command.follow && emit === undefined)
    return usageOutcome("--follow shows text as it comes; it has no JSON form.");
  const log = readSession(server, context) ?? (await readLastRun(server, context));
  if (log === undefined) {
    const loaded = await context.servers.load();
    if (findSource(loaded, server) === undefined) throw unknownServerError(loaded, server);
    if (!command.follow) return nothingKept(server, context);
  }
  if (command.follow && emit !== undefined) {
    emit(log === undefined ? "" : render(log, command, context));
    await follow(log, command, { context, emit });
  }
  if (log === undefined) return nothingKept(server, context);
  return {
    document: {
      name: server,
      from: log.from,
      ...(log.run === undefined ? {} : { run: log.run }),
      messages: log.messages.map((message) => messageDocument(message, command)),
      stderr: log.stderr,
    },
    text: render(log, command, context),
    exitStatus: EXIT_STATUS.fine,
    notes: missingTexts(log, command, context),
  };
}

function readSession(server: string, { session, logs }: CommandContext): ServerLog | undefined {
  const described = session?.mcpManager?.describeServers().find(({ name }) => name === server);
  const messages = logs.messagesOf(server);
  if (described === undefined && messages.length === 0) return undefined;
  return { from: "session", messages: [...messages], stderr: described === undefined ? "" : stderrOf(described) };
}

async function readLastRun(server: string, { logs }: CommandContext): Promise<ServerLog | undefined> {
  const entries = await logs.readLastRun(server);
  return entries.length === 0 ? undefined : lastRunOf(entries);
}

function lastRunOf(entries: readonly LogEntry[]): ServerLog {
  const run = entries.findLast((entry) => entry.type === "run");
  const stderr = entries.flatMap((entry) => (entry.type === "stderr" ? [entry.text] : [])).join("");
  return {
    from: "last-run",
    messages: entries.filter((entry) => entry.type === "message"),
    stderr,
    ...(run === undefined ? {} : { run: { at: run.at, cwd: run.cwd } }),
  };
}

function nothingKept(server: string, { logs, prefix }: CommandContext): CommandOutcome {
  const why =
    logs.files === "off"
      ? 'The setting "mcp.logs" keeps no files.'
      : `It has not been started yet: ${prefix} test ${server}`;
  return {
    document: { name: server, messages: [], stderr: "" },
    text: sanitizeLine(`Nothing is logged of ${server}. ${why}`),
    exitStatus: EXIT_STATUS.fine,
  };
}

/** Shows what comes until the signal aborts, with which it rejects: from this session, or what another one writes. */
async function follow(
  log: ServerLog | undefined,
  { server, protocol }: LogsCommand,
  { context, emit }: { context: CommandContext; emit: (text: string) => void },
): Promise<void> {
  const { logs, session, signal } = context;
  const show = (messages: readonly LoggedMessage[]): void => emit(renderMessages(messages, protocol).join("\n"));
  if (session !== undefined) {
    const stop = logs.subscribe((name, message) => {
      if (name === server) show([message]);
    });
    await new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    }).finally(stop);
  }
  const path = logs.fileOf(server);
  let shown = log?.messages.length ?? 0;
  let run = log?.run?.at;
  for await (const { filename } of watch(dirname(path), { signal })) {
    if (filename !== null && filename !== basename(path)) continue;
    const current = await readLastRun(server, context);
    if (current === undefined) continue;
    if (current.run?.at !== run || current.messages.length < shown) shown = 0;
    run = current.run?.at;
    if (current.messages.length > shown) show(current.messages.slice(shown));
    shown = current.messages.length;
  }
}

function messageDocument(message: LoggedMessage, { protocol }: LogsCommand): object {
  const { type: _type, text, ...facts } = message;
  return protocol && text !== undefined ? { ...facts, text } : facts;
}

function missingTexts(log: ServerLog, { protocol }: LogsCommand, { prefix }: CommandContext): string[] {
  const isMissing = protocol && log.messages.length > 0 && log.messages.every(({ text }) => text === undefined);
  if (!isMissing) return [];
  return [
    'What messages say is kept in the chat only (/mcp logs), or with the setting "mcp.logs": "protocol"; ' +
      `${prefix} call shows it for one call.`,
  ];
}

function render(log: ServerLog, { protocol }: LogsCommand, context: CommandContext): string {
  const { run, messages, stderr } = log;
  const { style } = context;
  const output = sanitizeText(stderr).trimEnd();
  return [
    ...(run === undefined
      ? []
      : [style.dim(sanitizeLine(`run of ${new Date(run.at).toISOString()} in ${formatPath(run.cwd, context)}`))]),
    ...(messages.length === 0 ? ["No messages."] : renderMessages(messages, protocol)),
    ...(output === "" ? [] : [style.bold("stderr"), ...output.split("\n").map((line) => `  ${line}`)]),
  ].join("\n");
}

function renderMessages(messages: readonly LoggedMessage[], protocol: boolean): string[] {
  const rows = messages.map(({ at, direction, kind, method = "", id, durationMs, size, errorCode }) => [
    new Date(at).toISOString().slice(11, 23),
    direction === "sent" ? "→" : "←",
    sanitizeLine(
      kind === "response" ? `${method} ${errorCode === undefined ? "answered" : `error ${errorCode}`}` : method,
    ),
    id === undefined ? "" : sanitizeLine(`#${id}`),
    durationMs === undefined ? "" : formatDuration(durationMs),
    `${size} characters`,
  ]);
  const lines = alignColumns(rows, { right: [4, 5] });
  if (!protocol) return lines;
  return lines.flatMap((line, index) => {
    const text = messages[index]?.text;
    return text === undefined ? [line] : [line, `    ${sanitizeLine(text)}`];
  });
}
