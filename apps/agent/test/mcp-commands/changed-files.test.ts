import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { createLiveChat } from "../support/live-chat.ts";
import type { LiveChat } from "../support/live-chat.ts";
import { createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

interface Case {
  /** What has happened before. */
  before?: string[];
  command: (fixture: string) => string;
  /** The file that is named. */
  file: string;
  /** The server whose state in the session changes, and whether it runs afterwards. */
  server: string;
  runs: boolean;
}

const OWN = "~/.config/toolgate/config.json";
const PROJECT = "./.mcp.json";
const CURSOR = "~/.cursor/mcp.json";
const TRUST = "~/.local/state/toolgate/trust.json";

const CASES: Case[] = [
  { command: (fixture) => `add new -- ${fixture}`, file: OWN, server: "new", runs: true },
  { command: (fixture) => `add new --scope project -- ${fixture}`, file: PROJECT, server: "new", runs: true },
  { command: (fixture) => `add new --to cursor -- ${fixture}`, file: CURSOR, server: "new", runs: true },
  {
    command: (fixture) =>
      `add --paste '{"new": {"command": "sh", "args": ["-c", "exec ${fixture.replaceAll("'", "")}"]}}'`,
    file: OWN,
    server: "new",
    runs: true,
  },
  { command: () => "copy mine --to toolgate --as new", file: OWN, server: "new", runs: true },
  { command: () => "copy mine --to cursor --as new", file: CURSOR, server: "new", runs: true },
  {
    command: () => "copy mine --to vscode --scope project --as new",
    file: "./.vscode/mcp.json",
    server: "new",
    runs: true,
  },
  {
    before: ["add mine --to cursor --replace -- false"],
    command: (fixture) => `add mine --to cursor --replace -- ${fixture}`,
    file: CURSOR,
    server: "mine",
    runs: true,
  },
  { command: () => "add mine --to cursor --replace -- false", file: CURSOR, server: "mine", runs: false },
  { command: () => "remove mine", file: CURSOR, server: "mine", runs: false },
  { command: () => "remove theirs", file: PROJECT, server: "theirs", runs: false },
  { command: () => "disable mine", file: OWN, server: "mine", runs: false },
  { command: () => "disable theirs", file: OWN, server: "theirs", runs: false },
  { command: () => "disable theirs --in-source", file: PROJECT, server: "theirs", runs: false },
  { before: ["disable mine"], command: () => "enable mine", file: OWN, server: "mine", runs: true },
  {
    before: ["disable theirs --in-source", "disable theirs"],
    command: () => "enable theirs --in-source",
    file: `${OWN} and ${PROJECT}`,
    server: "theirs",
    runs: true,
  },
  { command: () => "remove theirs --scope project", file: PROJECT, server: "theirs", runs: false },
  { command: () => "choose --none", file: OWN, server: "mine", runs: false },
  { before: ["choose --none"], command: () => "choose mine", file: OWN, server: "mine", runs: true },
  { before: ["disable mine"], command: () => "choose --all", file: OWN, server: "mine", runs: true },
  { command: () => "trust theirs --revoke", file: TRUST, server: "theirs", runs: false },
  { before: ["trust theirs --revoke"], command: () => "trust theirs", file: TRUST, server: "theirs", runs: true },
];

/** A chat with one server of the user and an approved one of the project. */
function openChat(scratch: Scratch): Promise<LiveChat> {
  return createLiveChat(scratch, {
    before: async () => {
      await scratch.userServers({ mine: {} });
      await scratch.projectServers({ theirs: {} });
    },
  });
}

test.each(
  CASES.map((item) => ({ ...item, line: item.command("COMMAND"), after: item.before?.join(", ") ?? "nothing" })),
)(
  "after $after, $line acts on the session and says that it changed $file",
  async ({ before = [], command, file, server, runs }) => {
    await using scratch = await createScratch();
    await using chat = await openChat(scratch);
    for (const line of before) {
      // oxlint-disable-next-line no-await-in-loop -- one command after the other
      expect(await chat.run(line)).toMatchObject({ exitStatus: 0 });
    }
    const { command: program, args } = chat.fixture();
    const paths = file.split(" and ").map((path) => path.replace("~", scratch.home).replace(/^\./, scratch.project));
    const contents = (): Promise<string[]> => Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
    const earlier = await contents();
    const outcome = await chat.run(command([program, ...args].map((word) => `'${word}'`).join(" ")));
    expect(outcome.exitStatus).toBe(0);
    expect([outcome.text, ...(outcome.notes ?? [])].join("\n")).toContain(file);
    expect((await contents()).filter((content, index) => content === earlier[index])).toEqual([]);
    expect(chat.toolsOf(server).length > 0).toBe(runs);
  },
);

test("what is removed gives way to an entry of the same name, which runs from then on", async () => {
  await using scratch = await createScratch();
  await scratch.write("home/.config/toolgate/config.json", { mcpServers: { x: { command: "false" } } });
  await using chat = await createLiveChat(scratch);
  await scratch.userServers({ x: {} });
  expect(await chat.run("remove x")).toMatchObject({
    exitStatus: 0,
    notes: ["x in ~/.cursor/mcp.json is used from now on, and connected."],
  });
  expect(chat.toolsOf("x")).toContain("mcp_x_echo");
});
