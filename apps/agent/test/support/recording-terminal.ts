import type { ChatTerminal } from "../../src/chat/chat-terminal.ts";

/** A terminal that keeps what it was told to show. */
export interface RecordingTerminal extends ChatTerminal {
  columns: number;
  /** Everything that stays, as it would stand there. */
  readonly text: string;
  /** What stands below it at the moment. */
  readonly live: readonly string[];
  /** How often that was replaced. */
  readonly redraws: number;
}

/** Makes a terminal without a screen; nobody answers its questions. */
export function createRecordingTerminal(
  options: Partial<Pick<ChatTerminal, "isInteractive" | "canRedraw" | "columns">> = {},
): RecordingTerminal {
  let text = "";
  let live: readonly string[] = [];
  let redraws = 0;
  return {
    isInteractive: true,
    canRedraw: true,
    columns: 80,
    ...options,
    get text() {
      return text;
    },
    get live() {
      return live;
    },
    get redraws() {
      return redraws;
    },
    print(lines) {
      if (lines !== "") text += lines.endsWith("\n") ? lines : `${lines}\n`;
    },
    write(piece) {
      text += piece;
    },
    showLive(lines) {
      live = lines;
      redraws += 1;
    },
    readLine: async () => "",
    confirm: async () => false,
  };
}
