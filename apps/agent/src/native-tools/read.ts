import type { AgentTool } from "@toolgate/contracts";

import type { NativeToolOutcome } from "./native-tool.ts";
import { defineNativeTool } from "./native-tool.ts";
import type { PathScope } from "./path-scope.ts";
import { readInteger, readText } from "./read-arguments.ts";
import { decodeText, readWholeFile } from "./text-file.ts";

const DEFAULT_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_CHARACTERS = 100_000;
/** Bytes of the largest image that a model is given. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** First bytes of the images that models take. */
const IMAGES: readonly { mimeType: string; matches: (bytes: Buffer) => boolean }[] = [
  { mimeType: "image/png", matches: (bytes) => startsWith(bytes, "\u0089PNG\r\n") },
  { mimeType: "image/jpeg", matches: (bytes) => startsWith(bytes, "\u00FF\u00D8\u00FF") },
  { mimeType: "image/gif", matches: (bytes) => startsWith(bytes, "GIF8") },
  {
    mimeType: "image/webp",
    matches: (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP"),
  },
];

/** The media type of a file that is an image which models take; undefined for every other one. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  return IMAGES.find(({ matches }) => matches(bytes))?.mimeType;
}

/** `read`: a text with line numbers, in parts where it is long, or an image. */
export function createReadTool(scope: PathScope): AgentTool {
  return defineNativeTool({
    name: "read",
    label: "Read",
    description:
      "Reads a text file, with line numbers, or an image. Long files are read in parts with offset and limit. Other binary files are refused.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, relative to the working directory or absolute." },
        offset: { type: "integer", minimum: 1, default: 1, description: "Number of the first line." },
        limit: { type: "integer", minimum: 1, default: DEFAULT_LINES, description: "How many lines." },
      },
      required: ["path"],
    },
    annotations: { title: "Read", readOnlyHint: true, openWorldHint: false },
    async run(args) {
      const path = scope.resolve(readText(args, "path"));
      const bounds = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
      const offset = readInteger(args, "offset", { ...bounds, fallback: 1 });
      const limit = readInteger(args, "limit", { ...bounds, fallback: DEFAULT_LINES });
      const bytes = await readWholeFile(path);
      const image = imageTypeOf(bytes);
      if (image !== undefined) return showImage(bytes, image, path);
      const file = decodeText(bytes);
      if (file === undefined) {
        throw new Error(`${path} is a binary file of ${bytes.length} bytes and cannot be shown as text.`);
      }
      return numberLines(file.text, { offset, limit, path: scope.show(path) });
    },
  });
}

function showImage(bytes: Buffer, mimeType: string, path: string): NativeToolOutcome {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new Error(
      `${path} is an image of ${bytes.length} bytes, more than the ${MAX_IMAGE_BYTES} that can be shown.`,
    );
  }
  return { content: [{ type: "image", data: bytes.toString("base64"), mimeType }] };
}

function numberLines(text: string, { offset, limit, path }: { offset: number; limit: number; path: string }): string {
  if (text === "") return `${path} is empty.`;
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (offset > lines.length) throw new Error(`${path} has ${lines.length} lines; there is no line ${offset}.`);
  const shown: string[] = [];
  let characters = 0;
  for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const numbered = `${String(offset + index).padStart(6)}\t${shorten(line)}`;
    characters += numbered.length + 1;
    if (characters > MAX_CHARACTERS && shown.length > 0) break;
    shown.push(numbered);
  }
  const next = offset + shown.length;
  const rest = lines.length - next + 1;
  return [...shown, ...(rest > 0 ? [`(${rest} more of ${lines.length} lines; go on with offset ${next})`] : [])].join(
    "\n",
  );
}

function shorten(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS)}… (${line.length} characters)`;
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, "latin1"));
}
