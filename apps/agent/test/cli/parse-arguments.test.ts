import { expect, test } from "vitest";

import { parseArguments, parseChatLine } from "../../src/cli/parse-arguments.ts";
import { describeMCPCommands } from "../../src/mcp-commands/describe-commands.ts";
import { splitWords } from "../../src/mcp-commands/split-words.ts";

function parse(line: string): ReturnType<typeof parseArguments> {
  return parseArguments(line.split(" ").filter((word) => word !== ""));
}

test("the version is understood anywhere", () => {
  expect(parse("--json --version").kind).toBe("version");
});

test("without a command it is the chat", () => {
  expect(parse("").kind).toBe("chat");
  expect(parse("--cwd /x")).toMatchObject({ kind: "chat", options: { cwd: "/x" } });
});

test.each([
  ["mcp", { name: "list" }],
  ["mcp ls", { name: "list" }],
  ["mcp tools", { name: "tools" }],
  ["mcp tools ev", { name: "tools", server: "ev" }],
  ["mcp call ev.add a=1 b=-2", { name: "call", reference: "ev.add", pairs: ["a=1", "b=-2"] }],
  ["mcp call ev.add --args -", { name: "call", reference: "ev.add", pairs: [], json: "-" }],
  ["mcp read a://b", { name: "read", uri: "a://b" }],
  ["mcp read ev a://b", { name: "read", server: "ev", uri: "a://b" }],
  ["mcp prompt ev greet who=me", { name: "prompt", server: "ev", prompt: "greet", pairs: ["who=me"] }],
  ["mcp remove x --scope project", { name: "remove", server: "x", scope: "project" }],
  ["mcp add x --to cursor -- c", { name: "add", server: "x", to: "cursor", scope: "user", command: ["c"] }],
  ["mcp copy x --to cursor", { name: "copy", server: "x", to: "cursor", scope: "user", replace: false }],
  [
    "mcp copy x --from codex --to vscode --scope project --as y --replace",
    { name: "copy", server: "x", from: "codex", to: "vscode", scope: "project", as: "y", replace: true },
  ],
  ["mcp disable x --in-source", { name: "disable", server: "x", inSource: true }],
  ["mcp enable x", { name: "enable", server: "x", inSource: false }],
  ["mcp add", { name: "add-asked", replace: false }],
  ["mcp add --scope project", { name: "add-asked", scope: "project" }],
  ["mcp add -", { name: "add-pasted", scope: "user", yes: false, replace: false }],
  ["mcp add - --name x --yes", { name: "add-pasted", as: "x", yes: true }],
  ["mcp add x --paste", { name: "add-pasted", as: "x" }],
  ["mcp add --to cursor --paste {}", { name: "add-pasted", text: "{}", to: "cursor" }],
  ['mcp add {"a":{}} --json', { name: "add-pasted", text: '{"a":{}}' }],
  ["mcp test", { name: "test", pairs: [] }],
  ["mcp test ev --call add a=1 b=2", { name: "test", server: "ev", tool: "add", pairs: ["a=1", "b=2"] }],
  ["mcp logs ev", { name: "logs", server: "ev", follow: false, protocol: false }],
  ["mcp logs ev --follow --protocol", { name: "logs", server: "ev", follow: true, protocol: true }],
  ["mcp trust a b", { name: "trust", servers: ["a", "b"], revoke: false }],
  ["mcp doctor", { name: "doctor" }],
  ["mcp reload", { name: "reload" }],
  ["mcp reconnect ev", { name: "reconnect", server: "ev" }],
])("%s", (line, command) => {
  expect(parse(line)).toMatchObject({ kind: "mcp", command });
});

test("a server's own command follows -- and is taken as it is, options included", () => {
  expect(parse("mcp add fs --env A=b=c --scope project -- npx -y --json server .")).toMatchObject({
    kind: "mcp",
    command: {
      name: "add",
      server: "fs",
      scope: "project",
      env: { A: "b=c" },
      command: ["npx", "-y", "--json", "server", "."],
    },
    options: { json: false },
  });
});

test("headers are understood as they are written in HTTP too", () => {
  const words = ["mcp", "add", "r", "--url", "https://x.test/mcp", "--header", "Authorization: Bearer t=1"];
  expect(parseArguments(words)).toMatchObject({
    command: { url: "https://x.test/mcp", headers: { Authorization: "Bearer t=1" } },
  });
});

test("global options count before and after the command", () => {
  const expected = {
    cwd: "/x",
    config: "c.json",
    projectConfig: false,
    providers: ["cursor", "codex"],
    startupTimeoutMs: 0,
    json: true,
    quiet: true,
  };
  const options =
    "--cwd /x --config c.json --no-project-config --providers cursor,codex --startup-timeout 0 --json --quiet";
  expect(parse(`${options} mcp list`).options).toEqual(expected);
  expect(parse(`mcp list ${options}`).options).toEqual(expected);
  expect(parse(`mcp ${options} call a.b x=1`).options).toEqual(expected);
});

