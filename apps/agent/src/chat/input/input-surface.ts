/** What a person is asked. */
export interface Question {
  /** One line; the answer is typed behind it. */
  text: string;
  /** Whether the answer stays unseen. */
  isSecret: boolean;
}

/** What a person has done. */
export interface InputEvents {
  /** An input was entered, at the prompt or ahead of it. */
  onInput: (text: string) => void;
  /** The open question was answered, and is not open any more. */
  onAnswer: (text: string) => void;
  /** Ctrl-C, with nothing typed that it could throw away. */
  onInterrupt: () => void;
  /** Escape. */
  onEscape: () => void;
  /** The input has ended: nobody types any more. */
  onEnd: () => void;
}

/**
 * Where a person types and reads.
 *
 * Contract: texts come in any order, and none tears what is being typed more than the terminal makes necessary. A question
 * has what is typed as long as it is open; what was typed at the prompt stays.
 */
export interface InputSurface {
  /** Shows text on lines of its own. */
  print(text: string): void;
  /** Shows a piece of a text as it comes. */
  write(text: string): void;
  /** Replaces the lines below everything else, as long as neither the prompt nor a question is shown. */
  showLive(lines: readonly string[]): void;
  /** Replaces the line above the prompt. */
  setStatus(text: string): void;
  /** Shows the prompt, until the next input; `continued` when that goes on with the last one. */
  showPrompt(continued: boolean): void;
  /** Shows an input that was entered before its turn. */
  showInput(text: string): void;
  /** Opens a question; only one is open at a time. */
  openQuestion(question: Question): void;
  /** Takes an open question away without an answer. */
  closeQuestion(): void;
  /** Gives the terminal back as it was. Idempotent. */
  close(): void;
}
