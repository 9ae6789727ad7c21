import type { ChatTerminal, ReadLineOptions } from "../chat/chat-terminal.ts";

/** Where one request of a server is shown and answered. */
export interface RequestScene {
  terminal: ChatTerminal;
  /** The name that the person gave the server, safe to print. */
  server: string;
  /** Aborts when the server takes the request back, and when the person cancels it. */
  signal: AbortSignal;
  /**
   * Asks the person for a line.
   *
   * @throws RequestCancelled at the end of the input, which is no answer; the signal's reason when it aborts
   */
  readLine: (question: string, options?: ReadLineOptions) => Promise<string>;
}
