import { findCommand } from "../find-command.ts";

/** What is really handed to `spawn`. */
export interface SpawnCommand {
  file: string;
  args: string[];
  /** The arguments are a finished command line that Node must not quote again. */
  verbatim: boolean;
}

/**
 * Makes a command startable on Windows. Node starts only real programs there, and since its fix for batch files
 * (CVE-2024-27980) refuses `.cmd` and `.bat` without a shell; npm's own commands such as `npx` are `.cmd` files.
 *
 * @param command - As the entry has it, with or without an ending.
 * @param args - Passed through cmd.exe without any of them being read as something else.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  options: { env: Record<string, string | undefined>; cwd?: string },
): SpawnCommand {
  const file = findCommand(command, { ...options, platform: "win32" }) ?? command;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args: [...args], verbatim: false };
  const comspec = Object.entries(options.env).find(([name]) => name.toUpperCase() === "COMSPEC")?.[1] ?? "cmd.exe";
  const line = [escapeForCmd(`"${file}"`), ...args.map(escapeArgument)].join(" ");
  return { file: comspec, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

// First for the program, which splits its command line by the C runtime's rules; then for cmd.exe, twice, since a batch
// file hands its arguments on through cmd.exe once more.
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  return escapeForCmd(escapeForCmd(quoted));
}

function escapeForCmd(text: string): string {
  // A line break would end the command and begin another one.
  return text.replace(/[\r\n]+/g, " ").replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
