import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { ExpectedServer, ProviderCase } from "../../src/testing.ts";

/** The platforms that every client is tested for. */
export const PLATFORMS = ["linux", "darwin", "win32"] as const;
type Platform = (typeof PLATFORMS)[number];

/** Where a file of a case lies: below `home/` or `project/`, on every platform or on some. */
type Location = string | Partial<Record<Platform, string>>;

/** The shape of a `case.json`. */
interface CorpusCase {
  description: string;
  /** Files of the case's folder, and where the client would have them. */
  files: Record<string, Location>;
  env?: Record<string, string>;
  /** @default all */
  platforms?: Platform[];
  expected: (ExpectedServer & { platforms?: Platform[] })[];
  warnings?: string[];
}

const root = fileURLToPath(new URL("../corpus/", import.meta.url));

/** All cases of a client, once for each platform. */
export function readCorpusCases(id: string): ProviderCase[] {
  const folders = readdirSync(join(root, id), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const { folder, corpusCase } = readCase(`${id}/${name}`);
    return (corpusCase.platforms ?? PLATFORMS).map((platform) => toProviderCase(folder, corpusCase, platform));
  });
}

/** The files of one case, as they lie on Linux. */
export function readCorpusFolder(path: string): Required<Pick<ProviderCase, "home" | "project">> {
  const { folder, corpusCase } = readCase(path);
  const { home = {}, project = {} } = toProviderCase(folder, corpusCase, "linux");
  return { home, project };
}

/** Files of all clients in one home and one project, as they lie on Linux; of two cases for one path the first counts. */
export function readWholeCorpus(): Required<Pick<ProviderCase, "home" | "project">> {
  const cases = listCorpusClients()
    .flatMap((id) => readCorpusCases(id))
    .filter(({ platform }) => platform === "linux");
  const merge = (place: "home" | "project"): Record<string, string> =>
    Object.assign({}, ...cases.map((one) => one[place]).toReversed()) as Record<string, string>;
  return { home: merge("home"), project: merge("project") };
}

function readCase(path: string): { folder: string; corpusCase: CorpusCase } {
  const folder = join(root, path);
  return { folder, corpusCase: JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as CorpusCase };
}

/** The files that a client looks at on each platform, as `level path` with `{home}` and `{project}`. */
export function readCorpusFiles(id: string): Record<Platform, string[]> {
  return JSON.parse(readFileSync(join(root, id, "files.json"), "utf8")) as Record<Platform, string[]>;
}

/** The clients of the corpus. */
export function listCorpusClients(): string[] {
  return readdirSync(root);
}

function toProviderCase(folder: string, corpusCase: CorpusCase, platform: Platform): ProviderCase {
  const home: Record<string, string> = {};
  const project: Record<string, string> = {};
  for (const [file, location] of Object.entries(corpusCase.files)) {
    const path = typeof location === "string" ? location : location[platform];
    if (path === undefined) continue;
    const [, place, rest] = /^(home|project)\/(.+)$/.exec(path) ?? [];
    if (rest === undefined) throw new Error(`${folder}: ${path} is neither below home/ nor below project/`);
    (place === "home" ? home : project)[rest] = readFileSync(join(folder, file), "utf8");
  }
  return {
    name: `${corpusCase.description} (${platform})`,
    home,
    project,
    platform,
    ...(corpusCase.env === undefined ? {} : { env: corpusCase.env }),
    expected: corpusCase.expected.filter(({ platforms }) => platforms?.includes(platform) ?? true),
    ...(corpusCase.warnings === undefined ? {} : { warnings: corpusCase.warnings }),
  };
}
