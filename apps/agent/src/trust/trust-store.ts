import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { isRecord, messageOf, silentLogger } from "@toolgate/contracts";

import { writePrivateFile } from "../state/private-file.ts";
import type { HostPlaces } from "../state/state-directory.ts";
import { stateDirectory } from "../state/state-directory.ts";
import type { TrustSubject } from "./definition-hash.ts";
import { hashDefinition } from "./definition-hash.ts";

/** One approval, as it is kept. */
interface Approval {
  name: string;
  path: string;
  /** ISO 8601. */
  approvedAt: string;
}

/**
 * Remembers which project servers a person has approved.
 *
 * Contract: what cannot be read counts as not approved, never as approved; only writing rejects.
 */
export interface TrustStore {
  /** Where the approvals are kept. */
  readonly path: string;
  isApproved(subject: TrustSubject): Promise<boolean>;
  approve(subjects: readonly TrustSubject[]): Promise<void>;
  /** Takes back every approval of a server's entry in a file, whatever its definition was; returns how many. */
  revoke(subject: Pick<TrustSubject, "name" | "path">): Promise<number>;
}

/** Options of {@link createTrustStore}. */
export interface TrustStoreOptions extends HostPlaces {
  /** @default `trust.json` in the state directory */
  file?: string;
  /** Hears of a damaged file. @default silent */
  logger?: Logger;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
}

/** A trust store in one file that only its owner can read (mode 0600), replaced atomically. */
export function createTrustStore(options: TrustStoreOptions): TrustStore {
  const path = options.file ?? join(stateDirectory(options), "trust.json");
  const logger = options.logger ?? silentLogger;
  const now = options.now ?? Date.now;
  let lastWrite: Promise<unknown> = Promise.resolve();

  // One after the other, each from what the file holds then: approvals given at once are all kept.
  function update<T>(change: (approvals: Map<string, Approval>) => T): Promise<T> {
    const next = lastWrite.then(async () => {
      const approvals = await readApprovals(path, logger);
      const result = change(approvals);
      await writeApprovals(path, approvals);
      return result;
    });
    lastWrite = next.catch(() => {});
    return next;
  }

  return {
    path,
    async isApproved(subject) {
      return (await readApprovals(path, logger)).has(hashDefinition(subject));
    },
    approve: (subjects) =>
      update((approvals) => {
        const approvedAt = new Date(now()).toISOString();
        for (const subject of subjects) {
          approvals.set(hashDefinition(subject), { name: subject.name, path: subject.path, approvedAt });
        }
      }),
    revoke: (subject) =>
      update((approvals) => {
        const found = [...approvals].filter(([, item]) => item.name === subject.name && item.path === subject.path);
        for (const [hash] of found) approvals.delete(hash);
        return found.length;
      }),
  };
}

async function readApprovals(path: string, logger: Logger): Promise<Map<string, Approval>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (!isAbsent(error)) logger.warn(`The approvals in ${path} cannot be read: ${messageOf(error)}`);
    return new Map();
  }
  try {
    const value: unknown = JSON.parse(text);
    const approvals = isRecord(value) && isRecord(value["approvals"]) ? Object.entries(value["approvals"]) : [];
    return new Map(approvals.filter((entry): entry is [string, Approval] => isApproval(entry[1])));
  } catch {
    logger.warn(`The approvals in ${path} are damaged and count as not given; approve the servers again.`);
    return new Map();
  }
}

function isApproval(value: unknown): value is Approval {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["path"] === "string";
}

async function writeApprovals(path: string, approvals: ReadonlyMap<string, Approval>): Promise<void> {
  const content = { version: 1, approvals: Object.fromEntries(approvals) };
  await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

function isAbsent(error: unknown): boolean {
  return isRecord(error) && error["code"] === "ENOENT";
}
