import { addServer } from "@toolgate/capability-discovery";
import type { MCPServerConfig } from "@toolgate/contracts";
import { maskServerConfig, messageOf } from "@toolgate/contracts";

import { formatPath } from "../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";
import type { TrustSubject } from "../trust/definition-hash.ts";
import { needsApproval, trustSubjectOf } from "../trust/project-approval.ts";
import type { CommandContext } from "./command-context.ts";
import { fileForScope } from "./editable-source.ts";
import { endInSession, startInSession } from "./live-session.ts";
import type { WriteScope } from "./mcp-command.ts";

/** Where and how new servers are written. */
export interface WriteChoice {
  scope: WriteScope;
  /** Id of the client whose file they go to. @default Toolgate's own, or `.mcp.json` */
  to?: string;
  /** Replaces servers of the same name. */
  replace: boolean;
}

/** A server that a file has from now on. */
export interface WrittenServer {
  server: string;
  config: MCPServerConfig;
  path: string;
  changed: boolean;
  created: boolean;
}

/**
 * Writes one server to the file of the choice, in that file's form.
 *
 * @throws ToolgateError as `addServer` and `fileForScope`
 */
export async function writeNewServer(
  server: string,
  config: MCPServerConfig,
  { choice, context }: { choice: WriteChoice; context: CommandContext },
): Promise<WrittenServer> {
  const file = fileForScope(choice.scope, context, choice.to);
  const result = await addServer(file.path, server, config, { ...file, replace: choice.replace });
  return { server, config, path: result.path, changed: result.changed, created: result.created };
}

/**
 * Takes written servers into use: what a person writes is thereby approved, and a live session connects it. Notes say
 * what stands in the way.
 */
export async function takeInNewServers(
  written: readonly WrittenServer[],
  { replace }: Pick<WriteChoice, "replace">,
  context: CommandContext,
): Promise<{ connected: string[]; notes: string[] }> {
  const loaded = await context.servers.load();
  const notes: string[] = [];
  for (const { server, config, path } of written) {
    const source = loaded.sources[server];
    if (source !== undefined && source.path === path && needsApproval(source)) {
      const definition = loaded.entries[server]?.definition;
      // oxlint-disable-next-line no-await-in-loop -- one file of approvals
      const refusal = await approveWritten(trustSubjectOf({ name: server, config, definition, source }), context);
      if (refusal !== undefined) notes.push(refusal);
    }
    if (source !== undefined && source.path !== path) {
      notes.push(`${server} in ${formatPath(source.path, context)} wins over it.`);
    }
    if (loaded.disabled[server] !== undefined) {
      notes.push(`${server} is switched off: ${context.prefix} enable ${server}`);
    }
    // oxlint-disable-next-line no-await-in-loop -- each takes its tools out of the session
    if (replace) await endInSession(server, context);
  }
  const names = written.map(({ server }) => server);
  const connected = await startInSession(names, loaded, context);
  return { connected: connected.filter((name) => names.includes(name)), notes: notes.map(sanitizeText) };
}

/** Approves what a person has just written; when that is impossible, says how to do it by hand. */
export async function approveWritten(
  subject: TrustSubject,
  { trust, prefix }: CommandContext,
): Promise<string | undefined> {
  try {
    await trust.approve([subject]);
    return undefined;
  } catch (error) {
    return `It is not approved yet (${messageOf(error)}): ${prefix} trust ${subject.name}`;
  }
}

/** A written server as documents carry it. */
export function writtenDocument({ server, config, path, changed, created }: WrittenServer): object {
  return { name: server, path, changed, created, config: maskServerConfig(config) };
}

/** A written server for people, with the file that was changed. */
export function renderWritten(
  { server, path }: WrittenServer,
  connected: readonly string[],
  context: CommandContext,
): string {
  const what = connected.includes(server) ? "added and connected" : "added";
  return sanitizeLine(`${server}: ${what} (${formatPath(path, context)})`);
}

/** What is about to be written, for a person who decides about it: secrets are masked. */
export function previewNewServer(
  server: string,
  config: MCPServerConfig,
  { choice, context }: { choice: WriteChoice; context: CommandContext },
): string {
  const { path } = fileForScope(choice.scope, context, choice.to);
  const entry = JSON.stringify(maskServerConfig(config));
  return `${sanitizeLine(server)} → ${sanitizeLine(formatPath(path, context))}\n  ${sanitizeLine(entry)}`;
}
