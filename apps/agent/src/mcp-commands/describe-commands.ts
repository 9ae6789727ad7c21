import { Command } from "commander";

import { defineMCPCommands } from "./define-mcp-commands.ts";

/** What a word of a command line stands for, as far as it can be completed. */
export type WordKind = "server" | "tool" | "client" | { choices: readonly string[] } | "other";

/** A command as completion knows it. */
export interface DescribedCommand {
  name: string;
  aliases: readonly string[];
  description: string;
  /** The words after it, in their order. */
  words: readonly WordKind[];
  /** Whether the last word may come again. */
  isVariadic: boolean;
  /** Its long options, with what their value is; without one for switches. */
  options: readonly { flag: string; value?: WordKind }[];
}

/** All `/mcp` commands, read off the one definition of their syntax. */
export function describeMCPCommands(): DescribedCommand[] {
  const parent = new Command("mcp");
  defineMCPCommands(parent, () => {});
  return parent.commands.map((command) => ({
    name: command.name(),
    aliases: command.aliases(),
    description: command.description(),
    words: command.registeredArguments.map((word) => kindOf(word.name())),
    isVariadic: command.registeredArguments.at(-1)?.variadic === true,
    options: command.options.flatMap(({ long, required, optional, argChoices, flags }) => {
      if (long === undefined || long === null) return [];
      const [, placeholder = ""] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
      const value = argChoices === undefined ? kindOf(placeholder) : { choices: argChoices };
      return [{ flag: long, ...(required || optional ? { value } : {}) }];
    }),
  }));
}

/** The kind that a placeholder's name says. */
function kindOf(placeholder: string): WordKind {
  if (/^servers?(?:-or-uri)?$/.test(placeholder)) return "server";
  return placeholder === "tool" || placeholder === "client" ? placeholder : "other";
}
