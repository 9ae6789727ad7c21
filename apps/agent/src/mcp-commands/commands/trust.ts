import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { TrustSubject } from "../../trust/definition-hash.ts";
import { hashDefinition } from "../../trust/definition-hash.ts";
import { needsApproval, trustSubjectOf } from "../../trust/project-approval.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { endInSession, startInSession } from "../live-session.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { findSource, requireSource } from "../server-source.ts";
import { describeTarget } from "./sources.ts";

/** `trust`: approves project servers by name, asks for each one without a name, or takes approvals back. */
export async function trustServers(
  { servers, revoke }: Extract<MCPCommand, { name: "trust" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const loaded = await context.servers.load();
  // Checked before anything is changed: a mistyped name approves nothing.
  for (const name of servers) requireSource(loaded, name);
  if (revoke) return revokeApprovals(servers, loaded, context);
  const pending = await findPending(loaded, context);
  if (servers.length === 0) return askForEach(pending, loaded, context);
  const wanted = servers.filter((name) => needsApproval(findSource(loaded, name)));
  const subjects = wanted.map((name) => subjectOf(loaded, name));
  if (subjects.length > 0) await context.trust.approve(subjects);
  await startInSession(wanted, loaded, context);
  const unneeded = servers.filter((name) => !wanted.includes(name));
  return {
    document: documentOf(
      subjects,
      pending.filter((name) => !wanted.includes(name)),
    ),
    text: subjects.map((subject) => approvedLine(subject, loaded, context)).join("\n"),
    exitStatus: EXIT_STATUS.fine,
    notes: [
      ...unneeded.map((name) => sanitizeLine(`${name} is your own entry and needs no approval.`)),
      ...rememberedNotes(subjects.length, context),
    ],
  };
}

async function findPending(loaded: LoadedConfigs, { trust }: CommandContext): Promise<string[]> {
  const names = Object.keys(loaded.configs).filter((name) => needsApproval(loaded.sources[name]));
  const approved = await Promise.all(names.map((name) => trust.isApproved(subjectOf(loaded, name))));
  return names.filter((_name, index) => approved[index] !== true).toSorted();
}

async function askForEach(
  pending: readonly string[],
  loaded: LoadedConfigs,
  context: CommandContext,
): Promise<CommandOutcome> {
  if (pending.length === 0) {
    return { document: documentOf([], []), text: "No server needs approval.", exitStatus: EXIT_STATUS.fine };
  }
  const lines = pending.map((name) => sanitizeLine(`${name}: ${targetOf(name, loaded)}`));
  if (context.confirm === undefined) {
    const text = [...lines, `Approve by name: ${context.prefix} trust ${pending.join(" ")}`].join("\n");
    return { document: documentOf([], pending), text: sanitizeTextLines(text), exitStatus: EXIT_STATUS.needsConsent };
  }
  const subjects: TrustSubject[] = [];
  for (const [index, name] of pending.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    if (await context.confirm(`${lines[index] ?? name}\nApprove it?`)) subjects.push(subjectOf(loaded, name));
  }
  const approved = subjects.map((subject) => subject.name);
  if (subjects.length > 0) await context.trust.approve(subjects);
  await startInSession(approved, loaded, context);
  const left = pending.filter((name) => !approved.includes(name));
  return {
    document: documentOf(subjects, left),
    text: subjects.map((subject) => approvedLine(subject, loaded, context)).join("\n"),
    exitStatus: EXIT_STATUS.fine,
    notes: rememberedNotes(subjects.length, context),
  };
}

async function revokeApprovals(
  servers: readonly string[],
  loaded: LoadedConfigs,
  context: CommandContext,
): Promise<CommandOutcome> {
  const lines: string[] = [];
  let revoked = 0;
  for (const name of servers) {
    const subject = { name, path: requireSource(loaded, name).path };
    // oxlint-disable-next-line no-await-in-loop -- each is one line of the answer
    const count = await context.trust.revoke(subject);
    revoked += count;
    if (count > 0 && needsApproval(findSource(loaded, name))) await endInSession(name, context);
    lines.push(sanitizeLine(count > 0 ? `${name}: approval taken back` : `${name}: was not approved`));
  }
  return {
    document: { revoked: servers },
    text: lines.join("\n"),
    exitStatus: EXIT_STATUS.fine,
    notes: rememberedNotes(revoked, context),
  };
}

/** Where approvals are kept, when that file was changed. */
function rememberedNotes(count: number, context: CommandContext): string[] {
  return count === 0 ? [] : [sanitizeLine(`changed ${formatPath(context.trust.path, context)}`)];
}

/** What an approval of a server is given for. */
export function subjectOf(loaded: LoadedConfigs, name: string): TrustSubject {
  const source = requireSource(loaded, name);
  const config = loaded.configs[name] ?? loaded.disabled[name]?.config ?? { command: "" };
  return trustSubjectOf({ name, config, source, definition: loaded.entries[name]?.definition });
}

function documentOf(subjects: readonly TrustSubject[], pending: readonly string[]): unknown {
  return {
    approved: subjects.map((subject) => ({
      name: subject.name,
      path: subject.path,
      hash: hashDefinition(subject),
    })),
    pending,
  };
}

function approvedLine({ name, path }: TrustSubject, loaded: LoadedConfigs, context: CommandContext): string {
  return sanitizeLine(`${name}: approved (${formatPath(path, context)}): ${targetOf(name, loaded)}`);
}

function targetOf(name: string, loaded: LoadedConfigs): string {
  const config = loaded.configs[name] ?? loaded.disabled[name]?.config;
  return config === undefined ? "" : describeTarget(config);
}

function sanitizeTextLines(text: string): string {
  return text.split("\n").map(sanitizeLine).join("\n");
}
