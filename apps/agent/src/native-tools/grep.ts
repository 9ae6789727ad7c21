import { stat } from "node:fs/promises";
import { dirname } from "node:path";

import type { AgentTool } from "@toolgate/contracts";

import { createGlobTest } from "./glob.ts";
import type { LineMatch, LineMatcher } from "./line-matcher.ts";
import { createLineMatcher } from "./line-matcher.ts";
import { defineNativeTool } from "./native-tool.ts";
import type { PathScope } from "./path-scope.ts";
import { describeFileError } from "./path-scope.ts";
import { readFlag, readInteger, readOptionalText, readText } from "./read-arguments.ts";
import { decodeText, readWholeFile } from "./text-file.ts";
import { walkFiles } from "./walk-files.ts";

const DEFAULT_LINES = 100;
const MAX_LINES = 1000;
const MAX_LINE_CHARACTERS = 300;

/** `grep`: the lines that a regular expression finds. */
export function createGrepTool(scope: PathScope): AgentTool {
  return defineNativeTool({
    name: "grep",
    label: "Grep",
    description:
      "Searches the lines of files for a JavaScript regular expression; gives path:line: text. What .gitignore leaves out, and binary files, are not searched.",
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", description: "The regular expression, without slashes around it." },
        path: { type: "string", default: ".", description: "The folder to search, or one file." },
        glob: { type: "string", description: "Search only files that fit, for example *.ts or src/**/*.md." },
        ignore_case: { type: "boolean", default: false },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LINES,
          default: DEFAULT_LINES,
          description: "Lines to give.",
        },
      },
      required: ["pattern"],
    },
    annotations: { title: "Grep", readOnlyHint: true, openWorldHint: false },
    async run(args, { signal }) {
      const place = await findPlace(scope.resolve(readOptionalText(args, "path") ?? "."));
      const glob = readOptionalText(args, "glob");
      const isWanted = glob === undefined ? () => true : await createGlobTest(glob, place.folder);
      const limit = readInteger(args, "limit", { minimum: 1, maximum: MAX_LINES, fallback: DEFAULT_LINES });
      const matcher = createLineMatcher(readText(args, "pattern"), { ignoreCase: readFlag(args, "ignore_case") });
      const found: string[] = [];
      for await (const path of place.file === undefined ? walkFiles(place.folder, signal) : [place.file]) {
        signal?.throwIfAborted();
        if (!isWanted(path)) continue;
        for (const { line, text } of await searchFile(path, matcher, limit + 1 - found.length)) {
          found.push(`${scope.show(path)}:${line}: ${shorten(text)}`);
        }
        if (found.length > limit) {
          return [...found.slice(0, limit), `(more than ${limit} lines; narrow the search)`].join("\n");
        }
      }
      return found.length === 0 ? "Nothing was found." : found.join("\n");
    },
  });
}

async function findPlace(path: string): Promise<{ folder: string; file?: string }> {
  try {
    return (await stat(path)).isDirectory() ? { folder: path } : { folder: dirname(path), file: path };
  } catch (error) {
    throw describeFileError(error, path);
  }
}

/** What is binary, too large or gone meanwhile has no lines. */
async function searchFile(path: string, matcher: LineMatcher, limit: number): Promise<LineMatch[]> {
  const file = await readWholeFile(path).then(decodeText, () => undefined);
  return file === undefined ? [] : matcher.find(file.text, limit);
}

function shorten(line: string): string {
  return line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS)}…`;
}
