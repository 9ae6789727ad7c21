/** How a line is asked for. */
export interface ReadLineOptions {
  /** Whether what is typed stays unseen, and out of the history. @default false */
  secret?: boolean;
}

/**
 * What the parts of a chat ask of its terminal, be it a real one, one that cannot move its cursor, or a pipe.
 *
 * Contract: texts come in any order and while a person types, and none of them is torn; whoever asks has the terminal
 * until the answer is there, a second question waits.
 */
export interface ChatTerminal {
  /** Whether somebody types. */
  readonly isInteractive: boolean;
  /** Whether what was written can be written over: not in a pipe, not with `TERM=dumb`, not for a screen reader. */
  readonly canRedraw: boolean;
  /** Columns at the moment. */
  readonly columns: number;
  /** Shows text on lines of its own. */
  print(text: string): void;
  /** Shows a piece of a text as it comes, without a line end of its own. */
  write(text: string): void;
  /** Replaces the lines that stand below everything else while something runs; none takes them away. */
  showLive(lines: readonly string[]): void;
  /** Asks for a line; the end of the input is an empty one. Rejects with the signal's reason. */
  readLine(question: string, signal: AbortSignal, options?: ReadLineOptions): Promise<string>;
  /** Asks something; everything but yes is no, and so is the end of the input. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
}
