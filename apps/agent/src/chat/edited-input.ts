import { emitKeypressEvents } from "node:readline";
import type { Interface, Key } from "node:readline";

import wrapAnsi from "wrap-ansi";

import type { CommandLineIO } from "../cli/command-line-io.ts";
import { truncate } from "../terminal/text-width.ts";
import { createStyle } from "../terminal/style.ts";
import { BottomRegion } from "./bottom-region.ts";
import type { RegionContent } from "./bottom-region.ts";
import { BracketedPaste, SWITCH_PASTE_OFF, SWITCH_PASTE_ON } from "./bracketed-paste.ts";
import type { InputEvents, InputSurface, Question } from "./input-surface.ts";
import { LineEditor } from "./line-editor.ts";
import { endsWithBackslash } from "./line-continuation.ts";
import { isRemembered } from "./remembered-input.ts";
import { completeWord, renderCandidates } from "./tab-completion.ts";
import type { LineCompleter } from "./tab-completion.ts";

/** How long after an escape the rest of a key's sequence may come, in milliseconds; later it was the key itself. */
const ESCAPE_TIMEOUT_MS = 100;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** What an {@link EditedInput} needs. */
export interface EditedInputOptions {
  io: CommandLineIO;
  prompt: string;
  continuation: string;
  completer: LineCompleter;
  /** Inputs that can be called back, the newest first. */
  history: readonly string[];
  /** Keeps an input for later sessions. */
  remember: (input: string) => void;
  events: InputEvents;
}

/** A completion that is being looked for, and the keys that were pressed meanwhile. */
interface PendingCompletion {
  keys: [characters: string | undefined, key: Key][];
}

/** A terminal that can move its cursor: what is typed is edited here, and stays below everything that is printed. */
export class EditedInput implements InputSurface {
  readonly #options: EditedInputOptions;
  readonly #region: BottomRegion;
  readonly #editor: LineEditor;
  readonly #paste = new BracketedPaste();
  readonly #dim: (text: string) => string;
  #question: (Question & { editor: LineEditor }) | undefined;
  #isPrompting = false;
  #status = "";
  #live: readonly string[] = [];
  #pendingCompletion: PendingCompletion | undefined;
  #wasTab = false;
  #isClosed = false;

