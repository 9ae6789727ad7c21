import { wrapStyled } from "../terminal/wrap-text.ts";
import type { ChatTerminal } from "./chat-terminal.ts";

/** Shows running text, broken where a terminal ends; a pipe gets it as it is. */
export function printWrapped(terminal: ChatTerminal, text: string): void {
  terminal.print(terminal.isInteractive ? wrapStyled(text, terminal.columns).join("\n") : text);
}
