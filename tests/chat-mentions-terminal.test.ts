import { describe, expect, test } from "vitest";

import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { waitFor } from "../tooling/fixture-servers/index.mjs";
import { serversOf } from "./support/processes.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import type { Terminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("Mentions in a terminal are not tested: there is no tmux here to open one with.");

const server = {
  resources: [
    { uri: "x://alpha", name: "alpha", text: "the text of alpha" },
    { uri: "x://alps", name: "alps", text: "the text of alps" },
  ],
  prompts: [{ name: "greet", arguments: [{ name: "name", description: "Whom", required: true }] }],
  completions: { name: ["Grace"] },
};

/** A chat whose server is connected. */
async function openChat(scratch: Scratch): Promise<Terminal> {
  await scratch.userServers({ one: server });
  const terminal = await openTerminal(scratch);
  await terminal.showsPrompt();
  await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_echo"), "the tools");
  return terminal;
}

/** Leaves the chat and sees that it takes its servers with it. */
async function leave(terminal: Terminal, scratch: Scratch): Promise<void> {
  await terminal.type("/exit");
  await terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
  expect(serversOf(scratch.home)).toEqual([]);
}

describe.skipIf(!hasTmux)("in a terminal", () => {
  test("Tab completes a mention, shows which resources there are, and the prompt takes it along", async () => {
    await using scratch = await createScratch();
    await using terminal = await openChat(scratch);
    await terminal.type("@on");
    await terminal.press("Tab");
    await terminal.showsPrompt("@one:");
    await terminal.press("Tab");
    await terminal.showsPrompt("@one:x://alp");
    await terminal.press("Tab");
    expect(await terminal.shows(/@one:x:\/\/alpha\s+@one:x:\/\/alps/)).toContain("› @one:x://alp\n");
    await terminal.type("h");
    await terminal.press("Tab");
    await terminal.showsPrompt("@one:x://alpha");
    await terminal.press("Enter");
    await terminal.shows(/^the text of alpha$/m);
    expect(await terminal.answerTo("see (@one:x://none).")).toMatch(/^✗ @one:x:\/\/none: [^›]*not found/m);
    await leave(terminal, scratch);
  });

  test("a path is completed and goes along, as far as it is in the working directory", async () => {
    await using scratch = await createScratch();
    await scratch.write("project/src/notes.md", "my notes");
    await using terminal = await openChat(scratch);
    await terminal.type("@sr");
    await terminal.press("Tab");
    await terminal.showsPrompt("@src/");
    await terminal.press("Tab");
    await terminal.showsPrompt("@src/notes.md");
    await terminal.press("Enter");
    await terminal.shows(/^my notes$/m);
    await leave(terminal, scratch);
  });

  test("a prompt of a server is a command: completed, filled in, and asked about what it misses", async () => {
    await using scratch = await createScratch();
    await using terminal = await openChat(scratch);
    expect(await terminal.answerTo("/help")).toMatch(/@server:uri, @path[\s\S]*\/server:prompt key=value …/);
    await terminal.type("/on");
    await terminal.press("Tab");
    await terminal.showsPrompt("/one:");
    await terminal.press("Tab");
    await terminal.showsPrompt("/one:greet");
    await terminal.press("Tab");
    await terminal.showsPrompt("/one:greet name=");
    await terminal.press("Tab");
    await terminal.showsPrompt("/one:greet name=Grace");
    await terminal.press("Enter");
    await terminal.shows("▸ one:greet (1 message)");
    await terminal.showsPrompt();
    await terminal.type("/one:greet");
    await terminal.press("Enter");
    await terminal.shows(/^\? one:greet needs a value\.\n  │ Whom\n  name: *$/m);
    await terminal.press("Enter");
    await terminal.shows("one:greet needs name: /one:greet name=…");
    expect(await terminal.answerTo("/one:gret")).toContain("one has no prompt gret. Did you mean greet?");
    await leave(terminal, scratch);
  });
});
