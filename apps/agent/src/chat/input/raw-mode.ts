import type { CommandLineIO } from "../../cli/command-line-io.ts";
import { SWITCH_PASTE_OFF, SWITCH_PASTE_ON } from "./bracketed-paste.ts";

/** What happens around the mode. */
export interface RawModeOptions {
  io: CommandLineIO;
  /** Takes away what is drawn, before somebody else has the terminal. */
  onLeave: () => void;
  /** Draws it again. */
  onReturn: () => void;
}

/**
 * The mode in which a terminal gives each key as it is pressed, and marks what is pasted. It ends with the process at the
 * latest, however that ends.
 */
export class RawMode {
  readonly #options: RawModeOptions;
  #isClosed = false;

  constructor(options: RawModeOptions) {
    this.#options = options;
    process.on("SIGCONT", this.#return);
    process.once("exit", this.#leave);
    this.#enter();
  }

  /** Ctrl-Z: the terminal is the shell's until the process goes on. */
  suspend(): void {
    if (this.#options.io.platform === "win32") return;
    this.#leave();
    process.kill(process.pid, "SIGTSTP");
    // Nothing is stopped, and nothing told to go on, where there is no shell that could do it.
    setImmediate(this.#return);
  }

  /** Ends the mode. Idempotent. */
  close(): void {
    process.off("SIGCONT", this.#return);
    process.off("exit", this.#leave);
    if (!this.#isClosed) this.#leave();
    this.#isClosed = true;
  }

  #enter(): void {
    this.#options.io.stdin.setRawMode?.(true);
    this.#options.io.stdout.write(SWITCH_PASTE_ON);
  }

  readonly #leave = (): void => {
    this.#options.onLeave();
    this.#options.io.stdout.write(SWITCH_PASTE_OFF);
    this.#options.io.stdin.setRawMode?.(false);
  };

  readonly #return = (): void => {
    if (this.#isClosed) return;
    this.#enter();
    this.#options.onReturn();
  };
}
