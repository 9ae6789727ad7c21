import type { ContentBlock } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";

import type { Approval } from "../approval/create-approval.ts";
import { abortable } from "../cancellation/abortable.ts";
import { parseChatLine } from "../cli/parse-arguments.ts";
import type { CommandContext } from "../mcp-commands/command-context.ts";
import type { CommandOutcome } from "../mcp-commands/command-outcome.ts";
import { usageOutcome } from "../mcp-commands/command-outcome.ts";
import { runMCPCommand } from "../mcp-commands/run-mcp-command.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { serverNamesOf } from "../session/server-names.ts";
import { alignColumns } from "../terminal/columns.ts";
import { formatCount } from "../terminal/format.ts";
import { toPrintableJson } from "../terminal/printable-json.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { Style } from "../terminal/style.ts";
import { changeApproval } from "./change-approval.ts";
import { CHAT_COMMANDS, CHAT_FORMS } from "./chat-help.ts";
import type { ChatTerminal } from "./chat-terminal.ts";
import type { ModelSwitch } from "./model-switch.ts";
import { printWrapped } from "./print-wrapped.ts";
import { asksForServerPrompt } from "./server-prompts/asks-for-server-prompt.ts";
import { switchTools } from "./switch-tools.ts";
import { foldOutput } from "./turn/fold-output.ts";
import { KeptOutputs } from "./turn/kept-outputs.ts";

/** What a chat works with. */
export interface ChatParts {
  session: AgentSession;
  /** What decides which tools of the model may run. */
  approval: Approval;
  /** Makes the context of one command, which the signal ends. */
  createContext: (signal: AbortSignal) => CommandContext;
  terminal: ChatTerminal;
  /** The styles of the terminal. */
  style: Style;
  /** Shows and changes what answers. */
  models: ModelSwitch;
  /** Where paths that a prompt mentions start. @default process.cwd() */
  cwd?: string;
}

/** Carries out the lines of a chat, one after the other. */
export class Chat {
  readonly #parts: ChatParts;
  readonly #outputs = new KeptOutputs();
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
      this.#print(running.signal.aborted ? "Interrupted." : indentRest(sanitizeText(messageOf(error))));
    } finally {
      this.#running = undefined;
    }
    return true;
  }

  async #dispatch(text: string, signal: AbortSignal): Promise<void> {
    const [, command = "", rest = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    if (!text.startsWith("/")) return this.#runPrompt(text, signal);
    if (asksForServerPrompt(text, serverNamesOf(this.#parts.session.mcpManager)))
      return this.#runServerPrompt(text, signal);
    switch (command) {
      case "help":
        return this.#showHelp();
      case "mcp":
        return this.#runMCP(rest, signal);
      case "tools": {
        const switched = switchTools(this.#parts.session.tools, rest);
        return switched === undefined ? this.#runMCP(`tools ${rest}`, signal) : this.#print(switched);
      }
      case "call":
        return this.#runMCP(`call ${rest}`, signal);
      case "new":
      case "clear":
        return this.#print(`${formatCount(await this.#parts.session.forget(), "message")} forgotten.`);
      case "approval":
        return this.#print(await changeApproval(this.#parts.approval, rest));
      case "model":
        return this.#print(sanitizeText(await this.#parts.models.run(rest.trim())));
      case "output":
        return this.#parts.terminal.print(this.#outputs.show(rest.trim()));
      default:
        return this.#print(`There is no command /${sanitizeText(command)}; /help shows those there are.`);
    }
  }

  async #runPrompt(text: string, signal: AbortSignal): Promise<void> {
    const attachments = await this.#readMentions(text, signal);
    if (attachments !== undefined) await this.#prompt(text, signal, attachments);
  }

  async #runServerPrompt(line: string, signal: AbortSignal): Promise<void> {
    const { session, terminal } = this.#parts;
    // Of what the person wrote: what the server writes must not reach for files.
    const mentioned = await this.#readMentions(line, signal);
    if (mentioned === undefined) return;
    const { fillServerPrompt } = await import("./server-prompts/server-prompt.ts");
    const prompt = await fillServerPrompt(line, {
      manager: session.mcpManager,
      signal,
      columns: terminal.columns,
      ...(terminal.isInteractive ? { readLine: (question) => terminal.readLine(question, signal) } : {}),
    });
    this.#print(prompt.summary);
    await this.#prompt(prompt.text, signal, [...prompt.attachments, ...mentioned]);
  }

  /** Nothing when one of them cannot be read, which is shown: the prompt is not sent, and its author may change it. */
  async #readMentions(text: string, signal: AbortSignal): Promise<ContentBlock[] | undefined> {
    const { session, cwd = process.cwd() } = this.#parts;
    if (!text.includes("@")) return [];
    const { readMentions } = await import("./mentions/read-mentions.ts");
    const { attachments, problems } = await readMentions(text, { cwd, manager: session.mcpManager, signal });
    if (problems.length === 0) return attachments;
    this.#print(problems.join("\n"));
    return undefined;
  }

  async #runMCP(words: string, signal: AbortSignal): Promise<void> {
    const parsed = parseChatLine(words);
    if (parsed.kind === "help") return this.#print(parsed.text);
    if (parsed.kind !== "mcp")
      return this.#show(usageOutcome(parsed.kind === "usage" ? parsed.message : "That is no /mcp command."));
    const outcome = await abortable(runMCPCommand(parsed.command, this.#parts.createContext(signal)), signal);
    if (parsed.options.json) this.#parts.terminal.print(toPrintableJson(outcome.document));
    else this.#show(outcome, parsed.command.name);
  }

  #show({ text, notes = [] }: CommandOutcome, command?: string): void {
    for (const note of notes) this.#print(note);
    const { terminal } = this.#parts;
    // What others wrote stays as it is, so that it can be copied; of tools and resources it may be long.
    if (command === "call" || command === "read")
      terminal.print(foldOutput(text, { ...this.#parts, outputs: this.#outputs }));
    else if (command === "logs") terminal.print(text);
    else this.#print(text);
  }

  #showHelp(): void {
    const rows = [...CHAT_COMMANDS, ...CHAT_FORMS].map(({ usage, description }) => [usage, description]);
    this.#print(alignColumns(rows).join("\n"));
  }

  async #prompt(text: string, signal: AbortSignal, attachments: readonly ContentBlock[]): Promise<void> {
    // Markdown and all: loaded when there is something to say.
    const { createTurnView } = await import("./turn/turn-view.ts");
    const { terminal, style, session } = this.#parts;
    const { textFormat = "markdown" } = session.model ?? {};
    const view = createTurnView({ terminal, style, outputs: this.#outputs, textFormat });
    try {
      for await (const event of session.prompt(text, { signal, attachments })) view.show(event);
    } finally {
      view.end();
    }
  }

  /** Shows what the chat itself says. */
  #print(text: string): void {
    printWrapped(this.#parts.terminal, text);
  }
}

/** Errors may hold words of servers: none of their lines can be taken for one of the chat. */
function indentRest(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
