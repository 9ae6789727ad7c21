import { open, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";

import { findCommand, searchedDirectories } from "@toolgate/mcp-client";

import type { CommandContext } from "../command-context.ts";
import type { ConfiguredServer } from "./configured-server.ts";
import { nameEntry, subjectFields, workingDirectoryOf } from "./configured-server.ts";
import type { Finding, FindingDraft } from "./finding.ts";
import { quoteWord } from "./shell-words.ts";

/** A command with everything that decides what it stands for. */
interface Command {
  server: ConfiguredServer;
  command: string;
  env: Record<string, string | undefined>;
  cwd: string;
  context: CommandContext;
}

/** Whether the program of a local server is there and can be run. Runs nothing. */
export async function checkCommand(server: ConfiguredServer, context: CommandContext): Promise<FindingDraft[]> {
  const { config } = server;
  if (config.type === "http" || config.type === "sse") return [];
  const cwd = workingDirectoryOf(server, context);
  const command: Command = { server, command: config.command, env: { ...context.env, ...config.env }, cwd, context };
  const program = locate(command, config.command);
  if (program !== undefined) return checkShebang(command, program);
  return [isPath(command) ? await explainPath(command) : await explainName(command)];
}

function locate({ env, cwd, context }: Command, name: string): string | undefined {
  return findCommand(name, { env, platform: context.platform, cwd });
}

function isPath({ command, context }: Command): boolean {
  return context.platform === "win32" ? /[\\/:]/.test(command) : command.includes("/");
}

async function explainPath(input: Command): Promise<FindingDraft> {
  const { server, command, cwd, context } = input;
  const { name, source } = server;
  const entry = nameEntry(name, source?.path);
  const target = resolve(cwd, command);
  const kind = await kindOf(target);
  if (kind === "folder") {
    const fix = `Name a program in ${entry}, for example one within that folder`;
    const message = `${name}: the command ${command} is a folder, not a program`;
    return report(input, "command-is-folder", { message, fix });
  }
  if (kind === "file") return notExecutable(input, target);
  const withArguments = explainArguments(input);
  if (withArguments !== undefined) return withArguments;
  if (/^~[\\/]/.test(command)) {
    const fix = `Write ${resolve(context.home, command.slice(2))} in ${entry}`;
    const message = `${name}: "~" in the command ${command} is not expanded`;
    return report(input, "command-missing", { message, fix });
  }
  const from = isAbsolute(command) ? "" : ` in ${cwd}, from where it is looked for`;
  const message = `${name}: there is no program ${command}${from}`;
  const fix = `Install ${command}, or write its absolute path in ${entry}`;
  return report(input, "command-missing", { message, fix });
}

async function explainName(input: Command): Promise<FindingDraft> {
  const { server, command, env, cwd, context } = input;
  const { name, source, config } = server;
  const folders = [...new Set(searchedDirectories(env, context.platform))];
  const candidates = await Promise.all(
    folders.map(async (folder) => {
      const path = resolve(cwd, folder, command);
      return (await kindOf(path)) === "file" ? path : undefined;
    }),
  );
  const present = candidates.find((path) => path !== undefined);
  if (present !== undefined && context.platform !== "win32") return notExecutable(input, present);
  const withArguments = explainArguments(input);
  if (withArguments !== undefined) return withArguments;
  const ownPath = "env" in config && Object.keys(config.env ?? {}).some((key) => key.toUpperCase() === "PATH");
  const which = ownPath ? `the PATH in its "env"` : "the PATH";
  const message = `${name}: there is no command ${command} on ${which} (searched: ${folders.join(", ") || "nothing"})`;
  const finder = context.platform === "win32" ? `where ${quoteWord(command)}` : `command -v ${quoteWord(command)}`;
  const fix =
    `Install ${command}, or write the path that \`${finder}\` prints in a terminal in ${nameEntry(name, source?.path)}` +
    ` (a version manager may set PATH in terminals only; "PATH" in the entry's "env" counts)`;
  return report(input, "command-missing", { message, fix });
}

/** A whole command line in `command`, of which the first word is a program. */
function explainArguments(input: Command): FindingDraft | undefined {
  const { server, command } = input;
  const [program = "", ...words] = command.trim().split(/\s+/);
  if (words.length === 0 || locate(input, program) === undefined) return undefined;
  const message = `${server.name}: the command holds arguments; it must be the program alone`;
  const fix = `Write "command": "${program}" and the other words as "args" in ${nameEntry(server.name, server.source?.path)}`;
  return report(input, "command-with-arguments", { message, fix });
}

function notExecutable(input: Command, path: string): FindingDraft {
  const message = `${input.server.name}: the command ${path} is there, but may not be run`;
  return report(input, "command-not-executable", { message, fix: `chmod +x ${quoteWord(path)}` });
}

async function checkShebang(input: Command, program: string): Promise<FindingDraft[]> {
  if (input.context.platform === "win32" || !(await isPlainScript(program))) return [];
  const message = `${input.server.name}: ${program} is a script without a first line that names its interpreter`;
  const fix = `Begin it with a line such as "#!/usr/bin/env node", or make the interpreter the command`;
  return [{ ...report(input, "script-without-shebang", { message, fix }), level: "warning" }];
}

/** Text that does not begin with `#!`; programs of every format have a NUL near their beginning. */
async function isPlainScript(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
      const start = buffer.subarray(0, bytesRead);
      return !start.includes(0) && !start.toString("latin1").startsWith("#!");
    } finally {
      await file.close();
    }
  } catch {
    // A program may be run and not read.
    return false;
  }
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  try {
    const stats = await stat(path);
    return stats.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}

function report(
  { server }: Command,
  check: Finding["check"],
  { message, fix }: Pick<Finding, "message" | "fix">,
): FindingDraft {
  return { level: "error", check, message, fix, ...subjectFields(server), field: ["command"] };
}
