import { readVariable } from "./child-environment.ts";
import { findCommand } from "./find-command.ts";

/** What `child_process.spawn` is called with. */
export interface CommandLine {
  file: string;
  args: string[];
  windowsVerbatimArguments: boolean;
}

/** What a command line is made from. */
export interface CommandLineInput {
  command: string;
  args: readonly string[];
  /** The child's environment. */
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  cwd: string;
  /** @default asks the file system */
  isExecutable?: ((path: string) => boolean) | undefined;
}

/**
 * Makes the call that starts a command.
 *
 * On Windows `npx` is `npx.cmd`, a batch file, which only cmd.exe can run, and cmd.exe reads its command line twice: an
 * argument that is quoted in the ordinary way could run a command of its own.
 *
 * @throws Error for an argument that cannot be handed to a batch file in any way
 */
export function buildCommandLine(input: CommandLineInput): CommandLine {
  const { command, args, env, platform, cwd } = input;
  const plain: CommandLine = { file: command, args: [...args], windowsVerbatimArguments: false };
  if (platform !== "win32") return plain;
  const found = findCommand(command, { env, platform, cwd, isExecutable: input.isExecutable });
  if (found === undefined) return plain;
  if (!/\.(?:cmd|bat)$/i.test(found)) return { ...plain, file: found };
  const root = readVariable(env, "SYSTEMROOT", platform) ?? "C:\\Windows";
  const shell = readVariable(env, "COMSPEC", platform) ?? `${root}\\System32\\cmd.exe`;
  const line = [`"${found}"`, ...args.map((argument) => escapeBatchArgument(argument))].join(" ");
  return { file: shell, args: ["/e:ON", "/v:OFF", "/d", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/**
 * Escapes one argument of a batch file. Inside quotes cmd.exe leaves everything alone except the quote, which is
 * doubled, and the percent sign, behind which an empty substring of `cd` keeps a variable from being expanded.
 */
export function escapeBatchArgument(argument: string): string {
  if (/[\r\n\0]/.test(argument)) throw new Error("an argument of a batch file cannot hold a line break");
  if (/^[A-Za-z0-9#$*+\-./:?@\\_]+$/.test(argument) && !argument.endsWith("\\")) return argument;
  const escaped = argument
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\*)$/, "$1$1")
    .replaceAll("%", "%%cd:~,%");
  return `"${escaped}"`;
}
