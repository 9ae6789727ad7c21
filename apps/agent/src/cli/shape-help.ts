import type { Command, Option } from "commander";

/** Options of the program that commands below it heed; help of a command shows no others. */
const HEEDED_BY_MCP = [
  "--cwd",
  "--config",
  "--no-project-config",
  "--providers",
  "--startup-timeout",
  "--json",
  "--quiet",
];

const HELP_WIDTH = 100;

const PROGRAM_EXAMPLES = `
Examples:
  toolgate                                     chat in the terminal; /help there
  toolgate -p "what is in this directory?"     one answer on stdout
  toolgate mcp list                            every server that was found, with its state
  toolgate mcp call files.list_directory path=.
  toolgate mcp add --help                      more about one command`;

const COMPLETION_EXAMPLES = `
Examples:
  eval "$(toolgate completion bash)"           in ~/.bashrc
  eval "$(toolgate completion zsh)"            in ~/.zshrc, after compinit
  toolgate completion fish | source            in ~/.config/fish/config.fish`;

/** Gives a program and all its commands their help, which goes to `write`: at one width, with the options that count. */
export function shapeHelp(
  program: Command,
  { isChat, write }: { isChat: boolean; write: (text: string) => void },
): void {
  program.addHelpText("after", PROGRAM_EXAMPLES);
  program.commands.find((command) => command.name() === "completion")?.addHelpText("after", COMPLETION_EXAMPLES);
  const shape = (command: Command, heeded: readonly string[]): void => {
    command.configureOutput({ writeOut: write, writeErr: write, getOutHelpWidth: () => HELP_WIDTH });
    command.showHelpAfterError(false).configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: (): Option[] => program.options.filter(({ long }) => heeded.includes(long ?? "")),
    });
    for (const child of command.commands) shape(child, heeded);
  };
  shape(program, []);
  for (const command of program.commands) {
    // The chat is in one place, with one configuration.
    if (command.name() === "mcp") shape(command, isChat ? ["--json"] : HEEDED_BY_MCP);
    if (command.name() === "cache") shape(command, ["--json"]);
  }
}
