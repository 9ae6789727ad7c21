import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";

import type { ContentBlock } from "@toolgate/contracts";

import { createListTool } from "../../native-tools/list.ts";
import { createPathScope } from "../../native-tools/path-scope.ts";
import { imageTypeOf } from "../../native-tools/read.ts";
import { decodeText, readWholeFile } from "../../native-tools/text-file.ts";
import { renderToolResult } from "../../terminal/render-content.ts";

/**
 * What goes with a prompt that mentions a path: the text of a file, an image, or what a folder lists.
 *
 * @param path - The real path.
 * @throws Error for people when it cannot be read, or is neither text nor an image that models take
 */
export async function attachPath(path: string): Promise<ContentBlock> {
  const uri = pathToFileURL(path).href;
  if ((await stat(path)).isDirectory()) return { type: "resource", resource: { uri, text: await listFolder(path) } };
  const bytes = await readWholeFile(path);
  const mimeType = imageTypeOf(bytes);
  if (mimeType !== undefined) return { type: "image", data: bytes.toString("base64"), mimeType };
  const file = decodeText(bytes);
  if (file === undefined) throw new Error(`it is a binary file of ${bytes.length} bytes`);
  return { type: "resource", resource: { uri, mimeType: "text/plain", text: file.text } };
}

async function listFolder(path: string): Promise<string> {
  const result = await createListTool(createPathScope({ cwd: path })).execute({ path });
  const text = renderToolResult(result);
  if (result.isError) throw new Error(text);
  return text;
}
