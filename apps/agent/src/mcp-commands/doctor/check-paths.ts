import { stat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";

import type { CommandContext } from "../command-context.ts";
import type { ConfiguredServer } from "./configured-server.ts";
import { nameEntry, subjectFields, workingDirectoryOf } from "./configured-server.ts";
import type { FindingDraft } from "./finding.ts";

const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|uv|ruby|php|perl|java|bash|sh|zsh)(?:\.exe)?$/i;
const SCRIPT = /\.(?:[cm]?[jt]s|py|pyz|rb|php|pl|jar|sh)$/i;
/** Words between an interpreter and its script. */
const SUBCOMMANDS: ReadonlySet<string> = new Set(["run", "x"]);

/** Whether the folder and the script that a local server names are there. */
export async function checkPaths(server: ConfiguredServer, context: CommandContext): Promise<FindingDraft[]> {
  const { name, config, source } = server;
  if (config.type === "http" || config.type === "sse") return [];
  const findings: FindingDraft[] = [];
  const entry = nameEntry(name, source?.path);
  if (config.cwd !== undefined) {
    const folder = workingDirectoryOf(server, context);
    if (!(await isThere(folder, "folder"))) {
      const message = `${name}: its working directory ${folder} does not exist`;
      const fix = `Create the folder, or correct "cwd" in ${entry}`;
      findings.push({ level: "error", check: "cwd-missing", message, fix, ...subjectFields(server), field: ["cwd"] });
    }
  }
  const index = findScript(config.command, config.args ?? []);
  const script = config.args?.[index];
  if (script !== undefined && !(await isThere(script, "file"))) {
    const message = `${name}: the script ${script} does not exist`;
    const fix = `Build or install it, or correct "args" in ${entry}`;
    findings.push({
      level: "warning",
      check: "script-missing",
      message,
      fix,
      ...subjectFields(server),
      field: ["args", index],
    });
  }
  return findings;
}

/** Position of the absolute path of the script that an interpreter is to run; -1 without one. */
function findScript(command: string, args: readonly string[]): number {
  if (!INTERPRETERS.test(basename(command))) return -1;
  const index = args.findIndex((word) => !word.startsWith("-") && !SUBCOMMANDS.has(word));
  const word = args[index];
  return word !== undefined && isAbsolute(word) && SCRIPT.test(word) ? index : -1;
}

async function isThere(path: string, kind: "file" | "folder"): Promise<boolean> {
  try {
    const stats = await stat(path);
    return kind === "folder" ? stats.isDirectory() : stats.isFile();
  } catch {
    return false;
  }
}
