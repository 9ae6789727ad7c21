import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { AgentTool } from "@toolgate/contracts";

import { defineNativeTool } from "./native-tool.ts";
import type { PathScope } from "./path-scope.ts";
import { describeFileError } from "./path-scope.ts";
import { readText } from "./read-arguments.ts";

/** `write`: a whole file, new or in place of what was there. */
export function createWriteTool(scope: PathScope): AgentTool {
  return defineNativeTool({
    name: "write",
    label: "Write",
    description:
      "Writes a whole text file, with the folders that it needs. What the file held before is gone; use edit for changes.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, relative to the working directory or absolute." },
        content: { type: "string", description: "All of what the file is to hold." },
      },
      required: ["path", "content"],
    },
    annotations: {
      title: "Write",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    async run(args, { signal }) {
      const content = readText(args, "content");
      const request = { tool: "write", ...(signal === undefined ? {} : { signal }) };
      return scope.change(readText(args, "path"), request, async (path) => {
        try {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, content);
        } catch (error) {
          throw describeFileError(error, path);
        }
        return `${scope.show(path)} was written: ${Buffer.byteLength(content)} bytes.`;
      });
    },
  });
}
