import type { AgentTool } from "@toolgate/contracts";

import { timeLimit } from "../cancellation/time-limit.ts";
import { BoundedOutput } from "./bounded-output.ts";
import type { NativeToolOutcome } from "./native-tool.ts";
import { defineNativeTool } from "./native-tool.ts";
import { readInteger, readText } from "./read-arguments.ts";
import type { CommandEnd } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 1_800_000;

/** Where commands run. */
export interface BashToolOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

/** `bash`: a shell command, with a time limit; nothing that it starts outlives the call. */
export function createBashTool(options: BashToolOptions): AgentTool {
  return defineNativeTool({
    name: "bash",
    label: "Bash",
    description:
      "Runs a shell command in the working directory, without input, and gives both outputs and the exit status. Background processes end with the command.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1 },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: MAX_TIMEOUT_MS,
          default: DEFAULT_TIMEOUT_MS,
          description: "Milliseconds after which the command is ended.",
        },
      },
      required: ["command"],
    },
    annotations: {
      title: "Bash",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async run(args, context) {
      const command = readText(args, "command");
      const bounds = { minimum: 1, maximum: MAX_TIMEOUT_MS, fallback: DEFAULT_TIMEOUT_MS };
      const timeoutMs = readInteger(args, "timeout_ms", bounds);
      const timeout = timeLimit(timeoutMs);
      const output = new BoundedOutput();
      const signal = context.signal === undefined ? timeout : AbortSignal.any([timeout, context.signal]);
      let end: CommandEnd;
      let text: string;
      try {
        end = await runCommand({ ...options, command, signal, onOutput: (chunk) => output.add(chunk) });
      } finally {
        text = output.finish();
      }
      context.signal?.throwIfAborted();
      const reason = timeout.aborted ? `ended after ${timeoutMs} ms, its time limit` : reasonOf(end);
      return describeEnd(text, reason);
    },
  });
}

function reasonOf({ exitCode, signal }: CommandEnd): string | undefined {
  if (signal !== null) return `ended by ${signal}`;
  return exitCode === 0 ? undefined : `exit status ${exitCode ?? "unknown"}`;
}

function describeEnd(text: string, reason: string | undefined): NativeToolOutcome {
  const lines = [...(text === "" ? [] : [text]), ...(reason === undefined ? [] : [`(${reason})`])];
  return {
    content: [{ type: "text", text: lines.join("\n") || "(no output)" }],
    isError: reason !== undefined,
  };
}
