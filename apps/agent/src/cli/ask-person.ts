import { createInterface } from "node:readline";
import type { Interface } from "node:readline";
import { Writable } from "node:stream";

import { BLOCK_HINT, readBlock } from "../terminal/read-block.ts";
import type { CommandLineIO } from "./command-line-io.ts";

/** How {@link askPerson} asks. */
export interface AskOptions {
  signal: AbortSignal;
  /** Whether what is typed stays unseen. @default false */
  secret?: boolean;
}

/** Asks for a line on stderr, so that stdout stays the result's alone; the end of the input is an empty line. */
export async function askPerson(question: string, io: CommandLineIO, { signal, secret }: AskOptions): Promise<string> {
  signal.throwIfAborted();
  const terminal = openTerminal(io, secret === true ? createSilence() : io.stderr);
  if (secret === true) io.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      terminal.once("close", () => resolve(""));
      terminal.question(secret === true ? "" : question, resolve);
    });
  } finally {
    terminal.close();
    if (secret === true) io.stderr.write("\n");
  }
}

/** Reads a text of several lines from the terminal, which can be asked further questions afterwards. */
export async function readTypedBlock(io: CommandLineIO, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  io.stderr.write(`${BLOCK_HINT}\n`);
  const terminal = openTerminal(io, io.stderr);
  const close = (): void => terminal.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    const text = await readBlock(terminal[Symbol.asyncIterator]());
    signal.throwIfAborted();
    return text;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

function openTerminal(io: CommandLineIO, output: NodeJS.WritableStream): Interface {
  const terminal = createInterface({ input: io.stdin, output, terminal: true });
  // In raw mode the terminal itself sends no signal; without a listener readline would only close.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  return terminal;
}

/** Takes everything and shows nothing. */
function createSilence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
