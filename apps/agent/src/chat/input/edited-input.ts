import { emitKeypressEvents } from "node:readline";
import type { Interface, Key } from "node:readline";

import type { CommandLineIO } from "../../cli/command-line-io.ts";
import { createStyle } from "../../terminal/style.ts";
import { truncate } from "../../terminal/text-width.ts";
import { cutLine } from "../../terminal/wrap-text.ts";
import { BottomRegion } from "./bottom-region.ts";
import type { RegionContent } from "./bottom-region.ts";
import { BracketedPaste } from "./bracketed-paste.ts";
import { inputLines, typedContent } from "./input-lines.ts";
import type { InputMarks } from "./input-lines.ts";
import type { InputEvents, InputSurface, Question } from "./input-surface.ts";
import { endsWithBackslash } from "./line-continuation.ts";
import { LineEditor } from "./line-editor.ts";
import { RawMode } from "./raw-mode.ts";
import { isRemembered } from "./remembered-input.ts";
import { renderCandidates, TabCompletion } from "./tab-completion.ts";
import type { LineCompleter } from "./tab-completion.ts";
import { columnsOf, rowsOf } from "./terminal-size.ts";

/** How long after an escape the rest of a key's sequence may come, in milliseconds; later it was the key itself. */
const ESCAPE_TIMEOUT_MS = 100;

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

/** A terminal that can move its cursor: what is typed is edited here, and stays below everything that is printed. */
export class EditedInput implements InputSurface {
  readonly #options: EditedInputOptions;
  readonly #region: BottomRegion;
  readonly #editor: LineEditor;
  readonly #paste = new BracketedPaste();
  readonly #completion: TabCompletion;
  readonly #rawMode: RawMode;
  readonly #dim: (text: string) => string;
  #question: (Question & { editor: LineEditor }) | undefined;
  #isPrompting = false;
  #status = "";
  #live: readonly string[] = [];
  /** Whether the last key, and the one before it, was Tab. */
  #tabs = { last: false, previous: false };
  #isClosed = false;

  constructor(options: EditedInputOptions) {
    this.#options = options;
    const { stdin, stdout } = options.io;
    this.#dim = createStyle({ env: options.io.env, isTTY: true }).dim;
    this.#region = new BottomRegion({
      write: (text) => stdout.write(text),
      columns: () => this.#columns,
      rows: () => rowsOf(stdout),
    });
    this.#editor = new LineEditor({ history: options.history });
    this.#completion = new TabCompletion({
      completer: options.completer,
      apply: (found) => {
        if (!("by" in found)) return this.#showCandidates(found.candidates);
        this.#editor.replaceBefore(found.replaced, found.by);
        this.#render();
      },
      press: (characters, key) => this.#onKey(characters, key),
    });
    // All that is asked of an interface there is its patience.
    emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Interface);
    stdin.on("keypress", this.#onKey);
    stdin.once("end", this.#onEnd);
    // As when its window has been closed.
    stdin.on("error", this.#onEnd);
    stdout.on("resize", this.#onResize);
    this.#rawMode = new RawMode({
      io: options.io,
      onLeave: () => this.#region.render(undefined),
      onReturn: () => this.#render(),
    });
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
    this.print(inputLines(text, this.#marks).join("\n"));
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
    this.#completion.cancel();
    const { stdin, stdout } = this.#options.io;
    stdin.off("keypress", this.#onKey);
    stdin.off("end", this.#onEnd);
    stdout.off("resize", this.#onResize);
    // What was asked or typed last stays; the status, which will be true no longer, does not.
    const last = this.#question === undefined && this.#isPrompting ? inputLines(this.#editor.text, this.#marks) : [];
    this.closeQuestion();
    this.#isPrompting = false;
    this.#live = [];
    this.print(last.join("\n"));
    this.#rawMode.close();
    stdin.pause();
    this.#editor.close();
  }

  get #columns(): number {
    return columnsOf(this.#options.io.stdout);
  }

  get #marks(): InputMarks {
    return { first: this.#options.prompt, others: this.#options.continuation };
  }

  get #activeEditor(): LineEditor {
    return this.#question?.editor ?? this.#editor;
  }

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
      if (isSecret) return { lines: [text], cursor: { line: 0, before: text } };
      return typedContent(editor, { ...this.#marks, first: text });
    }
    if (this.#isPrompting) return typedContent(this.#editor, this.#marks, this.#statusLines());
    return this.#live.length === 0 ? undefined : { lines: this.#live.map((line) => cutLine(line, this.#columns)) };
  }

  #statusLines(): string[] {
    return this.#status === "" ? [] : [this.#dim(truncate(this.#status, this.#columns))];
  }

  readonly #onKey = (characters: string | undefined, key: Key): void => {
    if (this.#isClosed) return;
    const pasted = this.#paste.take(characters, key);
    if (pasted === true) return;
    if (pasted !== false) {
      this.#activeEditor.insert(pasted);
      return this.#render();
    }
    if (key.name === "escape" || isControl(key, "c")) this.#completion.cancel();
    else if (this.#completion.delay(characters, key)) return;
    this.#tabs = { last: key.name === "tab", previous: this.#tabs.last };
    if (key.name === "escape") return this.#escape();
    if (isControl(key, "c")) return this.#interrupt();
    if (isControl(key, "l")) return this.#region.clearScreen(this.#content());
    if (isControl(key, "z")) return this.#rawMode.suspend();
    if (isControl(key, "d") && this.#activeEditor.text === "") return this.#onEnd();
    if (key.name === "return" || key.name === "enter") return this.#enter(key);
    if (key.name === "tab" && this.#question !== undefined) return;
    if (key.name === "tab") return this.#completion.start(this.#editor.textBefore);
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
    // Who waits and presses Enter enters nothing.
    if (!this.#isPrompting && text.trim() === "") return void this.#editor.take(false);
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
    this.print(inputLines(isSecret ? "" : editor.text, { ...this.#marks, first: text }).join("\n"));
    editor.close();
  }

  /** As shells do: not before Tab is pressed twice. */
  #showCandidates(candidates: readonly string[]): void {
    if (this.#tabs.previous && this.#isPrompting) this.print(renderCandidates(candidates, this.#columns));
  }
}

function isControl({ ctrl, name }: Key, letter: string): boolean {
  return ctrl === true && name === letter;
}
