import { readFileSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { receivedMessages, waitFor } from "../tooling/fixture-servers/index.mjs";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import type { Terminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("Typing in the chat is not tested: there is no tmux here to open a terminal with.");

const SECRET = "s3cret-value-0123";
const STATUS = / toolgate · offline /g;

async function leave(terminal: Terminal): Promise<void> {
  await terminal.type("/exit");
  await terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
}

/** Waits until the tools of the server `one` can be called. */
async function showsTools(terminal: Terminal): Promise<void> {
  await terminal.shows("+ one (11 tools)");
  await terminal.showsPrompt();
}

/** A chat whose server answers calls once the gate is there. */
async function openGated(scratch: Scratch): Promise<{ terminal: Terminal; open: () => Promise<void> }> {
  const gate = scratch.file("gate");
  const logFile = scratch.file("messages.log");
  await scratch.userServers({ one: { logFile, waitForFile: { "tools/call": gate } } });
  const terminal = await openTerminal(scratch);
  await showsTools(terminal);
  await terminal.type("/call mcp_one_echo text=first");
  await terminal.press("Enter");
  await waitFor(() => receivedMessages(logFile).some(({ method }) => method === "tools/call"), "the call");
  return { terminal, open: () => writeFile(gate, "") };
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

describe.skipIf(!hasTmux)("typing in the chat", () => {
  test("what is typed while a call runs is not shown in its answer, and stands at the next prompt", async () => {
    await using scratch = await createScratch();
    const { terminal, open } = await openGated(scratch);
    await using _ = terminal;
    await terminal.type("/mod");
    await open();
    const screen = await terminal.showsPrompt("/mod");
    expect(screen).toMatch(/› \/call mcp_one_echo text=first\n\d+ ms\nfirst\n toolgate · .*\n› \/mod\s*$/);
    await terminal.type("el");
    await terminal.press("Enter");
    await terminal.shows(/^› \/model\noffline \(no model/m);
    await leave(terminal);
  });

  test("lines that are entered while a call runs are shown and carried out when their turn comes", async () => {
    await using scratch = await createScratch();
    const { terminal, open } = await openGated(scratch);
    await using _ = terminal;
    await terminal.press("Enter");
    await terminal.type("/model");
    await terminal.press("Enter");
    await terminal.type("/call mcp_one_echo text=second");
    await terminal.press("Enter");
    await open();
    const screen = await terminal.shows(/^second$/m);
    expect(screen).toMatch(
      /› \/call mcp_one_echo text=first\n.* ms\nfirst\n› \/model\noffline [^›]*\n› \/call mcp_one_echo text=second\n.* ms\nsecond\n/,
    );
    await terminal.showsPrompt();
    await leave(terminal);
  });

  test("Escape ends a call that hangs", async () => {
    await using scratch = await createScratch();
    const logFile = scratch.file("messages.log");
    await scratch.userServers({ one: { logFile } });
    await using terminal = await openTerminal(scratch);
    await showsTools(terminal);
    await terminal.type("/call mcp_one_hang");
    await terminal.press("Enter");
    await waitFor(() => receivedMessages(logFile).some(({ method }) => method === "tools/call"), "the call");
    await terminal.press("Escape");
    await terminal.shows("Interrupted.");
    await terminal.showsPrompt();
    await waitFor(
      () => receivedMessages(logFile).some(({ method }) => method === "notifications/cancelled"),
      "the server to hear of it",
    );
    await leave(terminal);
  });

  test("a pasted text of three lines is one input, which only Enter enters", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await showsTools(terminal);
    await terminal.paste("/call mcp_one_echo\ntext='pasted\nlines'");
    await terminal.shows(/^› \/call mcp_one_echo\n… text='pasted\n… lines'$/m);
    await terminal.press("Enter");
    await terminal.shows(/^pasted\nlines$/m);
    const screen = await terminal.showsPrompt();
    expect(count(screen, /› \/call mcp_one_echo\n/g)).toBe(1);
    expect(count(screen, STATUS), screen).toBe(1);
    await leave(terminal);
  });

  test("a backslash at the end of a line, Ctrl-J and Alt-Enter go on in the next one", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await showsTools(terminal);
    await terminal.type("/call mcp_one_echo \\");
    await terminal.press("Enter");
    await terminal.showsContinuation();
    await terminal.type("text='one");
    await terminal.press("C-j");
    await terminal.type("two");
    await terminal.press("M-Enter");
    await terminal.type("three'");
    await terminal.press("Enter");
    await terminal.shows(/^one\ntwo\nthree$/m);
    expect(await terminal.showsPrompt()).toMatch(/^› \/call mcp_one_echo \n… text='one\n… two\n… three'$/m);
    await leave(terminal);
  });

  test("Ctrl-C throws away an input of several lines as a whole", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.paste("one\ntwo\nthree");
    await terminal.shows(/^… three$/m);
    await terminal.press("C-c");
    const screen = await terminal.showsPrompt();
    expect(screen).not.toContain("two");
    await leave(terminal);
  });

  test("one status line stands above the prompt, in a narrower and in a wider window", async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    await using terminal = await openTerminal(scratch);
    await showsTools(terminal);
    await terminal.type("a line that is being typed");
    // What is on its way to the window when its size changes cannot be drawn for the new one.
    await terminal.showsPrompt("a line that is being typed");
    for (const columns of [41, 30, 120]) {
      // oxlint-disable-next-line no-await-in-loop -- one size after the other
      await terminal.resize(columns, 30);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const screen = await terminal.showsStatus(columns, "a line that is being typed");
      expect(count(screen, STATUS), screen).toBe(1);
      expect(count(screen, /a line that is being typed/g)).toBe(1);
    }
    await terminal.press("C-c");
    await leave(terminal);
    // What has left the chat says nothing about how it stands.
    expect(await terminal.screen()).not.toMatch(STATUS);
  });

  test("the status line changes in place when a server comes", async () => {
    await using scratch = await createScratch();
    const gate = scratch.file("gate");
    await scratch.userServers({ late: { waitForFile: { initialize: gate } } });
    await using terminal = await openTerminal(scratch);
    await terminal.shows(/0 servers, 1 connecting · 0 tools\n›/);
    await terminal.type("/mod");
    await terminal.showsPrompt("/mod");
    await writeFile(gate, "");
    const screen = await terminal.shows(/\+ late \(11 tools\)\n toolgate · .* · 1 server · 11 tools\n› \/mod\s*$/);
    expect(count(screen, STATUS), screen).toBe(1);
    await terminal.press("C-c");
    await leave(terminal);
  });

  test("Ctrl-L clears the screen and leaves the prompt with what is typed", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.answerTo("/help");
    await terminal.type("/mod");
    await terminal.press("C-l");
    await waitFor(async () => /^ toolgate · .*\n› \/mod\s*$/.test(await terminal.window()), "a cleared screen");
    await terminal.press("C-c");
    await leave(terminal);
  });

  test("Tab pressed twice shows what a line may go on with, above it", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.type("/m");
    await terminal.press("Tab", "Tab");
    await terminal.shows(/^\/mcp +\/model\n toolgate · .*\n› \/m\s*$/m);
    await terminal.press("C-c");
    await leave(terminal);
  });

  test("earlier inputs come back in the next session, but none with a secret and none behind a blank", async () => {
    await using scratch = await createScratch();
    {
      await using first = await openTerminal(scratch);
      await first.showsPrompt();
      for (const line of [
        "/mcp list",
        "/model",
        " /approval",
        `/mcp add x --url https://example.org/mcp --header Authorization=Bearer${SECRET}`,
        `/mcp add y --env API_TOKEN=${SECRET} -- node -v`,
      ]) {
        // oxlint-disable-next-line no-await-in-loop -- one line after the other
        await first.answerTo(line);
      }
      await leave(first);
    }
    const directory = join(scratch.home, ".local", "state", "toolgate", "history");
    const [file = ""] = await readdir(directory);
    const kept = await readFile(join(directory, file), "utf8");
    expect(
      kept
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as string),
    ).toEqual(["/mcp list", "/model", "/exit"]);
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    await using second = await openTerminal(scratch);
    await second.showsPrompt();
    await second.press("Up", "Up");
    await second.showsPrompt("/model");
    await second.press("Up");
    await second.showsPrompt("/mcp list");
    await second.press("C-c");
    await second.showsPrompt();
    await leave(second);
  });

  test("the value of a variable is asked for without being shown, and is not called back", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.type("/mcp add");
    await terminal.press("Enter");
    for (const [question, answer] of [
      ["Name of the server:", "fresh"],
      ["Command with its arguments", "node -v"],
      ["Environment variable", "API_KEY"],
      ["Value of API_KEY:", SECRET],
      [/Value of API_KEY:[\s\S]*Environment variable/, ""],
      ["[user/project]", ""],
      ["Write it?", "y"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      await terminal.shows(question);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.type(answer);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.press("Enter");
    }
    await terminal.shows("fresh: added");
    await terminal.showsPrompt();
    await terminal.press("Up");
    await terminal.showsPrompt("/mcp add");
    expect(await terminal.screen()).not.toContain(SECRET);
    const own = readFileSync(join(scratch.home, ".config", "toolgate", "config.json"), "utf8");
    expect(JSON.parse(own)).toMatchObject({ mcpServers: { fresh: { env: { API_KEY: SECRET } } } });
    await terminal.press("C-c");
    await leave(terminal);
  });

  test.each([
    ["--plain", ["--plain"], { NO_COLOR: "1" }],
    ["TOOLGATE_PLAIN", [], { TOOLGATE_PLAIN: "1", NO_COLOR: "1" }],
  ])("with %s nothing is written over", async (_name, words, env) => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch, words, { env });
    const written = await terminal.record(scratch.file("written"));
    await terminal.showsPrompt();
    await terminal.type("/call bash command='echo one; \\");
    await terminal.press("Enter");
    await terminal.showsContinuation();
    await terminal.type("echo two'");
    await terminal.press("Enter");
    await terminal.shows(/^one\ntwo$/m);
    await terminal.showsPrompt();
    await waitFor(() => written().includes("one\r\ntwo"), "the record");
    expect(written()).not.toContain("\u001B[");
    await leave(terminal);
  });
});
