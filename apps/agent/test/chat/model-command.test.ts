import { expect, test } from "vitest";

import { startModelServer } from "../support/model-server.ts";
import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

const plain = { TERM: "dumb", NO_COLOR: "1" };

test("/model says which one answers and why, and takes another one that can be used", async () => {
  await using scratch = await createScratch();
  await using server = await startModelServer("openai", [{ answer: { text: ["Hello ", "there."] } }]);
  const prices = { "openai/other": { input: 1, output: 10, currency: "EUR" } };
  await scratch.write("home/.config/toolgate/config.json", { model: { prices } });
  const env = { ...plain, OPENAI_API_KEY: "sk-chat-secret", OPENAI_BASE_URL: `${server.url}/v1` };
  const input =
    "/model\nhi\n/model nobody/x\n/model anthropic/y\n/model offline\n/model\nhi\n/model openai/other\nhi\n";
  const { status, stdout, stderr } = await runToolgate(scratch, [], { input, env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const expected = [
    " toolgate · openai/gpt-6.1-sol · 0 servers · 0 tools",
    "openai/gpt-6.1-sol · OPENAI_API_KEY",
    "Hello there.",
    '/model names the model "nobody/x", which is not provider/name.',
    "openai/gpt-6.1-sol goes on answering.",
    "Anthropic needs a key: set ANTHROPIC_API_KEY.",
    "offline (no model: picks tools by words) answers from now on.",
    "offline (no model: picks tools by words) · /model",
    "None of the tools has words of this prompt",
    "openai/other answers from now on.",
    "Hello there.",
    "100 tokens in (40 cached), 7 out · 0.0002 EUR",
  ];
  let from = 0;
  for (const text of expected) {
    const at = stdout.indexOf(text, from);
    expect(at, `${text} in ${stdout}`).toBeGreaterThanOrEqual(from);
    from = at + text.length;
  }
  expect(stdout).not.toContain("sk-chat-secret");
  expect(server.requests.map(({ path, body }) => [path, body.model])).toEqual([
    ["/v1/responses", "gpt-6.1-sol"],
    ["/v1/responses", "other"],
  ]);
});

test("a model on the command line that cannot be used is status 2, before any server is started", async () => {
  await using scratch = await createScratch();
  const pidFile = scratch.file("pid");
  await scratch.userServers({ s: { pidFile } });
  const result = await runToolgate(scratch, ["--model", "openai/x"], { env: plain });
  expect(result).toMatchObject({ status: 2, stdout: "", stderr: "OpenAI needs a key: set OPENAI_API_KEY.\n" });
});
