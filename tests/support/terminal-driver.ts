import { existsSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";

import type { Scratch } from "../../apps/agent/test/support/scratch.ts";
import { waitFor } from "../../tooling/fixture-servers/index.mjs";
import { openTerminal } from "./terminal.ts";
import type { Terminal, TerminalOptions } from "./terminal.ts";

/** The chat's terminal alone, in a pseudo-terminal of its own. */
export interface DrivenTerminal extends Terminal {
  /** Calls a method of it; gives what that gives. */
  drive: (method: string, ...words: string[]) => Promise<unknown>;
  /** As `drive`, for a question that is taken back before it is answered. */
  ask: (method: string, ...words: string[]) => { answer: Promise<unknown>; takeBack: () => void };
}

/** Opens a terminal with a program that does with it what a test says. */
export async function openDrivenTerminal(scratch: Scratch, options: TerminalOptions = {}): Promise<DrivenTerminal> {
  const program = scratch.file("driven-terminal.mjs");
  const bundle = await rolldown({
    input: fileURLToPath(new URL("driven-terminal.ts", import.meta.url)),
    platform: "node",
    resolve: { conditionNames: ["@toolgate/source", "node", "import"] },
  });
  await bundle.write({ file: program, format: "esm", codeSplitting: false });
  await bundle.close();
  const socketPath = scratch.file("socket");
  const terminal = await openTerminal(scratch, [socketPath], { ...options, program });
  await waitFor(() => existsSync(`${socketPath}.ready`), "the program");
  const ask: DrivenTerminal["ask"] = (...command) => {
    const connection = connect(socketPath);
    connection.write(`${JSON.stringify(command)}\n`);
    const answer = text(connection).then((json) => (json === "" ? undefined : (JSON.parse(json) as unknown)));
    answer.catch(() => {});
    return { answer, takeBack: () => connection.destroy() };
  };
  return { ...terminal, ask, drive: (...command) => ask(...command).answer };
}
