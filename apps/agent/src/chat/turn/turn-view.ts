import type { ToolProgress, ToolResult } from "@toolgate/contracts";
import type { Clock } from "@toolgate/mcp-manager";
import { systemClock } from "@toolgate/mcp-manager";

import { UsageTotal } from "../../model/usage-total.ts";
import type { AgentEvent } from "../../session/agent-event.ts";
import type { AgentModel, ModelToolCall } from "../../session/agent-model.ts";
import { formatCount, formatDuration, formatElapsed } from "../../terminal/format.ts";
import { MarkdownStream } from "../../terminal/markdown-stream.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { Style } from "../../terminal/style.ts";
import { truncate } from "../../terminal/text-width.ts";
import { wrapStyled } from "../../terminal/wrap-text.ts";
import type { ChatTerminal } from "../chat-terminal.ts";
import type { KeptOutputs } from "./kept-outputs.ts";
import { PlainAnswer } from "./plain-answer.ts";
import { PlainTurnView } from "./plain-turn-view.ts";
import type { CallLayout } from "./render-call.ts";
import { renderCallStart, renderEndedCall, renderInterruptedCall } from "./render-call.ts";
import type { RunningCall } from "./running-calls.ts";
import { describeProgress, renderRunningCalls } from "./running-calls.ts";

/** Of the manager's clock, what a turn needs. */
type TurnClock = Pick<Clock, "now" | "schedule">;

/** Shows one turn: what comes between a prompt and the next one. */
export interface TurnView {
  show(event: AgentEvent): void;
  /** Shows what is left of the answer and takes away what stood there for the time being. Idempotent. */
  end(): void;
}

/** What a turn is shown with. */
export interface TurnViewOptions {
  terminal: ChatTerminal;
  style: Style;
  /** Keeps outputs of which only the beginning is shown. */
  outputs: KeptOutputs;
  /** What the model's text is. @default "markdown" */
  textFormat?: AgentModel["textFormat"];
  /** Measures how long things take and when what moves is drawn again. @default the process's own */
  clock?: TurnClock;
}

/** Begins to show a turn, as the terminal can. */
export function createTurnView(options: TurnViewOptions): TurnView {
  return options.terminal.isInteractive ? new InteractiveTurnView(options) : new PlainTurnView(options.terminal);
}

const WIDEST = 100;
/** A narrower terminal wraps by itself. */
const NARROWEST = 20;
/** Milliseconds between two drawings of what moves. */
const REDRAW_MS = 125;
/** Milliseconds between two lines about the progress of a call, where nothing is written over. */
const REPORT_MS = 5000;
const PREVIEW_LINES = 2;
/** A model that says nothing for so many milliseconds is waited for: it may be writing the arguments of a call. */
const SILENCE_MS = 1000;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** What the model is doing, as far as one can tell from outside. */
type ModelState =
  | { doing: "waiting" | "thinking" | "talking"; since: number }
  /** It is not asked before these servers are there. */
  | { doing: "starting"; since: number; servers: readonly string[] }
  | { doing: "nothing" };

class InteractiveTurnView implements TurnView {
  readonly #options: TurnViewOptions;
  readonly #clock: TurnClock;
  readonly #startedAt: number;
  readonly #usage = new UsageTotal();
  readonly #running = new Map<string, RunningCall>();
  readonly #answer: MarkdownStream | PlainAnswer;
  #cancelTick: (() => void) | undefined;
  #model: ModelState;
  #isWithinWord = false;
  #thoughtWords = 0;
  #lastPrinted: "answer" | "call" | "note" | undefined;
  #frame = 0;
  #live: readonly string[] = [];
  #drawnAt = Number.NEGATIVE_INFINITY;
  #hasEnded = false;

