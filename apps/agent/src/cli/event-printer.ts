import type { AgentEvent } from "../session/agent-event.ts";
import { toPrintableJson } from "../terminal/printable-json.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { writeText } from "./command-line-io.ts";
import type { GlobalOptions } from "./parse-arguments.ts";

/** Writes the events of a prompt: the answer on stdout, everything else on stderr; with `--json` each as a line. */
export class EventPrinter {
  readonly #io: CommandLineIO;
  readonly #options: Pick<GlobalOptions, "json" | "quiet">;
  #isLineOpen = false;

  constructor(io: CommandLineIO, options: Pick<GlobalOptions, "json" | "quiet">) {
    this.#io = io;
    this.#options = options;
  }

  async print(event: AgentEvent): Promise<void> {
    if (this.#options.json) return writeText(this.#io.stdout, `${toPrintableJson(event)}\n`);
    if (event.type === "text") {
      this.#isLineOpen = !event.text.endsWith("\n");
      return writeText(this.#io.stdout, sanitizeText(event.text));
    }
    // What is said before a call and what is said after it are different lines.
    if (["tool-call", "done", "error"].includes(event.type)) await this.#endLine();
    if (event.type === "error") return writeText(this.#io.stderr, `${sanitizeText(event.message)}\n`);
    if (event.type === "warning") return this.note(event.message);
    if (event.type === "waiting" && event.servers.length > 0)
      return this.note(sanitizeLine(`Waiting for ${event.servers.join(", ")}.`));
    if (event.type === "tool-call") return this.note(sanitizeLine(`● ${event.call.name}`));
  }

  /** Something for people, unless they want to hear nothing. */
  async note(text: string): Promise<void> {
    if (!this.#options.quiet) await writeText(this.#io.stderr, `${sanitizeText(text)}\n`);
  }

  async #endLine(): Promise<void> {
    if (this.#isLineOpen) await writeText(this.#io.stdout, "\n");
    this.#isLineOpen = false;
  }
}
