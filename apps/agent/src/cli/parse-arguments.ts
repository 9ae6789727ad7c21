import type { CommanderError } from "commander";
import { Argument, Command, InvalidArgumentError } from "commander";

import { defineMCPCommands, rejectUnknownCommand } from "../mcp-commands/define-mcp-commands.ts";
import type { MCPCommand } from "../mcp-commands/mcp-command.ts";
import { splitWords } from "../mcp-commands/split-words.ts";
import type { CompletionShell } from "./completion-scripts.ts";
import { COMPLETION_SHELLS } from "./completion-scripts.ts";
import { shapeHelp } from "./shape-help.ts";

/** Options that every command has. */
export interface GlobalOptions {
  cwd?: string;
  /** A file with servers that win over every other one. */
  config?: string;
  /** `false`: entries of project files are left out. */
  projectConfig: boolean;
  providers?: string[];
  startupTimeoutMs?: number;
  /** What answers prompts: `provider/name` or `offline`. */
  model?: string;
  /** Names or globs of the only tools that the model gets. */
  tools?: string[];
  json: boolean;
  quiet: boolean;
  /** Whether the chat writes nothing over, as for a screen reader. @default false */
  plain?: boolean;
}

/** What `-p` asks for. */
export interface PromptArguments {
  kind: "prompt";
  /** Absent: it comes from standard input. */
  text?: string;
  allow: string[];
  yes: boolean;
  /** Servers without which the prompt fails. */
  require: string[];
  /** How long servers are waited for whose tools nobody knows yet, in milliseconds. */
  mcpTimeoutMs: number;
  options: GlobalOptions;
}

/** How long a prompt waits for its servers unless `--mcp-timeout` says otherwise. */
const MCP_TIMEOUT_MS = 30_000;

/** What a command line asks for. */
export type ParsedArguments =
  | { kind: "mcp"; command: MCPCommand; options: GlobalOptions }
  | { kind: "chat"; options: GlobalOptions }
  | PromptArguments
  | { kind: "demo"; options: GlobalOptions }
  | { kind: "version"; options: GlobalOptions }
  | { kind: "cache"; action: "path" | "clear"; options: GlobalOptions }
  /** The script for a shell was asked for. */
  | { kind: "completion"; shell: CompletionShell; options: GlobalOptions }
  /** Such a script asks what the last of the words may become. */
  | { kind: "complete"; words: string[]; options: GlobalOptions }
  /** Help was asked for. */
  | { kind: "help"; text: string; options: GlobalOptions }
  /** Nothing that can be understood; `message` says what is wrong and where help is. */
  | { kind: "usage"; message: string; options: GlobalOptions };

/** How arguments are parsed. */
export interface ParseOptions {
  /** What help calls the program. @default "toolgate" */
  programName?: string;
}

const CHAT_PREFIX = "/mcp";

type Parsed = ParsedArguments extends infer Each ? (Each extends unknown ? Omit<Each, "options"> : never) : never;

/** Parses a command line. Pure: it prints nothing and ends nothing. */
export function parseArguments(
  words: readonly string[],
  { programName = "toolgate" }: ParseOptions = {},
): ParsedArguments {
  let parsed: Parsed | undefined;
  let output = "";
  const program = createProgram(programName, (found) => {
    parsed = found;
  });
  throwInPlaceOfExit(program);
  shapeHelp(program, {
    isChat: programName === CHAT_PREFIX,
    write: (text) => {
      output += text;
    },
  });
  try {
    program.parse([...words], { from: "user" });
  } catch (error) {
    parsed = describeStop(error, output, { programName, words });
  }
  return { ...(parsed ?? { kind: "chat" }), options: globalOptionsOf(program, words) };
}

/** Parses what follows `/mcp` in the chat: the same commands, the same options. */
export function parseChatLine(line: string): ParsedArguments {
  const words = splitWords(line);
  if (words === undefined) {
    return { kind: "usage", message: "A quote is not closed.", options: globalOptionsOf(new Command(), []) };
  }
  const [first, ...rest] = words;
  return parseArguments(["mcp", ...(first === "help" ? [...rest, "--help"] : words)], { programName: CHAT_PREFIX });
}

interface RootOptions {
  print?: string | true;
  allow?: string[];
  require?: string[];
  mcpTimeout?: number;
  yes?: boolean;
  version?: boolean;
}

