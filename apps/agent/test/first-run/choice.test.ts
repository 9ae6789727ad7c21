import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { hasChosen } from "../../src/first-run/apply-choice.ts";
import type { ForeignServer } from "../../src/first-run/foreign-servers.ts";
import { parseChoice, renderForeignServers } from "../../src/first-run/server-choice.ts";
import { createLiveChat } from "../support/live-chat.ts";
import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

function server(name: string, providerName = "Cursor"): ForeignServer {
  return {
    name,
    config: { command: "node", args: [`${name}.js`] },
    source: { provider: "x", providerName, path: `/home/me/.${providerName}/mcp.json`, level: "user" },
    disabled: false,
  };
}

test("servers are shown by client, numbered through", () => {
  const servers = [server("one"), server("two"), server("three", "Codex")];
  const remote = {
    ...server("four", "Codex"),
    config: { type: "http" as const, url: "https://x.example/mcp?key=s3cret" },
  };
  const text = renderForeignServers([...servers, remote], { cwd: "/work", home: "/home/me", width: 80 });
  expect(text).toBe(
    [
      "Cursor · ~/.Cursor/mcp.json",
      "  1  one    stdio  node one.js",
      "  2  two    stdio  node two.js",
      "Codex · ~/.Codex/mcp.json",
      "  3  three  stdio  node three.js",
      "  4  four   http   https://x.example/mcp?key=***",
    ].join("\n"),
  );
});

test.each<[string, ReturnType<typeof parseChoice>]>([
  ["a", { chosen: ["one", "two", "my server"] }],
  ["All", { chosen: ["one", "two", "my server"] }],
  ["none", { chosen: [] }],
  ["2, one 2", { chosen: ["two", "one"] }],
  ["my server, 1", { chosen: ["my server", "one"] }],
  ["one 4 x", { unknown: ["4", "x"] }],
  ["0", { unknown: ["0"] }],
  [" ", undefined],
])("the answer %j is understood", (answer, expected) => {
  expect(parseChoice(answer, [server("one"), server("two"), server("my server")])).toEqual(expected);
});

test("choose keeps what was chosen, and says what is not started; the choice is kept outside of the project", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {}, two: {} });
  await scratch.write("home/.config/toolgate/config.json", { mcpServers: { own: { command: "node" } } });
  const { json, status } = await runToolgate(scratch, ["mcp", "choose", "two", "--json"]);
  expect([status, json()]).toEqual([0, { chosen: ["two"], declined: ["one"] }]);
  expect(await hasChosen({ ...scratch, platform: process.platform })).toBe(true);
  const config = join(scratch.home, ".config", "toolgate", "config.json");
  expect(JSON.parse(await readFile(config, "utf8"))).toEqual({
    mcpServers: { own: { command: "node" } },
    disabledServers: ["one"],
  });
  expect((await runToolgate(scratch, ["mcp", "choose", "--all", "--json"])).json()).toEqual({
    chosen: ["one", "two"],
    declined: [],
  });
});

test("without names and without anybody to ask, choose shows what there is and changes nothing", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  await scratch.projectServers({ theirs: {} });
  const { status, stderr } = await runToolgate(scratch, ["mcp", "choose"]);
  expect(status).toBe(4);
  expect(stderr).toMatch(/^Cursor · ~\/\.cursor\/mcp\.json\n {2}1 {2}one /);
  expect(stderr).not.toContain("theirs");
  expect(await hasChosen({ ...scratch, platform: process.platform })).toBe(false);
  expect((await runToolgate(scratch, ["mcp", "choose", "theirs"])).status).toBe(2);
  for (const words of [
    ["--all", "--none"],
    ["one", "--all"],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await runToolgate(scratch, ["mcp", "choose", ...words])).status).toBe(2);
  }
});

test("in a session choose ends what was declined and starts what was chosen", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {}, two: {} });
  await using chat = await createLiveChat(scratch);
  expect((await chat.run("choose two")).exitStatus).toBe(0);
  expect([chat.toolsOf("one").length, chat.toolsOf("two").length]).toEqual([0, 11]);
  expect((await chat.run("choose one")).text).toContain("started from now on: one; not started: two");
  expect([chat.toolsOf("one").length, chat.toolsOf("two").length]).toEqual([11, 0]);
});

test("what is not interactive starts what is configured, chosen or not", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  const { stdout } = await runToolgate(scratch, [], { input: "/call mcp_one_echo text=hi\n" });
  expect(stdout).toMatch(/^hi$/m);
  expect(await hasChosen({ ...scratch, platform: process.platform })).toBe(false);
});
