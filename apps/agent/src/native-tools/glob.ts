import { relative, sep } from "node:path";

import type { AgentTool } from "@toolgate/contracts";

import { defineNativeTool } from "./native-tool.ts";
import type { PathScope } from "./path-scope.ts";
import { readInteger, readOptionalText, readText } from "./read-arguments.ts";
import { walkFiles } from "./walk-files.ts";

const DEFAULT_FILES = 200;
const MAX_FILES = 2000;

/** `glob`: the files whose paths fit a pattern. */
export function createGlobTool(scope: PathScope): AgentTool {
  return defineNativeTool({
    name: "glob",
    label: "Glob",
    description:
      "Finds files by a pattern such as src/**/*.ts; a pattern without a slash fits names in any folder. What .gitignore leaves out is not searched.",
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", description: "With *, **, ?, [abc] and {a,b}." },
        path: { type: "string", default: ".", description: "The folder to search." },
        limit: { type: "integer", minimum: 1, maximum: MAX_FILES, default: DEFAULT_FILES },
      },
      required: ["pattern"],
    },
    annotations: { title: "Glob", readOnlyHint: true, openWorldHint: false },
    async run(args, { signal }) {
      const folder = scope.resolve(readOptionalText(args, "path") ?? ".");
      const matches = await createGlobTest(readText(args, "pattern"), folder);
      const limit = readInteger(args, "limit", { minimum: 1, maximum: MAX_FILES, fallback: DEFAULT_FILES });
      const found: string[] = [];
      for await (const path of walkFiles(folder, signal)) {
        if (!matches(path)) continue;
        if (found.length === limit) return [...found, `(more than ${limit} files; narrow the pattern)`].join("\n");
        found.push(scope.show(path));
      }
      return found.length === 0 ? "No file fits." : found.join("\n");
    },
  });
}

/** Makes the test for the paths below a folder. */
export async function createGlobTest(pattern: string, folder: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import("picomatch");
  const matches = picomatch(pattern.replace(/^\.\//, ""), { dot: true, basename: !pattern.includes("/") });
  return (path) => matches(relative(folder, path).split(sep).join("/"));
}
