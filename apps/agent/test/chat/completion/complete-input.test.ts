import { expect, test } from "vitest";

import { completeInput } from "../../../src/chat/completion/complete-input.ts";
import type { CompletionSource } from "../../../src/chat/completion/complete-input.ts";
import { describeMCPCommands } from "../../../src/mcp-commands/describe-commands.ts";

const mcpCommands = describeMCPCommands();

const parameters = {
  type: "object",
  properties: {
    path: { type: "string" },
    mode: { enum: ["text", "raw bytes", 1] },
    all: { type: "boolean" },
    either: { anyOf: [{ const: "one" }, { type: "boolean" }] },
  },
};

const source: CompletionSource = {
  commands: ["/help", "/mcp", "/call"],
  mcpCommands,
  clients: ["cursor", "codex", "vscode"],
  servers: () => ["files", "docs"],
  tools: () => ["mcp_files_read"],
  schemaOf: (name) => (name === "mcp_files_read" ? parameters : undefined),
  choices: { "/model": ["openai/gpt", "ollama/", "offline"], "/approval": ["ask", "read-only"] },
};

const complete = async (line: string): Promise<string[]> =>
  (await completeInput(line, source))[0].map((word) => word.trimEnd());

test.each(mcpCommands.map(({ name, options }) => ({ name, options })))(
  "$name is completed with all of its options",
  async ({ name, options }) => {
    expect(await complete(`/mcp ${name.slice(0, -1)}`)).toContain(name);
    expect(await complete(`/mcp ${name} --`)).toEqual(options.map(({ flag }) => flag));
  },
);

test.each([
  ["/m", ["/mcp"]],
  ["/call mcp", ["mcp_files_read"]],
  ["/mcp call mcp_f", ["mcp_files_read"]],
  ["/mcp test f", ["files"]],
  ["/mcp test files --call mcp", ["mcp_files_read"]],
  ["/mcp rm d", ["docs"]],
  ["/mcp trust files d", ["docs"]],
  ["/mcp copy f", ["files"]],
  ["/mcp copy files --to c", ["cursor", "codex"]],
  ["/mcp copy files --to cursor --scope p", ["project"]],
  ["/mcp copy --to cursor f", ["files"]],
  // A new name and what belongs to the server are a person's own.
  ["/mcp add f", []],
  ["/mcp add x -- f", []],
  ["/mcp logs files --f", ["--follow"]],
  ["/mcp help lo", ["logs", "logout"]],
  ["/mcp nonsense f", []],
  ["hello /m", []],
])("%s", async (line, expected) => {
  expect(await complete(line)).toEqual(expected);
});

test.each([
  ["/call mcp_files_read ", ["path=", "mode=", "all=", "either="]],
  ["/call mcp_files_read m", ["mode="]],
  ["/call mcp_files_read mode=", ["mode=text ", 'mode="raw bytes" ', "mode=1 "]],
  ["/call mcp_files_read mode=ra", ['mode="raw bytes" ']],
  ['/call mcp_files_read mode="raw b', ['mode="raw bytes" ']],
  ['/call mcp_files_read path="a b" al', ["all="]],
  // What was given is not offered again.
  ["/mcp call mcp_files_read all=true a", []],
  ["/mcp call mcp_files_read all=t", ["all=true "]],
  ["/call mcp_files_read either=", ["either=one ", "either=true ", "either=false "]],
  ["/call mcp_files_read path=", []],
  ["/call mcp_files_read other=", []],
  ["/call nobody ", []],
  ["/call mcp_files_read --", ["--args "]],
  ["/model o", ["openai/gpt ", "ollama/", "offline "]],
  ["/model offline x", []],
  ["/approval r", ["read-only "]],
])("%s, with what ends a word", async (line, expected) => {
  expect((await completeInput(line, source))[0]).toEqual(expected);
});
