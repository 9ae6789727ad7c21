import { textWidth } from "../terminal/text-width.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import type { ChatTerminal } from "./chat-terminal.ts";

/** A column that begins further to the right leaves no room to go on below it. */
const WIDEST_INDENT = 0.6;

/** Shows running text and columns, broken between words where a terminal ends, so that addresses stay whole; a pipe gets them as they are. */
export function printWrapped(terminal: ChatTerminal, text: string): void {
  const { columns, isInteractive } = terminal;
  if (!isInteractive) return terminal.print(text);
  terminal.print(
    text
      .split("\n")
      .flatMap((line) => wrapLine(line, columns))
      .join("\n"),
  );
}

/** What does not fit goes on below the last column, or else below the beginning of the line. */
function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const start = [/^.*\S {2,}(?=\S)/, /^ */]
    .map((pattern) => pattern.exec(line)?.[0] ?? "")
    .find((part) => part !== "" && textWidth(part) <= width * WIDEST_INDENT);
  const indent = textWidth(start ?? "");
  const [first = "", ...rest] = wrapText(line.slice(start?.length ?? 0), width - indent);
  return [(start ?? "") + first, ...rest.map((part) => " ".repeat(indent) + part)];
}
