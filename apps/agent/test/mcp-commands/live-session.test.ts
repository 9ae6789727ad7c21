import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { processIsAlive } from "../../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { createLiveChat } from "../support/live-chat.ts";
import { createScratch } from "../support/scratch.ts";

test(verifies("L65", "/mcp disable ends the server, takes its tools away and says which file it changed"), async () => {
  await using scratch = await createScratch();
  const cursorFile = await scratch.userServers({ good: {}, other: {} });
  await using chat = await createLiveChat(scratch);
  const pid = await chat.pidOf("good");
  const before = await readFile(cursorFile, "utf8");

  const outcome = await chat.run("disable good");
  const nativeFile = join(scratch.home, ".config", "toolgate", "config.json");
  expect(outcome).toMatchObject({
    exitStatus: 0,
    document: { name: "good", enabled: false, path: nativeFile, changed: true },
    text: "good: disabled, and stopped (changed ~/.config/toolgate/config.json)",
  });
  expect(processIsAlive(pid)).toBe(false);
  expect(chat.toolsOf("good")).toEqual([]);
  expect(chat.toolsOf("other")).not.toEqual([]);
  expect(JSON.parse(await readFile(nativeFile, "utf8"))).toEqual({ disabledServers: ["good"] });
  expect(await readFile(cursorFile, "utf8")).toBe(before);

  expect((await chat.run("list")).document).toMatchObject({
    servers: [
      { name: "good", status: "disabled" },
      { name: "other", status: "connected" },
    ],
  });
  expect(await chat.run("enable good")).toMatchObject({ exitStatus: 0, document: { enabled: true } });
  expect(chat.toolsOf("good")).toContain("mcp_good_echo");
});

test("a server that was disabled when the session began can be enabled in it", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {} });
  await scratch.write("home/.config/toolgate/config.json", '{ // mine\n  "disabledServers": ["good"] }\n');
  await using chat = await createLiveChat(scratch);
  expect(chat.toolsOf("good")).toEqual([]);
  expect(await chat.run("enable good")).toMatchObject({ exitStatus: 0, text: expect.stringContaining("connected") });
  expect(chat.toolsOf("good")).toContain("mcp_good_echo");
  expect(await chat.run("reload")).toMatchObject({ document: { kept: ["good"] } });
  const file = await readFile(join(scratch.home, ".config", "toolgate", "config.json"), "utf8");
  expect(file).toContain("// mine");
});

test(verifies("L65", "/mcp remove ends the server and takes it out of its file"), async () => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch, {
    before: () => scratch.projectServers({ theirs: {}, kept: {} }),
  });
  const pid = await chat.pidOf("theirs");
  const outcome = await chat.run("remove theirs");
  expect(outcome).toMatchObject({ exitStatus: 0, text: "theirs: removed from ./.mcp.json, and stopped" });
  expect(processIsAlive(pid)).toBe(false);
  expect(chat.toolsOf("theirs")).toEqual([]);
  const file = JSON.parse(await readFile(join(scratch.project, ".mcp.json"), "utf8")) as { mcpServers: object };
  expect(Object.keys(file.mcpServers)).toEqual(["kept"]);
});

test("a file that is only read is left alone, and it is said what to do instead", async () => {
  await using scratch = await createScratch();
  const toml = '[mcp_servers.theirs]\ncommand = "/nowhere/theirs"\n';
  const file = await scratch.write("home/.codex/config.toml", toml);
  await using chat = await createLiveChat(scratch);
  for (const command of ["remove theirs", "disable theirs --in-source"]) {
    const outcome = await chat.run(command);
    expect(outcome.exitStatus).toBe(1);
    expect(outcome.text).toContain("/mcp disable theirs");
  }
  expect(await readFile(file, "utf8")).toBe(toml);
});

test("a server that its client cannot switch off is left alone, and can be removed", async () => {
  await using scratch = await createScratch();
  const file = await scratch.userServers({ good: {}, kept: {} });
  const before = await readFile(file, "utf8");
  await using chat = await createLiveChat(scratch);
  const refused = await chat.run("disable good --in-source");
  expect(refused.exitStatus).toBe(1);
  expect(refused.text).toContain("Cursor cannot switch off a server");
  expect(refused.text).toContain("/mcp disable good");
  expect(await readFile(file, "utf8")).toBe(before);
  expect(chat.toolsOf("good")).not.toEqual([]);

  expect(await chat.run("remove good")).toMatchObject({
    exitStatus: 0,
    text: "good: removed from ~/.cursor/mcp.json, and stopped",
  });
  expect(chat.toolsOf("good")).toEqual([]);
  const { mcpServers } = JSON.parse(await readFile(file, "utf8")) as { mcpServers: object };
  expect(Object.keys(mcpServers)).toEqual(["kept"]);
});

test("/mcp copy writes another client's file, and a new name connects at once", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {} });
  await using chat = await createLiveChat(scratch);
  expect(await chat.run("copy good --to vscode --scope project")).toMatchObject({
    exitStatus: 0,
    text: "good: copied to the new file ./.vscode/mcp.json, from ~/.cursor/mcp.json",
    notes: [],
  });
  // The copy of one's own entry needs no approval.
  expect(await chat.run("trust")).toMatchObject({ document: { pending: [] } });
  expect(await chat.run("copy good --to toolgate --as twin")).toMatchObject({
    exitStatus: 0,
    text: expect.stringContaining("and connected"),
  });
  expect(chat.toolsOf("twin")).toContain("mcp_twin_echo");
  expect(await chat.run("copy good")).toMatchObject({ exitStatus: 2 });
});

