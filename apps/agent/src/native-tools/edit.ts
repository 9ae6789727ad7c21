import { writeFile } from "node:fs/promises";

import type { AgentTool } from "@toolgate/contracts";

import { defineNativeTool } from "./native-tool.ts";
import { findNearestLine } from "./nearest-line.ts";
import type { PathScope } from "./path-scope.ts";
import { describeFileError } from "./path-scope.ts";
import { readFlag, readText } from "./read-arguments.ts";
import { decodeText, readWholeFile } from "./text-file.ts";

const MAX_SHOWN = 200;

/** `edit`: replaces an exact piece of a file. */
export function createEditTool(scope: PathScope): AgentTool {
  return defineNativeTool({
    name: "edit",
    label: "Edit",
    description:
      "Replaces a piece of a text file. old_text must be in the file exactly, with its indentation, and only once unless replace_all is set. Line ends of the file are kept.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, relative to the working directory or absolute." },
        old_text: { type: "string", minLength: 1, description: "What is in the file now, without line numbers." },
        new_text: { type: "string", description: "What takes its place." },
        replace_all: { type: "boolean", default: false, description: "Replace every place where old_text is." },
      },
      required: ["path", "old_text", "new_text"],
    },
    annotations: {
      title: "Edit",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    async run(args, { signal }) {
      const change = { oldText: readText(args, "old_text"), newText: readText(args, "new_text") };
      const all = readFlag(args, "replace_all");
      if (change.oldText === "") throw new Error("old_text is empty; use write for a new file.");
      if (change.oldText === change.newText) throw new Error("old_text and new_text are the same.");
      const request = { tool: "edit", ...(signal === undefined ? {} : { signal }) };
      return scope.change(readText(args, "path"), request, async (path) => {
        const file = decodeText(await readWholeFile(path));
        if (file === undefined) throw new Error(`${path} is a binary file and cannot be edited.`);
        const edited = replaceIn(file.text, change, { all, path: scope.show(path) });
        signal?.throwIfAborted();
        try {
          await writeFile(path, file.mark + edited.text);
        } catch (error) {
          throw describeFileError(error, path);
        }
        const lines = edited.lines.length === 1 ? "line" : "lines";
        return `${scope.show(path)} was changed in ${lines} ${edited.lines.join(", ")}.`;
      });
    },
  });
}

function replaceIn(
  text: string,
  { oldText, newText }: { oldText: string; newText: string },
  { all, path }: { all: boolean; path: string },
): { text: string; lines: number[] } {
  // A model writes "\n"; what it means are the line ends of the file.
  const lineEnd = lineEndOf(text);
  const wanted = [oldText, setLineEnds(oldText, lineEnd), setLineEnds(oldText, "\n")].find((form) =>
    text.includes(form),
  );
  if (wanted === undefined) throw new Error(describeMiss(text, oldText, path));
  const pieces = text.split(wanted);
  const count = pieces.length - 1;
  let line = 1;
  const lines = pieces.slice(0, -1).map((piece) => {
    const start = line + countLineFeeds(piece);
    line = start + countLineFeeds(wanted);
    return start;
  });
  if (count > 1 && !all) {
    throw new Error(
      `old_text is in ${path} ${count} times, in lines ${lines.join(", ")}. Take more of the text around one of them, or set replace_all.`,
    );
  }
  return { text: pieces.join(setLineEnds(newText, lineEnd)), lines };
}

function lineEndOf(text: string): "\n" | "\r\n" {
  const returns = text.split("\r\n").length - 1;
  return returns * 2 > countLineFeeds(text) ? "\r\n" : "\n";
}

function setLineEnds(text: string, lineEnd: string): string {
  return text.replaceAll(/\r?\n/g, lineEnd);
}

function countLineFeeds(text: string): number {
  return text.split("\n").length - 1;
}

function describeMiss(text: string, oldText: string, path: string): string {
  const quote = (line: string): string =>
    JSON.stringify(line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line);
  const nearest = findNearestLine(text, oldText);
  const hint = nearest === undefined ? "" : ` Nearest is line ${nearest.number}: ${quote(nearest.line)}.`;
  return `old_text is not in ${path}: ${quote(oldText)}.${hint} Read the file again and take the text as it is.`;
}
