import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** A command as a document shows it. */
export interface DocumentedCommand {
  /** As it is written, without its explanation. */
  line: string;
  /** What is said about it on the same line; empty without that. */
  explanation: string;
}

/** The commands that a document shows: lines of its shell and plain blocks, and what is a command within its text. */
export function readCommands(document: string): DocumentedCommand[] {
  const text = readFileSync(new URL(document, root), "utf8");
  const blocks = [...text.matchAll(FENCE)].flatMap(([, language = "", block = ""]) =>
    ["", "sh"].includes(language) ? block.split("\n") : [],
  );
  const spans = [...text.replaceAll(FENCE, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  const shown = [
    ...blocks.filter((line) => /^npm |\btoolgate\b/.test(line)),
    ...spans.filter((span) => /\btoolgate (?:-|[a-z])/.test(span)),
  ];
  return shown.map((line) => {
    const [command = "", ...explanation] = line.split(/ {2,}|\s+#/);
    return { line: command.replaceAll(/\s+/g, " ").trim(), explanation: explanation.join(" ") };
  });
}

/** The line once for each choice in it (`add|remove`). */
export function expandChoices(line: string): string[] {
  return line
    .split(" ")
    .reduce<string[][]>(
      (all, word) => {
        const choices = /^\w+(?:\|\w+)+$/.test(word) ? word.split("|") : [word];
        return all.flatMap((before) => choices.map((choice) => [...before, choice]));
      },
      [[]],
    )
    .map((words) => words.join(" "));
}

/** What a filled in line looks like: places for words (`NAME`, `[server]`, `k=v`) hold any, the rest is as it is. */
export function patternOf(line: string): RegExp {
  const word = String.raw`(?:'[^']*'|\S+)`;
  const words = line.split(" ").map((part) => {
    if (/^[A-Z]+$/.test(part)) return ` ${word}`;
    if (/^\[.*\]$/.test(part)) return `(?: ${word})?`;
    if (part === "k=v") return String.raw` \w+=${word}`;
    return ` ${part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}`;
  });
  return new RegExp(`^${words.join("").trimStart()}(?: |$)`);
}