  constructor(options: EditedInputOptions) {
    this.#options = options;
    const { stdin, stdout } = options.io;
    this.#dim = createStyle({ env: options.io.env, isTTY: true }).dim;
    this.#region = new BottomRegion({
      write: (text) => stdout.write(text),
      columns: () => this.#columns,
      rows: () => stdout.rows || DEFAULT_ROWS,
    });
    this.#editor = new LineEditor({ history: options.history });
    // All that is asked of an interface there is its patience.
    emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Interface);
    stdin.on("keypress", this.#onKey);
    stdin.once("end", this.#onEnd);
    // As when its window has been closed.
    stdin.on("error", this.#onEnd);
    stdout.on("resize", this.#onResize);
    process.on("SIGCONT", this.#onContinue);
    process.once("exit", this.#restore);
    this.#take();
    stdin.resume();
  }

  print(text: string): void {
    if (text === "") return;
    this.#lookAtSize();
    this.#region.renderLines(this.#content(), text.endsWith("\n") ? text : `${text}\n`);
  }

  write(text: string): void {
    this.#render(text);
  }

  showLive(lines: readonly string[]): void {
    this.#live = lines;
    this.#render();
  }

  setStatus(text: string): void {
    this.#status = text;
    this.#render();
  }

  showPrompt(): void {
    this.#isPrompting = true;
    this.#render();
  }

  showInput(text: string): void {
    this.print(this.#promptLines(text).join("\n"));
  }

  openQuestion(question: Question): void {
    this.#question = { ...question, editor: new LineEditor() };
    this.#render();
  }

  closeQuestion(): void {
    if (this.#question !== undefined) this.#endQuestion(this.#question);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { stdin, stdout } = this.#options.io;
    stdin.off("keypress", this.#onKey);
    stdin.off("end", this.#onEnd);
    stdout.off("resize", this.#onResize);
    // What was asked or typed last stays; the status, which will be true no longer, does not.
    const last = this.#question === undefined && this.#isPrompting ? this.#promptLines(this.#editor.text) : [];
    this.closeQuestion();
    this.#isPrompting = false;
    this.#live = [];
    this.print(last.join("\n"));
    process.off("SIGCONT", this.#onContinue);
    process.off("exit", this.#restore);
    this.#restore();
    stdin.pause();
    this.#editor.close();
  }

  get #columns(): number {
    return this.#options.io.stdout.columns || DEFAULT_COLUMNS;
  }

  get #activeEditor(): LineEditor {
    return this.#question?.editor ?? this.#editor;
  }

  #take(): void {
    this.#options.io.stdin.setRawMode?.(true);
    this.#options.io.stdout.write(SWITCH_PASTE_ON);
  }

  readonly #restore = (): void => {
    this.#region.render(undefined);
    this.#options.io.stdout.write(SWITCH_PASTE_OFF);
    this.#options.io.stdin.setRawMode?.(false);
  };

  readonly #onEnd = (): void => this.#options.events.onEnd();

  readonly #onResize = (): void => this.#region.redraw(this.#content());

  #render(above = ""): void {
    this.#lookAtSize();
    this.#region.render(this.#content(), above);
  }

  /** Before the signal is handled that tells of another size, nothing must be drawn for the old one. */
  #lookAtSize(): void {
    process.emit("SIGWINCH", "SIGWINCH");
  }

  #content(): RegionContent | undefined {
    if (this.#isClosed) return undefined;
    if (this.#question !== undefined) {
      const { text, isSecret, editor } = this.#question;
      return isSecret
        ? { lines: [text], cursor: { line: 0, before: text } }
        : this.#typed(editor, (typed) => this.#answerLines(text, typed));
    }
    if (this.#isPrompting) return this.#typed(this.#editor, (typed) => this.#promptLines(typed), this.#statusLines());
    return this.#live.length === 0 ? undefined : { lines: this.#live.map((line) => this.#cut(line)) };
  }

  /** A text that is being typed below some lines, with the cursor in it. */
  #typed(editor: LineEditor, linesOf: (text: string) => string[], above: readonly string[] = []): RegionContent {
    const before = linesOf(editor.textBefore);
    return {
      lines: [...above, ...linesOf(editor.text)],
      cursor: { line: above.length + before.length - 1, before: before.at(-1) ?? "" },
    };
  }

  #promptLines(text: string): string[] {
    return this.#answerLines(this.#options.prompt, text);
  }

  #answerLines(question: string, text: string): string[] {
    return text.split("\n").map((line, index) => `${index === 0 ? question : this.#options.continuation}${line}`);
  }

  #statusLines(): string[] {
    return this.#status === "" ? [] : [this.#dim(truncate(this.#status, this.#columns))];
  }

  #cut(line: string): string {
    const options = { hard: true, trim: false, wordWrap: false };
    return wrapAnsi(line, this.#columns, options).split("\n", 1)[0] ?? "";
  }

  readonly #onKey = (characters: string | undefined, key: Key): void => {
    const pasted = this.#paste.take(characters, key);
    if (pasted === true) return;
    if (pasted !== false) {
      this.#activeEditor.insert(pasted);
      return this.#render();
    }
    const wasTab = this.#wasTab;
    this.#wasTab = key.name === "tab";
    if (this.#pendingCompletion !== undefined) {
      if (key.name !== "escape" && !isControl(key, "c")) {
        return void this.#pendingCompletion.keys.push([characters, key]);
      }
      this.#endCompletion(this.#pendingCompletion);
    }
    if (key.name === "escape") return this.#escape();
    if (isControl(key, "c")) return this.#interrupt();
    if (isControl(key, "l")) return this.#region.clearScreen(this.#content());
    if (isControl(key, "z")) return this.#suspend();
    if (isControl(key, "d") && this.#activeEditor.text === "") return this.#onEnd();
    if (key.name === "return" || key.name === "enter") return this.#enter(key);
    if (key.name === "tab") return void (this.#question === undefined && this.#complete(wasTab));
    this.#activeEditor.press(characters, key);
    this.#render();
  };

  /** At the prompt nothing runs that it could end; a question of a server beside the conversation it can refuse. */
  #escape(): void {
    if (!this.#isPrompting) return this.#options.events.onEscape();
    this.#question?.editor.take(false);
    this.#answer();
  }

  #interrupt(): void {
    // What was begun is thrown away, as in a shell.
    if ((this.#question !== undefined || this.#isPrompting) && this.#activeEditor.text !== "") {
      this.#activeEditor.take(false);
      return this.#render();
    }
    // Nothing runs that has asked: a question of a server beside the conversation.
    if (this.#question !== undefined && this.#isPrompting) return this.#answer();
    this.#options.events.onInterrupt();
  }

  /** Enter ends an input; with Alt, as line feed (Ctrl-J), or behind a backslash it begins a line of it. */
  #enter({ name, meta }: Key): void {
    if (this.#question !== undefined) return this.#answer();
    if (name === "enter" || meta === true) {
      this.#editor.insert("\n");
      return this.#render();
    }
    if (endsWithBackslash(this.#editor.text)) {
      this.#editor.moveToEnd();
      this.#editor.replaceBefore(1, "\n");
      return this.#render();
    }
    const { text } = this.#editor;
    const isKept = isRemembered(text);
    this.#editor.take(isKept);
    if (isKept) this.#options.remember(text);
    if (this.#isPrompting) {
      this.#isPrompting = false;
      this.showInput(text);
    }
    this.#options.events.onInput(text);
  }

  #answer(): void {
    if (this.#question === undefined) return;
    const text = this.#question.editor.text;
    this.#endQuestion(this.#question);
    this.#options.events.onAnswer(text);
  }

  #endQuestion({ text, isSecret, editor }: Question & { editor: LineEditor }): void {
    this.#question = undefined;
    this.print(this.#answerLines(text, isSecret ? "" : editor.text).join("\n"));
    editor.close();
  }

  #complete(isRepeated: boolean): void {
    const pending: PendingCompletion = { keys: [] };
    this.#pendingCompletion = pending;
    void this.#findCompletion(isRepeated, pending).finally(() => this.#endCompletion(pending));
  }

  async #findCompletion(isRepeated: boolean, pending: PendingCompletion): Promise<void> {
    try {
      const completion = completeWord(await this.#options.completer(this.#editor.textBefore));
      if (completion === undefined || this.#pendingCompletion !== pending || this.#isClosed) return;
      if ("by" in completion) {
        this.#editor.replaceBefore(completion.replaced, completion.by);
        this.#render();
      } else if (isRepeated && this.#isPrompting) {
        this.print(renderCandidates(completion.candidates, this.#columns));
      }
    } catch {
      // What cannot be completed stays as it was typed.
    }
  }

  /** From here on what it finds does not count; the keys that waited for it do. */
  #endCompletion(pending: PendingCompletion): void {
    if (this.#pendingCompletion !== pending) return;
    this.#pendingCompletion = undefined;
    for (const [characters, key] of pending.keys) this.#onKey(characters, key);
  }

  /** Ctrl-Z: the terminal is the shell's until the process goes on. */
  #suspend(): void {
    if (this.#options.io.platform === "win32") return;
    this.#restore();
    process.kill(process.pid, "SIGTSTP");
    // Nothing is stopped, and nothing told to go on, where there is no shell that could do it.
    setImmediate(this.#onContinue);
  }

  readonly #onContinue = (): void => {
    if (this.#isClosed) return;
    this.#take();
    this.#render();
  };
}

function isControl({ ctrl, name }: Key, letter: string): boolean {
  return ctrl === true && name === letter;
}
