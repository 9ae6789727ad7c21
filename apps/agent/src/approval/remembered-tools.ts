import { join } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { isRecord, silentLogger } from "@toolgate/contracts";

import type { HostPlaces } from "../state/state-directory.ts";
import { stateDirectory } from "../state/state-directory.ts";
import { createStateFile } from "../state/state-file.ts";

/**
 * Remembers which tools a person has allowed for good in a project.
 *
 * Contract: what cannot be read counts as not allowed; only writing rejects.
 */
export interface RememberedTools {
  /** Where they are kept. */
  readonly path: string;
  /** Names of the tools that are allowed in the project. */
  list(): Promise<string[]>;
  allow(tool: string): Promise<void>;
  /** Forgets all tools of the project; gives how many there were. */
  clear(): Promise<number>;
}

/** Options of {@link createRememberedTools}. */
export interface RememberedToolsOptions extends HostPlaces {
  /** Absolute path of the project. */
  project: string;
  /** Hears of a damaged file. @default silent */
  logger?: Logger;
}

/** Keeps the tools in `approvals.json` of the state directory, by project; never in a file of the project. */
export function createRememberedTools(options: RememberedToolsOptions): RememberedTools {
  const { project } = options;
  const file = createStateFile({
    path: join(stateDirectory(options), "approvals.json"),
    what: "remembered tools",
    remedy: "you are asked again",
    parse: parseProjects,
    serialize: (projects) => ({
      projects: Object.fromEntries([...projects].map(([path, tools]) => [path, { allow: [...tools].toSorted() }])),
    }),
    logger: options.logger ?? silentLogger,
  });
  return {
    path: file.path,
    list: async () => [...((await file.read()).get(project) ?? [])],
    allow: (tool) =>
      file.update((projects) => {
        projects.set(project, new Set([...(projects.get(project) ?? []), tool]));
      }),
    clear: () =>
      file.update((projects) => {
        const count = projects.get(project)?.size ?? 0;
        projects.delete(project);
        return count;
      }),
  };
}

function parseProjects(value: unknown): Map<string, Set<string>> {
  const projects = isRecord(value) && isRecord(value["projects"]) ? Object.entries(value["projects"]) : [];
  return new Map(
    projects.map(([path, entry]) => {
      const allow = isRecord(entry) && Array.isArray(entry["allow"]) ? entry["allow"] : [];
      return [path, new Set(allow.filter((tool): tool is string => typeof tool === "string"))];
    }),
  );
}
