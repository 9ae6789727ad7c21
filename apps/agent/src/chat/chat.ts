import { messageOf } from "@toolgate/contracts";

import type { Approval } from "../approval/create-approval.ts";
import { parseChatLine } from "../cli/parse-arguments.ts";
import type { CommandContext } from "../mcp-commands/command-context.ts";
import type { CommandOutcome } from "../mcp-commands/command-outcome.ts";
import { usageOutcome } from "../mcp-commands/command-outcome.ts";
import { runMCPCommand } from "../mcp-commands/run-mcp-command.ts";
import { UsageTotal } from "../model/usage-total.ts";
import type { AgentEvent } from "../session/agent-event.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { alignColumns } from "../terminal/columns.ts";
import { renderToolResult } from "../terminal/render-content.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import { abortable } from "./abortable.ts";
import { changeApproval } from "./change-approval.ts";
import { CHAT_COMMANDS } from "./chat-help.ts";
import type { ModelSwitch } from "./model-switch.ts";

/** What a chat works with. */
export interface ChatParts {
  session: AgentSession;
  /** What decides which tools of the model may run. */
  approval: Approval;
  /** Makes the context of one command, which the signal ends. */
  createContext: (signal: AbortSignal) => CommandContext;
  /** Shows text on lines of its own. */
  print: (text: string) => void;
  /** Shows a piece of an answer, as it comes. */
  stream: (text: string) => void;
  /** Shows and changes what answers. */
  models: ModelSwitch;
}

/** Carries out the lines of a chat, one after the other. It knows no terminal, so that tests can talk to it. */
export class Chat {
  readonly #parts: ChatParts;
  #running: AbortController | undefined;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  /** Ends what the current line has started; false when nothing runs. */
  interrupt(): boolean {
    if (this.#running === undefined) return false;
    this.#running.abort(new DOMException("Interrupted.", "AbortError"));
    return true;
  }

  /**
   * Carries one line out. Whatever goes wrong is shown, never thrown.
   *
   * @returns whether the chat goes on
   */
  async handle(line: string): Promise<boolean> {
    const text = line.trim();
    if (text === "") return true;
    if (/^\/(?:exit|quit)\b/.test(text)) return false;
    const running = new AbortController();
    this.#running = running;
    try {
      await this.#dispatch(text, running.signal);
    } catch (error) {
      this.#parts.print(running.signal.aborted ? "Interrupted." : sanitizeText(messageOf(error)));
    } finally {
      this.#running = undefined;
    }
    return true;
  }

  async #dispatch(text: string, signal: AbortSignal): Promise<void> {
    const [, command = "", rest = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    if (!text.startsWith("/")) return this.#prompt(text, signal);
    switch (command) {
      case "help":
        return this.#showHelp();
      case "mcp":
        return this.#runMCP(rest, signal);
      case "tools":
      case "call":
        return this.#runMCP(`${command} ${rest}`, signal);
      case "approval":
        return this.#parts.print(await changeApproval(this.#parts.approval, rest));
      case "model":
        return this.#parts.print(sanitizeText(await this.#parts.models.run(rest.trim())));
      default:
        return this.#parts.print(`There is no command /${sanitizeText(command)}; /help shows those there are.`);
    }
  }

  async #runMCP(words: string, signal: AbortSignal): Promise<void> {
    const parsed = parseChatLine(words);
    if (parsed.kind === "help") return this.#parts.print(parsed.text);
    if (parsed.kind !== "mcp")
      return this.#show(usageOutcome(parsed.kind === "usage" ? parsed.message : "That is no /mcp command."));
    const outcome = await abortable(runMCPCommand(parsed.command, this.#parts.createContext(signal)), signal);
    if (parsed.options.json) this.#parts.print(JSON.stringify(outcome.document));
    else this.#show(outcome);
  }

  #show({ text, notes = [] }: CommandOutcome): void {
    for (const note of notes) this.#parts.print(note);
    this.#parts.print(text);
  }

  #showHelp(): void {
    this.#parts.print(alignColumns(CHAT_COMMANDS.map(({ usage, description }) => [usage, description])).join("\n"));
  }

  async #prompt(text: string, signal: AbortSignal): Promise<void> {
    const total = new UsageTotal();
    for await (const event of this.#parts.session.prompt(text, { signal })) {
      if (event.type === "usage") total.add(event.usage);
      this.#showEvent(event);
    }
    this.#parts.print(total.describeCost() ?? "");
  }

  #showEvent(event: AgentEvent): void {
    const { print, stream } = this.#parts;
    switch (event.type) {
      case "text":
        return stream(sanitizeText(event.text));
      case "tool-call":
        return print(`● ${sanitizeText(event.call.name)}`);
      case "tool-progress":
        return event.progress.message === undefined ? undefined : print(`  ${sanitizeText(event.progress.message)}`);
      case "tool-result":
        return event.result.isError ? print(renderToolResult(event.result)) : undefined;
      case "waiting":
        return print(sanitizeText(`… waiting for ${event.servers.join(", ")}`));
      case "warning":
      case "error":
        return print(sanitizeText(event.message));
      case "done":
        return stream("\n");
      case "reasoning":
      case "usage":
        return undefined;
      default:
        return event satisfies never;
    }
  }
}