test("/mcp disable --in-source edits the file that declares it, and enable says when that is needed", async () => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch, { before: () => scratch.projectServers({ theirs: {} }) });
  const path = join(scratch.project, ".mcp.json");
  expect(await chat.run("disable theirs --in-source")).toMatchObject({ document: { path, changed: true } });
  expect(await readFile(path, "utf8")).toContain('"enabled": false');
  const refused = await chat.run("enable theirs");
  expect(refused).toMatchObject({ exitStatus: 1 });
  expect(refused.text).toContain("/mcp enable theirs --in-source");
  expect(await chat.run("enable theirs --in-source")).toMatchObject({ exitStatus: 0, document: { path } });
});

test("/mcp add connects at once; what a person types needs no further approval", async () => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch);
  const { command, args } = chat.fixture();
  const line = `add fresh --scope project -- ${command} ${args.map((argument) => `'${argument}'`).join(" ")}`;
  expect(await chat.run(line)).toMatchObject({ exitStatus: 0, text: "fresh: added and connected (./.mcp.json)" });
  expect(chat.toolsOf("fresh")).toContain("mcp_fresh_echo");
  expect(await chat.run(line)).toMatchObject({ exitStatus: 1, text: expect.stringContaining("already") });
  expect(await chat.run("add")).toMatchObject({ exitStatus: 2 });
  expect(await chat.run("add nothing")).toMatchObject({ exitStatus: 2 });
  expect(await chat.run("add x --url https://x.test --env A=b")).toMatchObject({ exitStatus: 2 });
});

test("a server that a command starts in vain is told with the reason, whichever command it is", async () => {
  await using scratch = await createScratch();
  await using chat = await createLiveChat(scratch);
  const line = "add nope -- no-such-command-anywhere";
  expect(await chat.run(line)).toMatchObject({ text: "nope: added (~/.config/toolgate/config.json)" });
  await chat.run("disable nope");
  await chat.run("enable nope");
  const told = expect.stringMatching(
    /^✗ nope \(~\/\.config\/toolgate\/config\.json\): could not be started .* → \/mcp test nope$/,
  );
  expect(chat.notices).toEqual([told, told]);
});

test("/mcp trust starts what was waiting, an edit of the entry asks again", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({ theirs: {} });
  await using chat = await createLiveChat(scratch);
  expect((await chat.run("list")).document).toMatchObject({ servers: [{ status: "needs-approval" }] });
  expect(await chat.run("call theirs.echo text=x")).toMatchObject({
    exitStatus: 4,
    document: { isError: true, details: { errorCode: "NOT_TRUSTED" } },
  });
  expect(await chat.run("trust")).toMatchObject({ exitStatus: 4, document: { approved: [], pending: ["theirs"] } });
  expect(await chat.run("trust nobody")).toMatchObject({ exitStatus: 1 });
  expect(await chat.run("trust theirs")).toMatchObject({ exitStatus: 0, document: { pending: [] } });
  expect(await chat.run("call theirs.echo text=x")).toMatchObject({ exitStatus: 0, text: "x" });

  await scratch.projectServers({ theirs: { name: "edited" } });
  await chat.run("reload");
  expect((await chat.run("list")).document).toMatchObject({ servers: [{ status: "needs-approval" }] });
  expect(chat.toolsOf("theirs")).toEqual([]);
});

test(verifies("L50 L60", "/mcp reload and reconnect bring servers back, and say what changed"), async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {}, gone: {} });
  await using chat = await createLiveChat(scratch);
  await scratch.userServers({ good: {}, extra: {} });
  expect(await chat.run("reload")).toMatchObject({
    exitStatus: 0,
    document: { added: ["extra"], removed: ["gone"], kept: ["good"], errors: [] },
    text: "+ extra (11 tools)   - gone   = 1 unchanged",
  });
  const crashed = await chat.run("call good.crash");
  expect(crashed).toMatchObject({ exitStatus: 1, document: { isError: true } });
  expect(crashed.text).toContain("code 9");
  expect(await chat.run("call good.echo text=x")).toMatchObject({
    exitStatus: 1,
    text: expect.stringContaining("/mcp reconnect good"),
  });
  expect(await chat.run("reconnect good")).toMatchObject({ exitStatus: 0, document: { status: "connected" } });
  expect(await chat.run("call good.echo text=x")).toMatchObject({ exitStatus: 0, text: "x" });
  expect(await chat.run("reconnect nobody")).toMatchObject({ exitStatus: 1 });
});

test("what a server sends is printed without its escape sequences, and kept as it is in the document", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  await using chat = await createLiveChat(scratch);
  const outcome = await chat.run(`call s.echo "text=\u001b[2Jclear\u001b]0;t\u0007"`);
  expect(outcome.text).toBe("clear");
  expect(outcome.document).toMatchObject({ content: [{ text: "\u001b[2Jclear\u001b]0;t\u0007" }] });
});
