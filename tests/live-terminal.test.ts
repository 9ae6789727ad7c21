import { describe, expect, test } from "vitest";

import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { waitFor } from "../tooling/fixture-servers/index.mjs";
import { openDrivenTerminal } from "./support/terminal-driver.ts";
import { hasTmux } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("Live lines are not tested: there is no tmux here to open a terminal with.");

const SWITCH_PASTE_OFF = "\u001B[?2004l";
const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";

describe.skipIf(!hasTmux)("below everything else", () => {
  test("live lines are replaced, cut to the width, and gone at the end", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch, { columns: 20 });
    await terminal.drive("print", "above");
    await terminal.drive("showLive", "one", "\u001B[1mbold and longer than the width\u001B[22m");
    await terminal.shows(/^above\none\nbold and longer than\s*$/);
    await terminal.drive("showLive", "two");
    await terminal.shows(/^above\ntwo\s*$/);
    await terminal.drive("showLive");
    await terminal.drive("print", "end");
    await terminal.shows(/^above\nend\s*$/);
  });

  test("text goes above them, and what comes in pieces is not torn", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch, { columns: 20 });
    await terminal.drive("showLive", "working", "still");
    await terminal.drive("write", "a piece ");
    await terminal.drive("write", "and another one that wraps");
    await terminal.drive("showLive", "working on");
    await terminal.drive("write", ", 漢字 too.");
    await terminal.shows(/^a piece and another one that wraps, 漢字 too\.\nworking on\s*$/);
    await terminal.drive("print", "a line of its own");
    // As long as the window is wide: the next piece begins a row.
    await terminal.drive("write", "x".repeat(20));
    await terminal.drive("showLive", "done");
    await terminal.drive("write", "y");
    await terminal.shows(/too\.\na line of its own\nx{20}\n?y\ndone\s*$/);
  });

  test("they survive a window that becomes narrower and wider", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch, { columns: 60, rows: 20 });
    const live = ["first ".repeat(9), "second ".repeat(8)];
    // What a narrower window moves out of sight, which cannot be written over.
    const above = Array.from({ length: 12 }, (_, index) => `above ${index + 1}`);
    await terminal.drive("print", above.join("\n"));
    await terminal.drive("showLive", ...live);
    await terminal.shows(/second\s*$/);
    for (const columns of [25, 11, 60]) {
      // oxlint-disable-next-line no-await-in-loop -- one size after the other
      await terminal.resize(columns, 20);
      const lines = live.map((line) => line.slice(0, columns).trimEnd());
      // oxlint-disable-next-line no-await-in-loop -- as above
      await waitFor(
        async () => (await terminal.screen()).trimEnd().replaceAll(/ +\n/g, "\n") === [...above, ...lines].join("\n"),
        `the lines in ${columns} columns`,
      );
    }
  });

  test("a question takes their place, and they come back", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch);
    await terminal.drive("showLive", "working");
    const answer = terminal.drive("readLine", "Some words first\nWhich one? ");
    await terminal.shows(/^Some words first\nWhich one\?\s*$/);
    await terminal.type("this one");
    await terminal.press("Enter");
    expect(await answer).toBe("this one");
    await terminal.shows(/^Some words first\nWhich one\? this one\nworking\s*$/);
  });

  test("a second question waits for the first, and one that is taken back is not asked", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch);
    const first = terminal.ask("readLine", "First? ");
    await terminal.shows("First?");
    const second = terminal.ask("readLine", "Second? ");
    const third = terminal.ask("readLine", "Third? ");
    await terminal.type("1");
    second.takeBack();
    await terminal.shows("First? 1");
    expect(await terminal.screen()).not.toContain("Third?");
    await terminal.press("Enter");
    expect(await first.answer).toBe("1");
    await terminal.shows("Third?");
    await terminal.type("3");
    await terminal.press("Enter");
    expect(await third.answer).toBe("3");
    expect(await terminal.screen()).toMatch(/^First\? 1\nThird\? 3\s*$/);
  });

  test("what was typed before a question was asked is not its answer", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch);
    await terminal.type("y");
    await terminal.press("Enter");
    await terminal.type("more");
    expect(await terminal.drive("nextInput")).toBe("y");
    const answer = terminal.drive("readLine", "Run it? ");
    await terminal.shows(/^› y\nRun it\?\s*$/);
    await terminal.type("no");
    await terminal.press("Enter");
    expect(await answer).toBe("no");
    const input = terminal.drive("nextInput");
    await terminal.showsPrompt("more");
    await terminal.press("Enter");
    expect(await input).toBe("more");
  });

  test("a question leaves the line alone that is being typed", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch);
    await terminal.drive("setStatus", " status");
    const input = terminal.drive("nextInput");
    await terminal.type("half a line");
    await terminal.showsPrompt("half a line");
    const question = terminal.ask("readLine", "Really? ");
    await terminal.shows(/^Really\?\s*$/);
    await terminal.type("yes");
    await terminal.press("Enter");
    expect(await question.answer).toBe("yes");
    await terminal.shows(/^Really\? yes\n status\n› half a line\s*$/);
    const refused = terminal.drive("readLine", "And this? ");
    await terminal.shows("And this?");
    await terminal.press("Escape");
    expect(await refused).toBe("");
    await terminal.showsPrompt("half a line");
    await terminal.press("Enter");
    expect(await input).toBe("half a line");
    await terminal.shows(/^Really\? yes\nAnd this\?\s*\n› half a line\s*$/);
  });

  test("a secret answer is on no screen and in no history, on a plain terminal neither", async () => {
    for (const term of ["screen-256color", "dumb"]) {
      // oxlint-disable-next-line no-await-in-loop -- one terminal after the other
      await using scratch = await createScratch();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await using terminal = await openDrivenTerminal(scratch, { term });
      // oxlint-disable-next-line no-await-in-loop -- as above
      const written = await terminal.record(scratch.file("written"));
      const answer = terminal.drive("readSecret", "Password: ");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.shows("Password:");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.type("geheim");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.press("BSpace", "Enter");
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await answer).toBe("gehei");
      const input = terminal.drive("nextInput");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.type("next");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.press("Enter");
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await input).toBe("next");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await waitFor(() => written().includes("next"), "the record");
      expect(written()).not.toContain("geh");
    }
  });

  test("an input that is taller than the window is shown in part, and leaves nothing behind", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch, { rows: 10, columns: 40 });
    const input = terminal.drive("nextInput");
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    await terminal.paste(lines.join("\n"));
    await terminal.shows(/… line 30\s*$/);
    await terminal.press("BSpace");
    await terminal.shows(/… line 3\s*$/);
    await terminal.press("0", "Enter");
    expect(await input).toBe(lines.join("\n"));
    const shown = lines.map((line, index) => `${index === 0 ? "›" : "…"} ${line}`).join("\n");
    expect((await terminal.shows(/… line 30\s*$/)).trimEnd()).toBe(shown);
    const long = "0123456789".repeat(60);
    const second = terminal.drive("nextInput");
    await terminal.paste(long);
    await terminal.press("Enter");
    expect(await second).toBe(long);
    expect((await terminal.shows(/0123456789\s*$/)).trimEnd()).toBe(`${shown}\n› ${long}`);
  });

  test("the cursor moves through the lines of an input, wide characters included", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch, { columns: 20 });
    const input = terminal.drive("nextInput");
    await terminal.paste("漢字漢字漢字漢字漢字漢字\nsecond line\nthird");
    await terminal.shows(/… third\s*$/);
    await terminal.press("Up", "Left", "Left");
    await terminal.type("!");
    await terminal.shows(/… sec!ond line\n… third\s*$/);
    await terminal.press("Up");
    await terminal.type("?");
    await terminal.shows(/^› 漢字漢字\?漢字漢字漢字漢字\n… sec!ond line\n… third\s*$/);
    await terminal.press("Down", "Down", "C-e");
    await terminal.type(".");
    await terminal.press("Enter");
    expect(await input).toBe("漢字漢字?漢字漢字漢字漢字\nsec!ond line\nthird.");
  });

  test("what is pasted for a text of several lines is taken as it is", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch);
    const block = terminal.drive("readBlock");
    await terminal.shows("ends with a line that holds only a dot");
    await terminal.paste('{\n  "one": 1\n}');
    await terminal.shows(/"one": 1\n/);
    await terminal.press("Enter");
    expect(JSON.parse(String(await block))).toEqual({ one: 1 });
  });

  test("Ctrl-Z gives the terminal away, and the prompt is there again when the program goes on", async () => {
    await using scratch = await createScratch();
    await using terminal = await openDrivenTerminal(scratch);
    const written = await terminal.record(scratch.file("written"));
    const input = terminal.drive("nextInput");
    await terminal.type("half a line");
    await terminal.showsPrompt("half a line");
    await terminal.press("C-z");
    await waitFor(() => written().includes(SWITCH_PASTE_OFF), "the terminal to be given away");
    process.kill(Number(await terminal.drive("pid")), "SIGCONT");
    await terminal.showsPrompt("half a line");
    await terminal.press("BSpace", "Enter");
    expect(await input).toBe("half a lin");
  });

  test("the cursor is shown again however the program ends", async () => {
    for (const how of ["end", "crash", "SIGTERM"]) {
      // oxlint-disable-next-line no-await-in-loop -- one end after the other
      await using scratch = await createScratch();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await using terminal = await openDrivenTerminal(scratch);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const written = await terminal.record(scratch.file("written"));
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.drive("showLive", "working");
      // oxlint-disable-next-line no-await-in-loop -- as above
      await waitFor(() => written().includes(HIDE_CURSOR), "a hidden cursor");
      if (how === "SIGTERM") process.kill(Number(await terminal.drive("pid")), how);
      else void terminal.drive(how);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await terminal.ended();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await waitFor(() => written().lastIndexOf(SHOW_CURSOR) > written().lastIndexOf(HIDE_CURSOR), "the cursor");
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await terminal.screen()).not.toContain("working");
    }
  });

  test.each(["end", "crash", "SIGTERM", "SIGHUP"])(
    "pastes are marked no longer after a question that the program did not outlive (%s)",
    async (how) => {
      await using scratch = await createScratch();
      await using terminal = await openDrivenTerminal(scratch);
      const written = await terminal.record(scratch.file("written"));
      terminal.drive("readSecret", "The secret: ").catch(() => {});
      await terminal.shows("The secret:");
      await terminal.type("typed");
      if (how.startsWith("SIG")) process.kill(Number(await terminal.drive("pid")), how);
      else void terminal.drive(how);
      await terminal.ended();
      await waitFor(() => written().includes(SWITCH_PASTE_OFF), "the end of the mode");
      expect(written().lastIndexOf(SHOW_CURSOR)).toBeGreaterThanOrEqual(written().lastIndexOf(HIDE_CURSOR));
      expect(written()).not.toContain("typed");
    },
  );
});
