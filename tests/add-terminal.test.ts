import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import type { Terminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("Adding a server in a terminal is not tested: there is no tmux here to open one with.");

const SECRET = "s3cret-value-0123";

const ownFile = (scratch: Scratch): string => join(scratch.home, ".config", "toolgate", "config.json");

/** Answers one question after the other, each once it is there. */
async function answer(terminal: Terminal, answers: readonly (readonly [question: string | RegExp, answer: string])[]) {
  for (const [question, text] of answers) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    await terminal.shows(question);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (text !== "") await terminal.type(text);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await terminal.press("Enter");
  }
}

describe.skipIf(!hasTmux)("toolgate mcp add in a terminal", () => {
  test("asks, shows no secret, and writes after the last answer", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch, ["mcp", "add"]);
    await answer(terminal, [
      ["Name of the server:", "fresh"],
      ["Command with its arguments", "node -v"],
      ["Environment variable", "API_KEY"],
      ["Value of API_KEY:", SECRET],
      [/Value of API_KEY:[\s\S]*Environment variable/, ""],
      ["[user/project]", ""],
      ["Write it?", "y"],
    ]);
    expect(await terminal.ended()).toBe(0);
    const screen = await terminal.screen();
    expect(screen).not.toContain(SECRET);
    expect(screen).toContain('"API_KEY":"***"');
    expect(screen).toContain("fresh: added (~/.config/toolgate/config.json)");
    expect(JSON.parse(await readFile(ownFile(scratch), "utf8"))).toEqual({
      mcpServers: { fresh: { command: "node", args: ["-v"], env: { API_KEY: SECRET } } },
    });
  });

  test("Ctrl-C leaves everything as it was", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch, ["mcp", "add"]);
    await answer(terminal, [["Name of the server:", "fresh"]]);
    await terminal.shows("Command with its arguments");
    await terminal.press("C-c");
    expect(await terminal.ended()).toBe(130);
    expect(existsSync(ownFile(scratch))).toBe(false);
  });

  test("what is pasted is shown and written after a yes", async () => {
    await using scratch = await createScratch();
    await using terminal = await openTerminal(scratch, ["mcp", "add", "--paste"]);
    await answer(terminal, [
      ["Paste the text", '{"mcpServers":'],
      ['{"mcpServers":', '{"a": {"command": "node"}}}'],
      ["Write it?", "y"],
    ]);
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toContain("a: added (~/.config/toolgate/config.json)");
  });
});
