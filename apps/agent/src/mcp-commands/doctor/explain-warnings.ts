import { access, constants, stat } from "node:fs/promises";

import type { DiscoveryWarning } from "@toolgate/contracts";

import { nameEntry } from "./configured-server.ts";
import type { Finding } from "./finding.ts";
import { setVariable } from "./shell-words.ts";

/** Turns what readers could not use into findings that say what to do. */
export function explainWarnings(warnings: readonly DiscoveryWarning[], platform: NodeJS.Platform): Promise<Finding[]> {
  return Promise.all(warnings.map((warning) => explainWarning(warning, platform)));
}

async function explainWarning(warning: DiscoveryWarning, platform: NodeJS.Platform): Promise<Finding> {
  const { path, message, line, column, server, kind, subject } = warning;
  return {
    level: (await fileIsLost(warning)) ? "error" : "warning",
    check: kind ?? "configuration-warning",
    message,
    fix: fixOf(warning, platform),
    path,
    ...(server === undefined ? {} : { server }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(kind === "missing-env-file" && subject !== undefined ? { paths: [subject] } : {}),
  };
}

function fixOf({ path, server, kind, subject, expected }: DiscoveryWarning, platform: NodeJS.Platform): string {
  if (kind === "misplaced-servers") return `Rename "${subject}" to "${expected}" in ${path}`;
  if (server === undefined) return `Correct ${path}`;
  const entry = nameEntry(server, path);
  switch (kind) {
    case "untyped-url":
      return `Add "type": "http" to ${entry} ("sse" for an older server)`;
    case "misspelt-field":
      return `Rename "${subject}" to "${expected}" in ${entry}`;
    case "unset-variable":
      return `${setVariable(subject ?? "NAME", platform)} before Toolgate starts, or write a value in its place in ${entry}`;
    case "unreadable-reference":
      return `Create the file ${subject}, or correct the reference in ${entry}`;
    case "missing-env-file":
      return `Create the file ${subject}, or correct "envFile" in ${entry}`;
    default:
      return `Correct ${entry}, or set what it refers to`;
  }
}

async function fileIsLost({ kind, path, server, line }: DiscoveryWarning): Promise<boolean> {
  if (kind !== undefined) return kind === "unusable-file";
  // A reader that names no kind: a place in a file that belongs to no entry is where parsing ended.
  return server === undefined && (line !== undefined || (await cannotBeRead(path)));
}

async function cannotBeRead(path: string): Promise<boolean> {
  try {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    return !stats.isFile();
  } catch (error) {
    // A label in place of a path, or a file that a setting names and that is not there.
    return error instanceof Error && Reflect.get(error, "code") !== "ENOENT";
  }
}
