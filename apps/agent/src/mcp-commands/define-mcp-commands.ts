import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";

import { COMMAND_EXAMPLES } from "./command-examples.ts";
import type { MCPCommand, WriteScope } from "./mcp-command.ts";
import { findNearest } from "./nearest-name.ts";

/**
 * Adds all `/mcp` commands to a parent command: the one definition of their syntax and their help.
 *
 * @param onCommand - Called with the command that was parsed.
 */
export function defineMCPCommands(parent: Command, onCommand: (command: MCPCommand) => void): void {
  defineLooking(parent, onCommand);
  defineCalling(parent, onCommand);
  defineWriting(parent, onCommand);
  defineRunning(parent, onCommand);
  // Alone it lists. Commander would call an unknown command one argument too many.
  parent.action((_options: unknown, command: Command) => {
    const [first] = command.args;
    if (first !== undefined) rejectUnknownCommand(first, command);
    onCommand({ name: "list" });
  });
  for (const child of parent.commands) addExamples(child);
}

/** Ends the parsing with what was probably meant. */
export function rejectUnknownCommand(word: string, command: Command): never {
  const nearest = findNearest(
    word,
    command.commands.flatMap((child) => [child.name(), ...child.aliases()]),
  );
  const hint = nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`;
  return command.error(`unknown command '${word}'${hint}`);
}

/** Shows the command in use below its help, as it is written where the help was asked for. */
function addExamples(command: Command): void {
  const examples = COMMAND_EXAMPLES[command.name()] ?? [];
  if (examples.length === 0) return;
  command.addHelpText("after", () => {
    const names: string[] = [];
    for (let parent = command.parent; parent !== null; parent = parent.parent) names.unshift(parent.name());
    return ["\nExamples:", ...examples.map((example) => `  ${names.join(" ")} ${example}`)].join("\n");
  });
}

type OnCommand = (command: MCPCommand) => void;

function defineLooking(parent: Command, onCommand: OnCommand): void {
  parent
    .command("list")
    .alias("ls")
    .description("every server with its state")
    .action(() => onCommand({ name: "list" }));
  parent
    .command("tools [server]")
    .description("the tools of all servers, or of one")
    .action((server?: string) => onCommand({ name: "tools", ...named(server) }));
  parent
    .command("sources")
    .description("what is configured where, and what was not found; starts nothing")
    .action(() => onCommand({ name: "sources" }));
  parent
    .command("resources [server]")
    .description("the resources of all servers, or of one")
    .action((server?: string) => onCommand({ name: "resources", ...named(server) }));
  parent
    .command("prompts [server]")
    .description("the prompts of all servers, or of one")
    .action((server?: string) => onCommand({ name: "prompts", ...named(server) }));
  parent
    .command("doctor")
    .description("what is wrong in the configuration, and how to mend it; starts nothing")
    .action(() => onCommand({ name: "doctor" }));
}

function defineCalling(parent: Command, onCommand: OnCommand): void {
  parent
    .command("call <tool> [arguments...]")
    .description("call a tool: mcp_name, server.tool or server/tool, with key=value arguments")
    .option("--args <json>", "arguments as a JSON object; - reads them from standard input")
    .action((reference: string, pairs: string[], { args }: { args?: string }) =>
      onCommand({ name: "call", reference, pairs, ...(args === undefined ? {} : { json: args }) }),
    );
  parent
    .command("read <server-or-uri> [uri]")
    .description("read a resource, by its address and, where servers share it, its server")
    .action((first: string, second?: string) =>
      onCommand(second === undefined ? { name: "read", uri: first } : { name: "read", server: first, uri: second }),
    );
  parent
    .command("prompt <server> <prompt> [arguments...]")
    .description("show a prompt that a server offers, filled in with key=value arguments")
    .action((server: string, prompt: string, pairs: string[]) => onCommand({ name: "prompt", server, prompt, pairs }));
}

interface AddOptions {
  scope?: WriteScope;
  url?: string;
  transport?: "http" | "sse";
  header?: Record<string, string>;
  env?: Record<string, string>;
  replace?: boolean;
  to?: string;
  /** `true` without a text of its own. */
  paste?: string | true;
  name?: string;
  yes?: boolean;
}

/** What `add` is asked to do: to write one server, to take those of a text, or, without either, to ask. */
function commandOfAdd(server: string | undefined, command: string[], options: AddOptions): MCPCommand {
  const { scope = "user", url, transport, env = {}, header = {}, name } = options;
  const choice = { replace: options.replace === true, ...(options.to === undefined ? {} : { to: options.to }) };
  const pasted = server !== undefined && /^\s*[{[]/.test(server) ? server : options.paste;
  if (pasted !== undefined || server === "-") {
    const as = name ?? (server === "-" || server === pasted ? undefined : server);
    return {
      name: "add-pasted",
      scope,
      ...choice,
      ...(typeof pasted === "string" ? { text: pasted } : {}),
      ...(as === undefined ? {} : { as }),
      yes: options.yes === true,
    };
  }
  const added = server ?? name;
  if (added === undefined) {
    return { name: "add-asked", ...choice, ...(options.scope === undefined ? {} : { scope }) };
  }
  return {
    name: "add",
    server: added,
    scope,
    ...choice,
    command,
    ...(url === undefined ? {} : { url }),
    ...(transport === undefined ? {} : { transport }),
    env,
    headers: header,
  };
}

interface CopyOptions {
  to: string;
  scope: WriteScope;
  from?: string;
  as?: string;
  replace?: boolean;
}

function defineWriting(parent: Command, onCommand: OnCommand): void {
  parent
    .command("add [name] [command...]")
    .description("add a server: add NAME -- COMMAND ARGS…, add NAME --url URL, or add --paste; alone it asks")
    .addOption(scopeOption("default: user"))
    .option("--url <url>", "address of a remote server")
    .addOption(new Option("--transport <type>", "of a remote server (default: http)").choices(["http", "sse"]))
    .option("--header <name=value>", "sent with every request; repeatable", collectPair)
    .option("--env <name=value>", "set for the process; repeatable", collectPair)
    .option("--to <client>", "write it to the file of a client: cursor, claude-code …")
    .option("--replace", "replace a server of the same name")
    .option(
      "--paste [text]",
      "add the servers of a text in any client's form; without one, or with - as the name, of the input",
    )
    .option("--name <name>", "what a pasted entry without a name is called")
    .option("--yes", "write what was pasted without asking")
    .action(function (this: Command, server: string | undefined, command: string[]) {
      // The program has an option --yes of its own, which takes this one where it stands.
      onCommand(commandOfAdd(server, command, this.optsWithGlobals<AddOptions>()));
    });
  parent
    .command("copy <server>")
    .description("copy a server to the file of another client, in that client's form")
    .requiredOption("--to <client>", "the client: cursor, claude-code …")
    .addOption(
      new Option("--scope <scope>", "user: the client's own file; project: its file in the project")
        .choices(["project", "user"])
        .default("user"),
    )
    .option("--from <client>", "copy this client's entry (default: the one that is used)")
    .option("--as <name>", "name of the copy")
    .option("--replace", "replace a server of the same name")
    .action((server: string, { to, scope, from, as, replace }: CopyOptions) =>
      onCommand({
        name: "copy",
        server,
        to,
        scope,
        ...(from === undefined ? {} : { from }),
        ...(as === undefined ? {} : { as }),
        replace: replace === true,
      }),
    );
  parent
    .command("remove <server>")
    .alias("rm")
    .description("remove a server from the file that declares it")
    .addOption(scopeOption("default: where it is"))
    .action((server: string, { scope }: { scope?: WriteScope }) =>
      onCommand({ name: "remove", server, ...(scope === undefined ? {} : { scope }) }),
    );
  for (const name of ["enable", "disable"] as const) {
    parent
      .command(`${name} <server>`)
      .description(`${name} a server, whatever file it comes from; that is noted in your own file`)
      .option("--in-source", "edit the file that declares it instead")
      .action((server: string, options: { inSource?: boolean }) =>
        onCommand({ name, server, inSource: options.inSource === true }),
      );
  }
  parent
    .command("choose [servers...]")
    .description("choose which servers of other clients are started; the others are disabled; alone it asks")
    .addOption(new Option("--all", "all of them").conflicts("none"))
    .addOption(new Option("--none", "none of them").conflicts("all"))
    .action((servers: string[], { all, none }: { all?: boolean; none?: boolean }) =>
      onCommand({
        name: "choose",
        servers,
        ...(all === true ? { which: "all" } : none === true ? { which: "none" } : {}),
      }),
    );
  parent
    .command("trust [servers...]")
    .description("approve servers that the project declares; alone it asks for each")
    .option("--revoke", "take the approval back")
    .action((servers: string[], options: { revoke?: boolean }) =>
      onCommand({ name: "trust", servers, revoke: options.revoke === true }),
    );
}

function defineRunning(parent: Command, onCommand: OnCommand): void {
  parent
    .command("test [server] [arguments...]")
    .description("start all servers, or one, and show each step; with --call a call of one tool too")
    .option("--call <tool>", "call this tool of the server, with the key=value arguments")
    .action(function (this: Command, server: string | undefined, pairs: string[]) {
      const { call } = this.opts<{ call?: string }>();
      if (call !== undefined && server === undefined) this.error("--call goes with a server");
      if (call === undefined && pairs.length > 0) this.error("arguments go with --call");
      onCommand({ name: "test", ...named(server), pairs, ...(call === undefined ? {} : { tool: call }) });
    });
  parent
    .command("logs <server>")
    .description("what a server wrote to stderr and which messages went to and fro, of this chat or the last run")
    .option("--follow", "go on with the messages that come, until interrupted")
    .option("--protocol", "show what messages said, secrets masked")
    .action((server: string, { follow, protocol }: { follow?: boolean; protocol?: boolean }) =>
      onCommand({ name: "logs", server, follow: follow === true, protocol: protocol === true }),
    );
  parent
    .command("auth <server>")
    .description("sign in to a remote server with the browser")
    .action((server: string) => onCommand({ name: "auth", server }));
  parent
    .command("logout <server>")
    .description("sign out of a remote server: revoke the sign-in and forget it")
    .action((server: string) => onCommand({ name: "logout", server }));
  parent
    .command("trace")
    .description("the last start as a waterfall: what each server waited for; starts nothing")
    .option("--html <file>", "write it as a page that needs no network")
    .action(({ html }: { html?: string }) => onCommand({ name: "trace", ...(html === undefined ? {} : { html }) }));
  parent
    .command("reload")
    .description("read the configuration again and restart all servers, or those that changed; only in the chat")
    .action(() => onCommand({ name: "reload" }));
  parent
    .command("reconnect <server>")
    .description("start one server again; only in the chat")
    .action((server: string) => onCommand({ name: "reconnect", server }));
}

function named(server: string | undefined): { server?: string } {
  return server === undefined ? {} : { server };
}

function scopeOption(otherwise: string): Option {
  return new Option("--scope <scope>", `project: .mcp.json; user: your own file (${otherwise})`).choices([
    "project",
    "user",
  ]);
}

/** Splits `name=value` at the first equals sign; `name: value` is understood too, as headers are written. */
function collectPair(text: string, pairs: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=:\s]+)\s*[=:]\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("It must be name=value.");
  return { ...pairs, [name]: value };
}
