import { expect, test } from "vitest";

import { receivedMessages } from "../../../../tooling/fixture-servers/index.mjs";
import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

test.each([
  { words: ["mcp", "call", "one.echo", "text=hi"], input: "" },
  { words: ["-p", "mcp_one_echo text=hi", "--yes"], input: "" },
  { words: [], input: "/call one.echo text=hi\n" },
])("where nobody can be asked, servers are not told that somebody can: $words", async ({ words, input }) => {
  await using scratch = await createScratch();
  const logFile = scratch.file("messages.log");
  await scratch.userServers({ one: { logFile } });
  const { status, stdout } = await runToolgate(scratch, words, { input });
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^hi$/m) });
  const first = receivedMessages(logFile).find(({ method }) => method === "initialize");
  expect(Object.keys(first?.params.capabilities)).toEqual(["roots"]);
});
