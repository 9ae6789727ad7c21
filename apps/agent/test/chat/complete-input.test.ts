import { expect, test } from "vitest";

import { completeInput } from "../../src/chat/complete-input.ts";
import type { CompletionSource } from "../../src/chat/complete-input.ts";
import { describeMCPCommands } from "../../src/mcp-commands/describe-commands.ts";

const mcpCommands = describeMCPCommands();

const source: CompletionSource = {
  commands: ["/help", "/mcp", "/call"],
  mcpCommands,
  clients: ["cursor", "codex", "vscode"],
  servers: () => ["files", "docs"],
  tools: () => ["mcp_files_read"],
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
