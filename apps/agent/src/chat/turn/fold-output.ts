import { describeRest, foldText, isBinaryLike } from "../../terminal/fold-text.ts";
import { formatBytes } from "../../terminal/format.ts";
import type { Style } from "../../terminal/style.ts";
import type { ChatTerminal } from "../chat-terminal.ts";
import type { KeptOutputs } from "./kept-outputs.ts";

/** Lines of an output that are shown on a terminal; the rest is a matter of `/output`. */
const OUTPUT_LINES = 40;

/** Where an output is shown. */
export interface OutputPlace {
  terminal: Pick<ChatTerminal, "isInteractive" | "columns">;
  style: Style;
  /** Keeps outputs of which only the beginning is shown. */
  outputs: KeptOutputs;
}

/**
 * What is shown of the output of somebody else, as long as it may be: on a terminal its beginning, in a pipe all of it.
 *
 * @param text - Safe to print.
 */
export function foldOutput(text: string, { terminal, style, outputs }: OutputPlace): string {
  if (!terminal.isInteractive) return text;
  if (isBinaryLike(text)) return `[binary data, ${formatBytes(Buffer.byteLength(text))}]`;
  // A single line may be longer than all others together.
  const { lines, hidden, isCut } = foldText(text, { lines: OUTPUT_LINES, width: OUTPUT_LINES * terminal.columns });
  if (hidden === 0 && !isCut) return text;
  outputs.add(text);
  return [...lines, style.dim(describeRest(hidden))].join("\n");
}
