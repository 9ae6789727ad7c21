import { UsageTotal } from "../../model/usage-total.ts";
import type { AgentEvent } from "../../session/agent-event.ts";
import { renderToolResult } from "../../terminal/render-content.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { ChatTerminal } from "../chat-terminal.ts";

/** Shows a turn in a pipe: the answer as the model writes it, a line for each call, and what went wrong. */
export class PlainTurnView {
  readonly #terminal: ChatTerminal;
  readonly #usage = new UsageTotal();
  #isLineOpen = false;
  #hasEnded = false;

  constructor(terminal: ChatTerminal) {
    this.#terminal = terminal;
  }

  show(event: AgentEvent): void {
    switch (event.type) {
      case "text":
        return this.#write(sanitizeText(event.text));
      case "tool-call":
        return this.#print(`● ${sanitizeLine(event.call.name)}`);
      case "tool-progress":
        if (event.progress.message === undefined) return undefined;
        return this.#print(`  ${sanitizeLine(event.progress.message)}`);
      case "tool-result":
        return event.result.isError ? this.#print(renderToolResult(event.result)) : undefined;
      case "waiting":
        if (event.servers.length === 0) return undefined;
        return this.#print(sanitizeLine(`… waiting for ${event.servers.join(", ")}`));
      case "warning":
      case "error":
        return this.#print(sanitizeText(event.message));
      case "usage":
        return this.#usage.add(event.usage);
      case "done":
        return this.#endLine();
      case "reasoning":
        return undefined;
      default:
        return event satisfies never;
    }
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#print(this.#usage.describe() ?? "");
  }

  #write(text: string): void {
    if (text === "") return;
    this.#isLineOpen = !text.endsWith("\n");
    this.#terminal.write(text);
  }

  /** What is said before a call and what is said after it are different lines. */
  #print(text: string): void {
    this.#endLine();
    this.#terminal.print(text);
  }

  #endLine(): void {
    if (this.#isLineOpen) this.#terminal.write("\n");
    this.#isLineOpen = false;
  }
}
