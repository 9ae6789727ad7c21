import type { CommandOutcome } from "../mcp-commands/command-outcome.ts";
import { keepStyles } from "../terminal/keep-styles.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { ignoreClosedPipes, writeText } from "./command-line-io.ts";
import { handleSignals } from "./handle-signals.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

/**
 * Runs a command line to its end, tears down what it started, and ends the process with its status.
 *
 * @param words - The command line without the program.
 */
export async function main(words: readonly string[]): Promise<void> {
  const io: CommandLineIO = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
  };
  ignoreClosedPipes([io.stdout, io.stderr]);
  const signals = handleSignals(process);
  let status: number;
  try {
    const { parseArguments } = await import("./parse-arguments.ts");
    status = await run(parseArguments(words), io, signals.signal);
  } catch (error) {
    status = signals.exitStatus() ?? (await reportDefect(error, io));
  }
  // What was interrupted may have ended well all the same; the signal is what the caller waits to hear of.
  process.exit(signals.exitStatus() ?? status);
}

async function run(parsed: ParsedArguments, io: CommandLineIO, signal: AbortSignal): Promise<number> {
  switch (parsed.kind) {
    case "help":
      await writeText(parsed.options.json ? io.stderr : io.stdout, `${parsed.text}\n`);
      return 0;
    case "version":
      await writeText(io.stdout, `${await (await import("../version.ts")).readVersion()}\n`);
      return 0;
    case "usage": {
      const { usageOutcome } = await import("../mcp-commands/command-outcome.ts");
      return printOutcome(usageOutcome(parsed.message), parsed, io);
    }
    case "mcp": {
      const { runMCP } = await import("./run-mcp.ts");
      return printOutcome(await runMCP(parsed, io, signal), parsed, io);
    }
    case "cache": {
      const { runCache } = await import("./run-cache.ts");
      return printOutcome(await runCache(parsed.action, io), parsed, io);
    }
    case "completion": {
      const { completionScript } = await import("./completion-scripts.ts");
      const script = completionScript(parsed.shell);
      return printOutcome({ document: { shell: parsed.shell, script }, text: script, exitStatus: 0 }, parsed, io);
    }
    case "complete": {
      const { completeWords } = await import("./run-completion.ts");
      await writeText(io.stdout, (await completeWords(parsed, io)).map((word) => `${word}\n`).join(""));
      return 0;
    }
    case "prompt": {
      const { runPrompt } = await import("./run-prompt.ts");
      return runPrompt(parsed, { io, signal });
    }
    case "chat": {
      const { runChat } = await import("../chat/run-chat.ts");
      return runChat({ options: parsed.options, io, signal });
    }
    case "demo": {
      const { runDemo } = await import("../demo/run-demo.ts");
      return runDemo({ options: parsed.options, io, signal });
    }
    default:
      return parsed satisfies never;
  }
}

/** The document, and nothing else, on stdout with `--json`; otherwise the text there, or on stderr after a failure. */
async function printOutcome(
  outcome: CommandOutcome,
  { options }: Pick<ParsedArguments, "options">,
  io: CommandLineIO,
): Promise<number> {
  const { document, text, exitStatus, notes = [] } = outcome;
  if (!options.quiet) await writeText(io.stderr, keepStyles(notes.map((note) => `${note}\n`).join("")));
  if (options.json) {
    const { toPrintableJson } = await import("../terminal/printable-json.ts");
    await writeText(io.stdout, `${toPrintableJson(document)}\n`);
    if (exitStatus !== 0 && !options.quiet) await writeText(io.stderr, withLineEnd(text));
  } else {
    const isReport = outcome.report === true || exitStatus === 0;
    await writeText(isReport ? io.stdout : io.stderr, withLineEnd(text));
  }
  return exitStatus;
}

function withLineEnd(text: string): string {
  const safe = keepStyles(text);
  return safe === "" || safe.endsWith("\n") ? safe : `${safe}\n`;
}

/** An error that no command has expected; its stack is for whoever mends it. */
async function reportDefect(error: unknown, io: CommandLineIO): Promise<number> {
  const debug = (io.env["TOOLGATE_DEBUG"] ?? "") !== "";
  const text = error instanceof Error ? ((debug ? error.stack : undefined) ?? error.message) : String(error);
  await writeText(io.stderr, `toolgate: ${keepStyles(text)}\n`);
  return 1;
}
