import type { ContentBlock } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import type { MCPManager } from "@toolgate/mcp-manager";

import { timeLimit } from "../../cancellation/time-limit.ts";
import { findWithin } from "../../native-tools/path-scope.ts";
import { serverNamesOf } from "../../session/server-names.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { attachPath } from "./attach-path.ts";
import { limitAttachments } from "./attachment-limits.ts";
import type { Mention } from "./find-mentions.ts";
import { findMentions } from "./find-mentions.ts";

/** Where mentions are looked up. */
export interface MentionScope {
  /** Paths start here and have to stay below it. */
  cwd: string;
  /** Whose resources can be mentioned. @default only paths can be */
  manager?: MCPManager | undefined;
  signal: AbortSignal;
  /** Milliseconds that all of it may take, servers that still start included. @default no limit */
  timeoutMs?: number;
}

/** What the mentions of a text are. */
export interface ReadMentions {
  /** In the order of the text; what is mentioned twice is here once. */
  attachments: ContentBlock[];
  /** One line for each mention that could not be read. */
  problems: string[];
}

/** A mention that names something. */
type Target = { server: string; uri: string } | { path: string; typed: string };

/**
 * Reads what a text mentions, all at once: resources from their servers, which are waited for, files and folders within
 * the working directory. An `@` with anything else is plain text.
 *
 * @throws the signal's reason; what fails otherwise is a problem
 */
export async function readMentions(text: string, scope: MentionScope): Promise<ReadMentions> {
  const servers = serverNamesOf(scope.manager);
  const mentions = findMentions(text, servers);
  if (mentions.length === 0) return { attachments: [], problems: [] };
  const { signal, timeoutMs } = scope;
  const limit = timeoutMs === undefined ? undefined : timeLimit(timeoutMs);
  const bounded = { ...scope, signal: limit === undefined ? signal : AbortSignal.any([signal, limit]) };
  const targets = (await Promise.all(mentions.map((mention) => findTarget(mention, bounded)))).filter(
    (target) => target !== undefined,
  );
  const distinct = new Map(targets.map((target) => ["server" in target ? addressOf(target) : target.path, target]));
  const outcomes = await Promise.all(
    [...distinct.values()].map(async (target) => {
      try {
        return { blocks: limitAttachments(await readTarget(target, bounded)) };
      } catch (error) {
        signal.throwIfAborted();
        const reason = limit?.aborted === true ? `it was not there within ${timeoutMs} ms` : messageOf(error);
        return { problem: describeProblem(target, reason) };
      }
    }),
  );
  signal.throwIfAborted();
  return {
    attachments: outcomes.flatMap(({ blocks = [] }) => blocks),
    problems: outcomes.flatMap(({ problem }) => problem ?? []),
  };
}

async function findTarget({ server, readings }: Mention, scope: MentionScope): Promise<Target | undefined> {
  if (server !== undefined) return { server, uri: await findUri(server, readings, scope) };
  for (const typed of readings) {
    // One after the other: the longest that exists is meant.
    // oxlint-disable-next-line no-await-in-loop
    const path = await findWithin(scope.cwd, typed);
    if (path !== undefined) return { path, typed };
  }
  return undefined;
}

/** A server is asked for what it has only where that decides which reading is meant. */
async function findUri(server: string, readings: readonly string[], scope: MentionScope): Promise<string> {
  const fallback = readings.at(-1) ?? "";
  if (readings.length === 1 || scope.manager === undefined) return fallback;
  try {
    const { items } = await scope.manager.listResources({ server, signal: scope.signal });
    return readings.find((reading) => items.some(({ uri }) => uri === reading)) ?? fallback;
  } catch {
    // The reading itself says what is wrong.
    return fallback;
  }
}

async function readTarget(target: Target, { manager, signal }: MentionScope): Promise<ContentBlock[]> {
  if ("path" in target) return [await attachPath(target.path)];
  signal.throwIfAborted();
  if (manager === undefined) return [];
  const { contents } = await manager.readResource(target, { signal });
  if (contents.length === 0) throw new ToolgateError("SERVER_ERROR", "it holds nothing");
  return contents.map(({ uri, mimeType, text, blob }): ContentBlock => {
    if (blob !== undefined && mimeType?.startsWith("image/") === true) return { type: "image", data: blob, mimeType };
    const content = { ...(text === undefined ? {} : { text }), ...(blob === undefined ? {} : { blob }) };
    return { type: "resource", resource: { uri, ...(mimeType === undefined ? {} : { mimeType }), ...content } };
  });
}

function addressOf({ server, uri }: { server: string; uri: string }): string {
  return `@${server}:${uri}`;
}

function describeProblem(target: Target, reason: string): string {
  return sanitizeLine(`✗ ${"server" in target ? addressOf(target) : `@${target.typed}`}: ${reason}`);
}
