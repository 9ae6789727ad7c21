import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import type { AgentTool } from "@toolgate/contracts";

import { defineNativeTool } from "./native-tool.ts";
import type { PathScope } from "./path-scope.ts";
import { describeFileError } from "./path-scope.ts";
import { readFlag, readOptionalText } from "./read-arguments.ts";
import { createIgnoreTest } from "./walk-files.ts";

const MAX_ENTRIES = 1000;

/** `list`: what is in a folder. */
export function createListTool(scope: PathScope): AgentTool {
  return defineNativeTool({
    name: "list",
    label: "List",
    description:
      "Lists what is in a folder (directory): folders end with a slash, files have their size in bytes. What .gitignore leaves out is not shown unless all is set.",
    parameters: {
      type: "object",
      properties: {
        path: {
          type: "string",
          default: ".",
          description: "The folder, relative to the working directory or absolute.",
        },
        all: { type: "boolean", default: false, description: "Show what .gitignore leaves out as well." },
      },
    },
    annotations: { title: "List", readOnlyHint: true, openWorldHint: false },
    async run(args) {
      const folder = scope.resolve(readOptionalText(args, "path") ?? ".");
      const all = readFlag(args, "all");
      const isIgnored = await createIgnoreTest(folder);
      const entries = (await readFolder(folder)).filter(
        (entry) => all || !isIgnored(join(folder, entry.name), entry.isDirectory()),
      );
      if (entries.length === 0) return `${scope.show(folder)} is empty.`;
      const lines = await Promise.all(entries.slice(0, MAX_ENTRIES).map((entry) => describeEntry(folder, entry)));
      const rest = entries.length - lines.length;
      return [...lines, ...(rest > 0 ? [`(${rest} more entries)`] : [])].join("\n");
    },
  });
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw describeFileError(error, folder);
  }
}

async function describeEntry(folder: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`;
  const link = entry.isSymbolicLink() ? " (link)" : "";
  try {
    const stats = await stat(join(folder, entry.name));
    return stats.isDirectory() ? `${entry.name}/${link}` : `${entry.name}  ${stats.size}${link}`;
  } catch {
    return `${entry.name}${link}`;
  }
}
