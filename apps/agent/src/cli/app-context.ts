import type { CommandLineIO } from "./command-line-io.ts";
import type { GlobalOptions } from "./parse-arguments.ts";

/** What the chat and the tour are started with. */
export interface AppContext {
  options: GlobalOptions;
  io: CommandLineIO;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP; the process ends when the run has ended. */
  signal: AbortSignal;
}
