import type { ContentBlock } from "@toolgate/contracts";
import { cutText, MAX_MEDIA_BYTES, MAX_TEXT_BYTES } from "@toolgate/mcp-manager";

/**
 * Bounds what goes with a prompt, as results of tools are bounded: 100 kB of text for all blocks of one mention, 5 MB of
 * base64 for each image, sound or binary resource. What is left out is said in its place.
 */
export function limitAttachments(blocks: readonly ContentBlock[]): ContentBlock[] {
  let left = MAX_TEXT_BYTES;
  return blocks.map((block) => {
    const media = mediaOf(block);
    if (media.length > MAX_MEDIA_BYTES) {
      return {
        type: "text",
        text: `[${nameOf(block)} is left out: ${media.length} bytes, of at most ${MAX_MEDIA_BYTES}]`,
      };
    }
    const text = textOf(block);
    if (text === undefined) return block;
    const shown = cutText(text, left);
    left -= Buffer.byteLength(shown);
    if (shown.length === text.length) return block;
    // Nothing follows a cut: a later block would seem to go on where it does not.
    left = 0;
    const [part, whole] = [shown, text].map((each) => Buffer.byteLength(each));
    return withText(block, `${shown}\n[Cut: ${part} of ${whole} bytes are here]`);
  });
}

function mediaOf(block: ContentBlock): string {
  if (block.type === "image" || block.type === "audio") return block.data;
  return block.type === "resource" ? (block.resource.blob ?? "") : "";
}

function nameOf(block: ContentBlock): string {
  if (block.type === "resource") return `the resource ${cutText(block.resource.uri, 500)}`;
  return block.type === "image" || block.type === "audio" ? `${block.type} ${block.mimeType}` : block.type;
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === "text") return block.text;
  return block.type === "resource" ? block.resource.text : undefined;
}

function withText(block: ContentBlock, text: string): ContentBlock {
  if (block.type === "text") return { ...block, text };
  return block.type === "resource" ? { ...block, resource: { ...block.resource, text } } : block;
}