  constructor(options: TurnViewOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#startedAt = this.#clock.now();
    this.#model = { doing: "waiting", since: this.#startedAt };
    const print = (lines: string): void => this.#print("answer", lines);
    this.#answer =
      options.textFormat === "plain"
        ? new PlainAnswer(options, print)
        : new MarkdownStream({ style: options.style, width: () => this.#width, print });
    if (options.terminal.canRedraw) this.#planTick();
    this.#draw();
  }

  show(event: AgentEvent): void {
    this.#take(event);
    // What changes in between is seen at the next tick.
    if (this.#clock.now() - this.#drawnAt >= REDRAW_MS) this.#draw();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelTick?.();
    this.#endAnswer();
    for (const { call, startedAt } of this.#running.values()) {
      this.#print("call", renderInterruptedCall({ call, durationMs: this.#clock.now() - startedAt }, this.#callLayout));
    }
    this.#running.clear();
    this.#draw();
    const usage = this.#usage.describe();
    const duration = formatDuration(this.#clock.now() - this.#startedAt);
    this.#print("note", this.#options.style.dim([duration, ...(usage === undefined ? [] : [usage])].join(" · ")));
  }

  get #width(): number {
    return Math.max(NARROWEST, Math.min(this.#options.terminal.columns, WIDEST));
  }

  /** Where a call's begin has a line of its own, its end does not say again what it was called with. */
  get #callLayout(): CallLayout {
    const { style, terminal, textFormat } = this.#options;
    // Who answers in plain text repeats what tools say.
    return { style, width: this.#width, withArguments: terminal.canRedraw, withResult: textFormat !== "plain" };
  }

  #take(event: AgentEvent): void {
    switch (event.type) {
      case "text":
        this.#model = { doing: "talking", since: this.#clock.now() };
        return this.#answer.write(event.text);
      case "reasoning":
        return this.#think(event.text);
      case "tool-call":
        return this.#beginCall(event.call);
      case "tool-progress":
        return this.#reportProgress(event.toolCallId, event.progress);
      case "tool-result":
        return this.#endCall(event.toolCallId, event.result);
      case "waiting":
        return this.#awaitServers(event.servers);
      case "warning":
        // What the model said before it stands above it.
        this.#answer.end();
        return this.#note(this.#options.style.warning("!"), event.message);
      case "error":
        this.#endAnswer();
        return this.#note(this.#options.style.bad("✗"), event.message);
      case "usage":
        return this.#usage.add(event.usage);
      case "done":
        this.#endAnswer();
        if (event.reason === "answered") return this.#noteSilence();
        return this.#note(this.#options.style.warning("!"), `Stopped after ${formatCount(event.steps, "step")}.`);
      default:
        return event satisfies never;
    }
  }

  #think(piece: string): void {
    if (this.#model.doing !== "thinking") {
      this.#model = { doing: "thinking", since: this.#clock.now() };
      this.#isWithinWord = false;
      this.#thoughtWords = 0;
    }
    // A word may come in pieces: it is counted where it begins.
    const words = piece.match(/\S+/g)?.length ?? 0;
    this.#thoughtWords += words - (this.#isWithinWord && /^\S/.test(piece) ? 1 : 0);
    if (piece !== "") this.#isWithinWord = /\S$/.test(piece);
  }

  #awaitServers(servers: readonly string[]): void {
    if (servers.length === 0) this.#model = { doing: "waiting", since: this.#clock.now() };
    else if (this.#options.terminal.canRedraw) this.#model = { doing: "starting", since: this.#clock.now(), servers };
    else this.#note("…", `waiting for ${sanitizeLine(servers.join(", "))}`);
  }

  #beginCall(call: ModelToolCall): void {
    this.#endAnswer();
    this.#running.set(call.id, { call, startedAt: this.#clock.now() });
    if (this.#options.terminal.canRedraw) return;
    this.#print("call", renderCallStart(call, this.#callLayout));
  }

  #reportProgress(id: string, progress: ToolProgress): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.progress = progress;
    if (this.#options.terminal.canRedraw || progress.message === undefined) return;
    const now = this.#clock.now();
    if (now - (running.reportedAt ?? Number.NEGATIVE_INFINITY) < REPORT_MS) return;
    running.reportedAt = now;
    this.#print("call", truncate(`  ${describeProgress(progress).join("  ")}`, this.#width));
  }

  #endCall(id: string, result: ToolResult): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    const { call, startedAt } = running;
    const { durationMs } = result.details;
    const ended = { call, result, durationMs: durationMs > 0 ? durationMs : this.#clock.now() - startedAt };
    const { text, whole } = renderEndedCall(ended, this.#callLayout);
    if (whole !== undefined) this.#options.outputs.add(whole);
    if (this.#running.size === 0) this.#model = { doing: "waiting", since: this.#clock.now() };
    this.#print("call", text);
  }

  #note(sign: string, message: string): void {
    const lines = sanitizeText(message)
      .split("\n")
      .flatMap((line) => wrapStyled(line, this.#width - 2));
    this.#print("note", lines.map((line, index) => `${index === 0 ? sign : " "} ${line}`.trimEnd()).join("\n"));
  }

  /** A turn of which nothing is to be seen would look like one that was lost. */
  #noteSilence(): void {
    if (this.#lastPrinted === undefined) this.#note("·", "The model said nothing.");
  }

  #endAnswer(): void {
    this.#model = { doing: "nothing" };
    this.#answer.end();
  }

  /** An empty line stands between what the model says and what its tools do. */
  #print(kind: "answer" | "call" | "note", text: string): void {
    const isApart = this.#lastPrinted !== undefined && this.#lastPrinted !== kind && kind !== "note";
    this.#lastPrinted = kind;
    this.#options.terminal.print(isApart ? `\n${text}` : text);
    this.#draw();
  }

  #planTick(): void {
    this.#cancelTick = this.#clock.schedule(() => {
      this.#frame += 1;
      this.#draw();
      this.#planTick();
    }, REDRAW_MS);
  }

  #draw(): void {
    if (!this.#options.terminal.canRedraw) return;
    const lines = this.#hasEnded ? [] : [...this.#answer.preview(PREVIEW_LINES), ...this.#renderState()];
    if (lines.join("\n") === this.#live.join("\n")) return;
    this.#live = lines;
    this.#drawnAt = this.#clock.now();
    this.#options.terminal.showLive(lines);
  }

  #renderState(): string[] {
    const { style } = this.#options;
    const now = this.#clock.now();
    // A line that wraps could not be taken away as one.
    const width = this.#width - 1;
    // Nothing moves where colour is not wanted.
    const sign = style.colored ? (FRAMES[this.#frame % FRAMES.length] ?? "") : "…";
    if (this.#running.size > 0) {
      return renderRunningCalls([...this.#running.values()], { now, width, sign }).map((line) => style.dim(line));
    }
    if (this.#model.doing === "nothing") return [];
    const { doing, since } = this.#model;
    if (doing === "talking" && now - since < SILENCE_MS) return [];
    return [style.dim(truncate(`${sign} ${this.#describeState()}  ${formatElapsed(now - since)}`, width))];
  }

  #describeState(): string {
    if (this.#model.doing === "thinking") return `thinking, ${formatCount(this.#thoughtWords, "word")}`;
    if (this.#model.doing === "starting") return `waiting for ${sanitizeLine(this.#model.servers.join(", "))}`;
    return "waiting for the model";
  }
}
