import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { fixtureServer } from "../../../../tooling/fixture-servers/index.mjs";
import { createLiveChat } from "../support/live-chat.ts";
import { createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

const ownFile = (scratch: Scratch): string => join(scratch.home, ".config", "toolgate", "config.json");
const readServers = async (path: string): Promise<unknown> =>
  (JSON.parse(await readFile(path, "utf8")) as { mcpServers: unknown }).mcpServers;

test("add alone asks for what makes up a server, shows it masked, writes it and connects it", async () => {
  await using scratch = await createScratch();
  const answers: string[] = [];
  await using chat = await createLiveChat(scratch, { answers });
  const { command, args } = chat.fixture();
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  answers.push("fresh", words, "API_KEY", SECRET, "", "user", "yes");
  const outcome = await chat.run("add");
  expect(outcome).toMatchObject({
    exitStatus: 0,
    text: "fresh: added and connected (~/.config/toolgate/config.json)",
    document: { name: "fresh", config: { env: { API_KEY: "***" } } },
  });
  expect(chat.asked.join("\n")).not.toContain(SECRET);
  expect(chat.asked.at(-1)).toContain('"API_KEY":"***"');
  expect(await readServers(ownFile(scratch))).toEqual({ fresh: { command, args, env: { API_KEY: SECRET } } });
  expect(chat.toolsOf("fresh")).toContain("mcp_fresh_echo");
});

test("an address is asked its headers, and the scope decides about the file", async () => {
  await using scratch = await createScratch();
  const answers = ["remote", "https://127.0.0.1:9/mcp", "X-Key: v", "X-Key", "v", "", "project", "yes"];
  await using chat = await createLiveChat(scratch, { answers });
  expect(await chat.run("add")).toMatchObject({ exitStatus: 0, text: "remote: added (./.mcp.json)" });
  expect(await readServers(join(scratch.project, ".mcp.json"))).toEqual({
    remote: { type: "http", url: "https://127.0.0.1:9/mcp", headers: { "X-Key": "v" } },
  });
});

test.each([
  ["an interruption at the first question", []],
  ["an interruption while values are asked for", ["fresh", "node -v", "API_KEY"]],
  ["an interruption at the last question", ["fresh", "node -v", "", "user"]],
])("%s leaves everything as it was", async (_when, answers) => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch, { answers: [...answers] });
  await expect(chat.run("add")).rejects.toThrow("Interrupted.");
  expect(existsSync(ownFile(scratch))).toBe(false);
});

test.each([
  ["a name", [""]],
  ["a command", ["fresh", ""]],
  ["a yes", ["fresh", "node -v", "", "user", "no"]],
])("without %s nothing is added", async (_what, answers) => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch, { answers: [...answers] });
  expect(await chat.run("add")).toMatchObject({ exitStatus: 0, text: "Nothing was added." });
  expect(existsSync(ownFile(scratch))).toBe(false);
});

test("where nobody can be asked, add alone says how it is written", async () => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch);
  const outcome = await chat.run("add");
  expect(outcome.exitStatus).toBe(2);
  expect(outcome.text).toContain("/mcp add --paste");
});

test("what is pasted is shown masked and written after a yes; a bad server takes no other with it", async () => {
  await using scratch = await createScratch();
  const input = JSON.stringify({
    mcpServers: { bad: {}, good: { ...fixtureServer(), env: { API_KEY: SECRET } } },
  });
  await using chat = await createLiveChat(scratch, { answers: ["no", "yes"], input });
  expect(await chat.run("add --paste")).toMatchObject({ exitStatus: 0, text: "Nothing was written." });
  expect(existsSync(ownFile(scratch))).toBe(false);
  expect(chat.asked[0]).toContain('"API_KEY":"***"');
  expect(chat.asked[0]).toContain("~/.config/toolgate/config.json");

  const outcome = await chat.run("add --paste");
  expect(outcome).toMatchObject({
    exitStatus: 1,
    document: { added: [{ name: "good", changed: true }], failed: [{ name: "bad" }] },
  });
  expect(outcome.text).toContain("good: added and connected (~/.config/toolgate/config.json)");
  expect(outcome.text).toContain('"bad"');
  expect(JSON.stringify([outcome, chat.asked])).not.toContain(SECRET);
  expect(chat.toolsOf("good")).toContain("mcp_good_echo");

  const again = await chat.run("add --paste --yes");
  expect(again).toMatchObject({ exitStatus: 1, document: { added: [], failed: [{ name: "bad" }, { name: "good" }] } });
});

test("a text may stand on the line itself, in any client's form, and go to any client's file", async () => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch);
  const opencode = JSON.stringify({
    mcp: { x: { type: "local", command: ["node", "-v"], environment: { KEY: "{env:TOKEN}" } } },
  });
  expect(await chat.run(`add '${opencode}' --to vscode --scope project`)).toMatchObject({
    exitStatus: 0,
    document: { form: "opencode", added: [{ name: "x" }] },
    text: "x: added (./.vscode/mcp.json)",
  });
  const file = JSON.parse(await readFile(join(scratch.project, ".vscode", "mcp.json"), "utf8")) as unknown;
  expect(file).toEqual({
    servers: { x: { type: "stdio", command: "node", args: ["-v"], env: { KEY: "${env:TOKEN}" } } },
  });
  const entry = JSON.stringify({ command: "node", args: ["-v"] });
  expect(await chat.run(`add --paste '${entry}'`)).toMatchObject({ exitStatus: 1 });
  expect(await chat.run(`add one --paste '${entry}'`)).toMatchObject({ document: { added: [{ name: "one" }] } });
  expect(await chat.run(`add --paste '${entry}' --name two`)).toMatchObject({ document: { added: [{ name: "two" }] } });
  const asksInput = JSON.stringify({
    servers: { y: { command: "node", args: ["-v"], env: { K: "${input:my-key}" } } },
  });
  expect(await chat.run(`add --paste '${asksInput}'`)).toMatchObject({
    notes: ["y takes an input: set the environment variable TOOLGATE_INPUT_MY_KEY."],
  });
});