test.each([
  ["mcp nonsense", "unknown command 'nonsense'"],
  ["nonsense", "unknown command 'nonsense'"],
  ["mcp call", "missing required argument 'tool'"],
  ["mcp list extra", "too many arguments"],
  ["mcp add x npx -y server", "put -- before"],
  ["mcp list --startup-timeout soon", "number of milliseconds"],
  ["mcp add x --env novalue -- y", "name=value"],
  ["mcp add x --scope galaxy -- y", "project, user"],
  ["-p x --mcp-timeout soon", "number of milliseconds"],
  ["mcp lst", "Did you mean list?"],
  ["mcp list --provider x", "Did you mean --providers?"],
  ["dmo", "Did you mean demo?"],
  ["mcp test --call add", "--call goes with a server"],
  ["mcp test ev a=1", "arguments go with --call"],
])("a mistake is explained: %s", (line, message) => {
  const parsed = parse(line);
  expect(parsed.kind).toBe("usage");
  expect(parsed).toHaveProperty("message", expect.stringContaining(message));
});

test("JSON is promised also for what cannot be understood", () => {
  expect(parse("mcp nonsense --json")).toMatchObject({ kind: "usage", options: { json: true } });
});

test("a prompt has its permissions", () => {
  expect(parseArguments(["-p", "say hi", "--allow", "mcp_a_*", "--allow", "b", "--json"])).toMatchObject({
    kind: "prompt",
    text: "say hi",
    allow: ["mcp_a_*", "b"],
    yes: false,
    options: { json: true },
  });
});

test("a prompt can come from standard input, needs servers, and has its model and tools", () => {
  for (const line of ["-p", "-p -", "-p --json"]) {
    const parsed = parse(line);
    expect(parsed).toMatchObject({ kind: "prompt", require: [], mcpTimeoutMs: 30_000 });
    expect(parsed).not.toHaveProperty("text");
  }
  expect(parse("-p go --require a --require b --mcp-timeout 5 --model x/y --tools mcp_a_* --tools b.c")).toMatchObject({
    text: "go",
    require: ["a", "b"],
    mcpTimeoutMs: 5,
    options: { model: "x/y", tools: ["mcp_a_*", "b.c"] },
  });
});

test("the chat understands the same commands, with quotes", () => {
  expect(parseChatLine("")).toMatchObject({ kind: "mcp", command: { name: "list" } });
  expect(parseChatLine(`call ev.echo 'text=two words' json='{"a": 1}' path=C:\\dir`)).toMatchObject({
    command: { name: "call", reference: "ev.echo", pairs: ["text=two words", 'json={"a": 1}', "path=C:\\dir"] },
  });
  expect(parseChatLine("call 'open")).toMatchObject({ kind: "usage", message: "A quote is not closed." });
});

test.each(describeMCPCommands().map(({ name }) => name))("help of %s has examples that are understood", (name) => {
  for (const [help, prefix] of [
    [parseArguments(["mcp", name, "--help"]), "toolgate mcp "],
    [parseChatLine(`help ${name}`), "/mcp "],
  ] as const) {
    const text = help.kind === "help" ? help.text : "";
    const examples = text.split("Examples:\n")[1]?.split("\n") ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example).toContain(`  ${prefix}${name}`);
      expect(parseChatLine(example.trim().slice(prefix.length)).kind).toBe("mcp");
    }
  }
});

test("help of the chat calls it /mcp", () => {
  const help = parseChatLine("help call");
  expect(help.kind).toBe("help");
  expect(help).toHaveProperty("text", expect.stringContaining("Usage: /mcp call [options] <tool>"));
  expect(parseChatLine("nonsense")).toHaveProperty("message", expect.stringContaining("See: /mcp help"));
});

test.each([
  [
    ["mcp", "call"],
    ["cwd", "config", "no-project-config", "providers", "startup-timeout", "json", "quiet"],
  ],
  [["cache", "path"], ["json"]],
  [["demo"], []],
])("help of %j shows the options of the program that it heeds, and no others", (words, expected) => {
  expect(optionsBelow("Global Options:", parseArguments([...words, "--help"]))).toEqual(expected);
});

test("help of the chat shows what counts within it", () => {
  expect(optionsBelow("Global Options:", parseChatLine("help call"))).toEqual(["json"]);
});

test("help of the program has all options once, and examples that are understood", () => {
  const help = parseArguments(["--help"]);
  expect(optionsBelow("Options:", help)).toContain("allow");
  expect(optionsBelow("Global Options:", help)).toEqual([]);
  const examples = (help.kind === "help" ? help.text : "").matchAll(/^ {2}toolgate(.*?)(?: {2,}.*)?$/gm);
  const kinds = [...examples].map(([, line = ""]) => parseArguments(splitWords(line) ?? []).kind);
  expect(kinds).toEqual(["chat", "prompt", "mcp", "mcp", "help"]);
});

/** The long options that a part of a help text lists. */
function optionsBelow(title: string, help: ReturnType<typeof parseArguments>): string[] {
  const text = help.kind === "help" ? help.text : "";
  const part = text.split(new RegExp(`^${title}\n`, "m"))[1]?.split("\n\n")[0] ?? "";
  return [...part.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, name = ""]) => name);
}
