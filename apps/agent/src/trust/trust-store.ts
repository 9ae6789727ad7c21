import { join } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { isRecord, silentLogger } from "@toolgate/contracts";

import type { HostPlaces } from "../state/state-directory.ts";
import { stateDirectory } from "../state/state-directory.ts";
import { createStateFile } from "../state/state-file.ts";
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
  const now = options.now ?? Date.now;
  const file = createStateFile({
    path: options.file ?? join(stateDirectory(options), "trust.json"),
    what: "approvals",
    remedy: "approve the servers again",
    parse: parseApprovals,
    serialize: (approvals) => ({ approvals: Object.fromEntries(approvals) }),
    logger: options.logger ?? silentLogger,
  });
  return {
    path: file.path,
    async isApproved(subject) {
      return (await file.read()).has(hashDefinition(subject));
    },
    approve: (subjects) =>
      file.update((approvals) => {
        const approvedAt = new Date(now()).toISOString();
        for (const subject of subjects) {
          approvals.set(hashDefinition(subject), { name: subject.name, path: subject.path, approvedAt });
        }
      }),
    revoke: (subject) =>
      file.update((approvals) => {
        const found = [...approvals].filter(([, item]) => item.name === subject.name && item.path === subject.path);
        for (const [hash] of found) approvals.delete(hash);
        return found.length;
      }),
  };
}

function parseApprovals(value: unknown): Map<string, Approval> {
  const approvals = isRecord(value) && isRecord(value["approvals"]) ? Object.entries(value["approvals"]) : [];
  return new Map(approvals.filter((entry): entry is [string, Approval] => isApproval(entry[1])));
}

function isApproval(value: unknown): value is Approval {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["path"] === "string";
}
