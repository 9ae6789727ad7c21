import { writeFile } from "node:fs/promises";

import { describe, expect, test } from "vitest";

import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("The early chat is not tested: there is no tmux here to open a terminal with.");

describe.skipIf(!hasTmux)("while servers start", () => {
  test("the chat can be used: commands do not wait, and a call waits for its own server", async () => {
    await using scratch = await createScratch();
    const gate = scratch.file("gate");
    await scratch.userServers({
      late: { waitForFile: { initialize: gate } },
      never: { neverAnswer: ["initialize"] },
    });
    await using terminal = await openTerminal(scratch);
    expect(await terminal.showsPrompt()).toContain("0 servers, 2 connecting · 0 tools");
    expect(await terminal.answerTo("/mcp list")).toMatch(/never +connecting|… never/);
    await terminal.type("/call mcp_late_echo text=early");
    await terminal.press("Enter");
    await terminal.shows("Waiting for late.");
    await writeFile(gate, "");
    await terminal.shows(/^early$/m);
    await terminal.shows("+ late (11 tools)");
    await terminal.showsPrompt();
    await terminal.type("/exit");
    await terminal.press("Enter");
    expect(await terminal.ended()).toBe(0);
  });

  test("a prompt says which servers it waits for, and uses their tools", async () => {
    await using scratch = await createScratch();
    const gate = scratch.file("gate");
    await scratch.userServers({
      late: { waitForFile: { initialize: gate } },
      never: { neverAnswer: ["initialize"] },
    });
    await using terminal = await openTerminal(scratch);
    await terminal.showsPrompt();
    await terminal.type("late: echo text=quick");
    await terminal.press("Enter");
    await terminal.shows(/ waiting for late {2}/);
    await writeFile(gate, "");
    // The model's calls are asked about.
    expect(await terminal.shows("Run it?")).not.toContain("waiting for late, never");
    await terminal.type("y");
    await terminal.press("Enter");
    await terminal.shows(/^● mcp_late_echo text=quick .*\n\nquick$/m);
    await terminal.showsPrompt();
    await terminal.press("C-c");
    expect(await terminal.ended()).toBe(0);
  });
});