function createProgram(name: string, onParsed: (parsed: Parsed) => void): Command {
  const program = new Command(name)
    .usage("[options] [command]")
    .description("An agent with the MCP servers that you have configured anywhere. Without a command: the chat.")
    .option("-p, --print [prompt]", "answer one prompt and exit; without one, or for -, it is read from stdin")
    .option("--model <name>", "what answers: provider/name, or offline, which picks tools by words")
    .option("--tools <glob>", "the only tools that the model gets; repeatable", collect)
    .option("--allow <glob>", "with -p: tools that may run although they are not read-only; repeatable", collect)
    .option("--yes", "with -p: every tool may run")
    .option("--require <server>", "with -p: fail without this server; repeatable", collect)
    .option("--mcp-timeout <ms>", "with -p: wait so long for servers (default: 30000)", parseMilliseconds)
    .option("--cwd <directory>", "work in this directory, not in the current one")
    .option("--config <file>", "a file in the form of .mcp.json; its servers win over all others")
    .option("--no-project-config", "leave out what files of the project declare")
    .option("--providers <ids>", "read only the files of these clients: cursor,vscode", splitList)
    .option("--startup-timeout <ms>", "go on without servers that take longer", parseMilliseconds)
    .option("--json", "one JSON document on stdout; with -p one event per line")
    .option("--quiet", "no notes on stderr")
    .option("--plain", "the chat writes nothing over and moves nothing, for screen readers")
    .option("-V, --version", "show the version")
    .action((options: RootOptions, command: Command) => {
      const [first] = command.args;
      if (first !== undefined) rejectUnknownCommand(first, command);
      if (options.version === true) onParsed({ kind: "version" });
      else if (options.print === undefined) onParsed({ kind: "chat" });
      else onParsed(promptOf(options, options.print));
    });
  const mcp = program.command("mcp").description("look at, call and change MCP servers; alone it lists them");
  defineMCPCommands(mcp, (command) => onParsed({ kind: "mcp", command }));
  program
    .command("demo")
    .description("a tour with real servers; needs no key and no network")
    .action(() => onParsed({ kind: "demo" }));
  const cache = program.command("cache").description("the tools that are remembered between sessions");
  for (const action of ["path", "clear"] as const) {
    cache
      .command(action)
      .description(action === "path" ? "where they are kept" : "forget them")
      .action(() => onParsed({ kind: "cache", action }));
  }
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "which one").choices(COMPLETION_SHELLS))
    .description("a script that makes a shell complete commands, options and servers")
    .action((shell: CompletionShell) => onParsed({ kind: "completion", shell }));
  program
    .command("__complete [words...]", { hidden: true })
    .action((words: string[]) => onParsed({ kind: "complete", words }));
  return program;
}

/** The commands of the program with the words that may follow each; those of `mcp` are its own matter. */
export function listProgramCommands(): Record<string, string[]> {
  const commands = createProgram("toolgate", () => {}).commands.filter((command) => !command.name().startsWith("__"));
  return Object.fromEntries(
    commands.map((command) => [
      command.name(),
      [
        ...command.commands.map((child) => child.name()),
        ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ],
    ]),
  );
}

function promptOf(options: RootOptions, print: string | true): Omit<PromptArguments, "options"> {
  return {
    kind: "prompt",
    ...(print === true || print === "-" ? {} : { text: print }),
    allow: options.allow ?? [],
    yes: options.yes === true,
    require: options.require ?? [],
    mcpTimeoutMs: options.mcpTimeout ?? MCP_TIMEOUT_MS,
  };
}

function throwInPlaceOfExit(command: Command): void {
  command.exitOverride().allowExcessArguments(command.commands.length > 0);
  for (const child of command.commands) throwInPlaceOfExit(child);
}

function describeStop(
  error: unknown,
  output: string,
  { programName, words }: { programName: string; words: readonly string[] },
): Parsed {
  const { code } = error as Partial<CommanderError>;
  if (code === undefined) throw error;
  // In the chat "/mcp" is the program and the command in one.
  const text = output.replaceAll(`${CHAT_PREFIX} mcp`, CHAT_PREFIX).trim();
  if (code === "commander.helpDisplayed" || code === "commander.help") {
    // Without a command that needs one, help is the answer to a mistake.
    return code === "commander.help" ? { kind: "usage", message: text } : { kind: "help", text };
  }
  const hint =
    code === "commander.unknownOption" && words.includes("add") ? " (put -- before the server's command)" : "";
  const help = programName === CHAT_PREFIX ? `${CHAT_PREFIX} help` : `${programName} --help`;
  return { kind: "usage", message: `${text.replace(/^error: /, "")}${hint}\nSee: ${help}` };
}

interface RawOptions {
  cwd?: string;
  config?: string;
  projectConfig?: boolean;
  providers?: string[];
  startupTimeout?: number;
  model?: string;
  tools?: string[];
  json?: boolean;
  quiet?: boolean;
  plain?: boolean;
}

function globalOptionsOf(program: Command, words: readonly string[]): GlobalOptions {
  const raw = program.opts<RawOptions>();
  return {
    ...(raw.cwd === undefined ? {} : { cwd: raw.cwd }),
    ...(raw.config === undefined ? {} : { config: raw.config }),
    projectConfig: raw.projectConfig !== false,
    ...(raw.providers === undefined ? {} : { providers: raw.providers }),
    ...(raw.startupTimeout === undefined ? {} : { startupTimeoutMs: raw.startupTimeout }),
    ...(raw.model === undefined ? {} : { model: raw.model }),
    ...(raw.tools === undefined ? {} : { tools: raw.tools }),
    // A mistake before it must not turn the promise of JSON around.
    json: raw.json === true || beforeTerminator(words).includes("--json"),
    quiet: raw.quiet === true,
    ...(raw.plain === true ? { plain: true } : {}),
  };
}

function beforeTerminator(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end === -1 ? words : words.slice(0, end);
}

function collect(value: string, values: string[] = []): string[] {
  return [...values, value];
}

function splitList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

function parseMilliseconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError("It must be a number of milliseconds, 0 or more.");
  }
  return value;
}
