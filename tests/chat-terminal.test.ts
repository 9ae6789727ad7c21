import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { describe, expect, test } from "vitest";

import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { fixtureServer, receivedMessages, waitFor } from "../tooling/fixture-servers/index.mjs";
import { serversOf } from "./support/processes.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import type { Terminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("The chat in a terminal is not tested: there is no tmux here to open one with.");

/** Leaves the chat and sees that it takes its servers with it. */
async function leave(terminal: Terminal, scratch: Scratch): Promise<void> {
  await terminal.type("/exit");
  await terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
  expect(serversOf(scratch.home)).toEqual([]);
}

/** What a tool has said, without the line that says how long it took. */
function numberIn(answer: string): string | undefined {
  return /^\d+$/m.exec(answer)?.[0];
}

describe.skipIf(!hasTmux)("in a terminal", () => {
  test("the chat shows how it stands, helps, lists, calls, and ends with its servers", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    expect(await terminal.screen()).toMatch(/^ toolgate · offline \(no model: picks tools by words\) · .*\n›/m);
    // Slower than the gate, its tools arrive a moment after the prompt.
    await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_echo"), "the tools");
    expect(await terminal.answerTo("/help")).toContain("/call TOOL key=value …");
    expect(await terminal.answerTo("/mcp list")).toMatch(/Cursor · ~\/\.cursor\/mcp\.json\n\s+✓ one {2}11 tools/);
    expect(await terminal.answerTo("/call mcp_one_echo text=hi")).toMatch(/^hi$/m);
    expect(await terminal.answerTo("/nonsense")).toContain("There is no command /nonsense");
    expect(await terminal.answerTo("/mcp nonsense")).toContain("unknown command 'nonsense'");
    await leave(terminal, scratch);
  });

  test("Tab completes commands, words of a command, servers and tools", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_echo"), "the tools");
    await terminal.type("/mc");
    await terminal.press("Tab");
    await terminal.showsPrompt("/mcp");
    await terminal.type("reco");
    await terminal.press("Tab");
    await terminal.showsPrompt("/mcp reconnect");
    await terminal.type("o");
    await terminal.press("Tab");
    await terminal.showsPrompt("/mcp reconnect one");
    await terminal.press("C-c");
    await terminal.showsPrompt();
    await terminal.type("/call mcp_one_ec");
    await terminal.press("Tab");
    await terminal.showsPrompt("/call mcp_one_echo");
    await terminal.type("text=completed");
    await terminal.press("Enter");
    expect(await terminal.shows(/^completed$/m)).toContain("› /call mcp_one_echo text=completed\n");
    await leave(terminal, scratch);
  });

  test("a reload takes in what was written into the configuration, and says what has changed", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {}, two: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await scratch.userServers({ one: {}, three: {} });
    expect(await terminal.answerTo("/mcp reload")).toMatch(/^\+ three.* - two += 1 unchanged$/m);
    await waitFor(async () => (await terminal.answerTo("/tools three")).includes("mcp_three_echo"), "the new tools");
    expect(await terminal.answerTo("/call mcp_three_echo text=new")).toMatch(/^new$/m);
    await leave(terminal, scratch);
  });

  test("after a reload the model's next turn calls a tool of a new server", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await scratch.userServers({ one: {}, three: {} });
    expect(await terminal.answerTo("/mcp reload")).toMatch(/^\+ three/m);
    await terminal.type("mcp_three_echo text=turn");
    await terminal.press("Enter");
    // The news about its tools may come meanwhile.
    await terminal.shows(/^mcp_three_echo wants to run\n {2}text: turn\n[\s\S]*^Run it\? /m);
    await terminal.type("y");
    await terminal.press("Enter");
    await terminal.shows(/^● mcp_three_echo text=turn .* 1 line\n[\s\S]*^turn\n/m);
    await terminal.showsPrompt();
    await leave(terminal, scratch);
  });

  test("after a reload the model's next turn has no tool of a server that is gone, and says so", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {}, three: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_three_echo"), "the tools");
    await scratch.userServers({ one: {} });
    expect(await terminal.answerTo("/mcp reload")).toMatch(/^- three/m);
    expect(await terminal.answerTo("mcp_three_echo text=gone")).toContain("There is no tool mcp_three_echo;");
    expect(await terminal.answerTo("/call mcp_three_echo text=gone")).toContain("There is no tool mcp_three_echo.");
    await leave(terminal, scratch);
  });

  test("Ctrl-C ends a call that hangs, and nothing but the call", async () => {
    await using scratch = await createScratch();
    const logFile = scratch.file("messages.log");
    await scratch.userServers({ one: { logFile } });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_hang"), "the tools");
    const pid = numberIn(await terminal.answerTo("/call mcp_one_pid"));
    await terminal.type("/call mcp_one_hang");
    await terminal.press("Enter");
    const received = (method: string, tool?: string): boolean =>
      receivedMessages(logFile).some(
        (message) => message.method === method && (tool === undefined || message.params.name === tool),
      );
    await waitFor(() => received("tools/call", "hang"), "the call");
    await terminal.press("C-c");
    await terminal.shows("Interrupted.");
    await terminal.showsPrompt();
    await waitFor(() => received("notifications/cancelled"), "the server to hear of it");
    expect(pid).toMatch(/^\d+$/);
    expect(numberIn(await terminal.answerTo("/call one.pid"))).toBe(pid);
    await leave(terminal, scratch);
  });

  test("Ctrl-C throws away the line that is being typed, and leaves the chat from an empty one", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.type("/call something else");
    await terminal.press("Left", "Left", "C-c");
    await terminal.showsPrompt();
    expect(await terminal.answerTo("/model")).toContain("offline (no model: picks tools by words)");
    await terminal.press("C-c");
    expect(await terminal.ended()).toBe(0);
    expect(serversOf(scratch.home)).toEqual([]);
  });

  test("Ctrl-D leaves the chat", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
    expect(serversOf(scratch.home)).toEqual([]);
  });

  test("a window that is closed takes the chat and its servers with it", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: { ignoreEndOfInput: true } });
    {
      await using terminal = await openTerminal(scratch);
      await terminal.showsPrompt();
    }
    expect(serversOf(scratch.home)).toEqual([]);
  });

  test("a terminal that cannot move its cursor gets plain lines", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch, [], { term: "dumb" });
    const written = await terminal.record(scratch.file("written"));
    // Without a cursor to move, what arrives while one types goes into the line: wait for it first.
    await terminal.shows("11 tools");
    await terminal.showsPrompt();
    expect(await terminal.answerTo("/call mcp_one_echo text=plain")).toMatch(/^plain$/m);
    await waitFor(() => written().includes("\nplain\r\n"), "the record");
    expect(written()).not.toContain("\u001B");
    await leave(terminal, scratch);
  });

  test("the chat goes on in a window of another size", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_echo"), "the tools");
    await terminal.type("/call mcp_one_echo ");
    await terminal.resize(50, 20);
    await terminal.type("text=narrow");
    await terminal.press("Enter");
    await terminal.shows(/^narrow$/m);
    await terminal.resize(140, 50);
    expect(await terminal.answerTo("/call mcp_one_echo text=wide")).toMatch(/^wide$/m);
    await leave(terminal, scratch);
  });

  test("what arrives meanwhile is shown above a line that is being typed, however long that is", async () => {
    await using scratch = await createScratch();
    const gate = scratch.file("gate");
    await scratch.userServers({ late: { waitForFile: { initialize: gate } } });
    await using terminal = await openTerminal(scratch, [], { columns: 60, rows: 30 });
    await terminal.showsPrompt();
    const before = await terminal.answerTo("/model");
    const line = `/call mcp_late_echo text=${"long".repeat(30)}`;
    await terminal.type(line);
    await terminal.showsPrompt(line);
    await writeFile(gate, "");
    const screen = await terminal.shows("+ late (11 tools)");
    expect(screen).toContain(`› /model\n${before}\n+ late (11 tools)\n`);
    await terminal.showsPrompt(line);
    await terminal.press("Enter");
    await terminal.shows(new RegExp(`^${"long".repeat(30)}$`, "m"));
    await leave(terminal, scratch);
  });

  test("a server that the project declares starts when it is approved, now and from then on", async () => {
    await using scratch = await createScratch();
    await scratch.projectServers({ theirs: {} });
    {
      await using terminal = await openTerminal(scratch);
      const question = await terminal.shows("Approve it? [y/N]");
      expect(question).toMatch(/^theirs: .*stdio-server\.mjs/m);
      expect(serversOf(scratch.home)).toEqual([]);
      // Typed ahead: what follows the answer is not lost.
      await terminal.type("y");
      await terminal.press("Enter");
      await terminal.type("/mcp list");
      await terminal.press("Enter");
      await terminal.shows(/^ {2}✓ theirs {2}11 tools/m);
      await terminal.showsPrompt();
      expect(await terminal.answerTo("/call mcp_theirs_echo text=trusted")).toMatch(/^trusted$/m);
      await leave(terminal, scratch);
    }
    await using terminal = await openTerminal(scratch);
    expect(await terminal.showsPrompt()).not.toContain("Approve");
    await leave(terminal, scratch);
  });

  test("a server that the project declares stays unstarted when it is not approved", async () => {
    await using scratch = await createScratch();
    const pidFile = scratch.file("pid");
    await scratch.userServers({ mine: {} });
    await scratch.projectServers({ theirs: { pidFile } });
    await using terminal = await openTerminal(scratch);
    await terminal.shows("Approve it? [y/N]");
    await terminal.type("n");
    await terminal.press("Enter");
    await terminal.showsPrompt();
    expect(await terminal.answerTo("/mcp list")).toMatch(/^ {2}[^✓\s] theirs/m);
    expect(await terminal.answerTo("/call mcp_theirs_echo text=no")).not.toMatch(/^no$/m);
    expect(() => readFileSync(pidFile)).toThrow("ENOENT");
    await leave(terminal, scratch);
  });

  test("Ctrl-C at a question of a command takes back the command, not only the question", async () => {
    await using scratch = await createScratch();
    await scratch.projectServers({ theirs: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.shows("Approve it? [y/N]");
    await terminal.press("Enter");
    await terminal.showsPrompt();
    await terminal.type("/mcp trust");
    await terminal.press("Enter");
    await terminal.shows(/› \/mcp trust\n.*\nApprove it\? \[y\/N\]/);
    await terminal.press("C-c");
    await terminal.shows("Interrupted.");
    await terminal.showsPrompt();
    // Not taken for the answer to the question.
    expect(await terminal.answerTo("/model")).toContain("offline (no model: picks tools by words)");
    await leave(terminal, scratch);
  });

  test("Ctrl-C at the first question leaves the chat, and approves nothing", async () => {
    await using scratch = await createScratch();
    await scratch.projectServers({ first: {}, second: {} });
    await using terminal = await openTerminal(scratch);
    await terminal.shows("Approve it? [y/N]");
    await terminal.press("C-c");
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).not.toContain("closed");
    expect(serversOf(scratch.home)).toEqual([]);
  });

  test("at the first run a person chooses which servers of other clients start, and is not asked again", async () => {
    await using scratch = await createScratch();
    const pidFile = scratch.file("pid");
    await scratch.userServers({ one: {}, two: { pidFile } });
    await scratch.write("home/.config/toolgate/config.json", { mcpServers: { own: fixtureServer() } });
    {
      await using terminal = await openTerminal(scratch, [], { firstRun: true });
      const question = await terminal.shows("or some by number or name:");
      expect(question).toMatch(
        /^Cursor · ~\/\.cursor\/mcp\.json\n {2}1 {2}one {2}stdio {2}.*\n {2}2 {2}two {2}stdio {2}/m,
      );
      expect(question).not.toContain("own");
      expect(serversOf(scratch.home)).toEqual([]);
      await terminal.type("3");
      await terminal.press("Enter");
      await terminal.shows("There is no server 3.");
      await terminal.type("one");
      await terminal.press("Enter");
      await terminal.showsPrompt();
      await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_echo"), "the tools");
      expect(await terminal.answerTo("/mcp list")).toMatch(/two +disabled/);
      expect(() => readFileSync(pidFile)).toThrow("ENOENT");
      expect(await terminal.answerTo("/mcp enable two")).toContain("two: enabled, and connected");
      await leave(terminal, scratch);
    }
    await using terminal = await openTerminal(scratch, [], { firstRun: true });
    expect(await terminal.showsPrompt()).not.toContain("or some by number or name:");
    await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_two_echo"), "the tools");
    await leave(terminal, scratch);
  });

  test("Ctrl-C at the question of the first run starts nothing, and leaves it open", async () => {
    await using scratch = await createScratch();
    const pidFile = scratch.file("pid");
    await scratch.userServers({ one: { pidFile } });
    {
      await using terminal = await openTerminal(scratch, [], { firstRun: true });
      await terminal.shows("or some by number or name:");
      await terminal.press("C-c");
      expect(await terminal.ended()).toBe(0);
      expect(() => readFileSync(pidFile)).toThrow("ENOENT");
    }
    await using terminal = await openTerminal(scratch, [], { firstRun: true });
    await terminal.shows("or some by number or name:");
    await terminal.type("none");
    await terminal.press("Enter");
    expect(await terminal.showsPrompt()).toContain("0 servers · ");
    await leave(terminal, scratch);
  });

  test("/approval shows how tools are decided about, and switches for this session", async () => {
    await using scratch = await createScratch();
    await scratch.write("home/.config/toolgate/config.json", { approval: { mode: "read-only", deny: ["bash"] } });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    expect(await terminal.answerTo("/approval")).toMatch(/^● {2}read-only .*\n[\s\S]*^deny: bash$/m);
    expect(await terminal.answerTo("/approval never-ask")).toMatch(/^● {2}never-ask /m);
    expect(await terminal.answerTo("/approval sometimes")).toContain("There is no mode sometimes.");
    expect(await terminal.answerTo("/approval forget")).toContain("0 tools of this project forgotten.");
    await leave(terminal, scratch);
  });

  test("a person calls native tools by hand, and is asked only about a change outside of the working directory", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    expect(await terminal.answerTo("/call write path=in.txt content=inside")).toContain("in.txt was written: 6 bytes.");
    expect(await terminal.answerTo("/call bash command='cat in.txt'")).toMatch(/^inside$/m);
    await terminal.type("/call write path=../out.txt content=outside");
    await terminal.press("Enter");
    await terminal.shows(/wants to change a file outside of the working directory: .*out\.txt\nAllow it\? \[y\/N\]/);
    await terminal.press("Enter");
    await terminal.shows("that was not approved");
    await terminal.showsPrompt();
    expect(() => readFileSync(scratch.file("out.txt"))).toThrow("ENOENT");
    await leave(terminal, scratch);
  });
});
