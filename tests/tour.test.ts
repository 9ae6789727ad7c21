import { mkdir, readdir } from "node:fs/promises";

import { describe, expect, test } from "vitest";

import { runToolgate } from "../apps/agent/test/support/run-toolgate.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { waitFor } from "../tooling/fixture-servers/index.mjs";
import { processesWith } from "./support/processes.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("The tour in a terminal is not tested: there is no tmux here to open one with.");

test("the tour goes through a whole session with real servers, and leaves nothing behind", async () => {
  await using scratch = await createScratch();
  const temporary = scratch.file("tmp");
  await mkdir(temporary);
  const { status, stdout, stderr } = await runToolgate(scratch, ["demo"], { env: { TMPDIR: temporary } });
  expect(stderr).toBe("");
  expect([...stdout.matchAll(/^\d {2}\S.*?(?= {2}|$)/gm)].map(([heading]) => heading)).toEqual([
    "1  What is configured",
    "2  Cold start, nothing cached",
    "3  Calls",
    "4  Warm start, tools from the cache",
    "5  Reload after an edit",
    "6  Teardown",
  ]);

  const configured = {
    slow: "./.toolgate/mcp.json",
    broken: "./.toolgate/mcp.json",
    memory: "./.vscode/mcp.json",
    files: "./.mcp.json",
    think: "~/.codex/config.toml",
    ev: "~/.cursor/mcp.json",
  };
  for (const [name, file] of Object.entries(configured)) {
    expect(stdout).toMatch(new RegExp(`^ +${name} +stdio .* ${file.replaceAll(".", "\\.")} `, "m"));
  }
  expect(stdout).toContain("1 shadowed: files in ~/.cursor/mcp.json (./.mcp.json wins)");

  expect(stdout).toMatch(/│ the gate at \d+/);
  expect(stdout).toMatch(/^ +broken +FAILED .*✗/m);
  expect(stdout).toContain("40 tools, 1 failure");
  const running = stdout.replaceAll(/\s+/g, " ");
  expect(running).toContain("exited with code 3 during its start");
  expect(running).toContain("missing FOO_TOKEN: set it in the entry's env");

  expect(stdout).toMatch(/mcp_ev_get-sum a=2 b=40 .*The sum of 2 and 40 is/);
  expect(stdout).toMatch(/mcp_slow_reverse text=etagloot .* toolgate$/m);
  expect(running).toMatch(/40 tools in hand after .*, 0 servers awaited/);
  expect(stdout).toMatch(/mcp_slow_echo text=hi .* hi$/m);
  expect(stdout).toMatch(/\+ extra {3}- slow {3}= kept 5$/m);
  expect(stdout).toMatch(/mcp_extra_echo text=new in this session .* new in this session$/m);
  expect(stdout).toMatch(/^6 {2}Teardown +5 servers stopped in .* · processes left: 0$/m);

  expect(status).toBe(0);
  expect(await readdir(temporary)).toEqual([]);
  expect(await readdir(scratch.home)).toEqual([]);
  expect(await readdir(scratch.project)).toEqual([]);
  expect(processesWith(`HOME=${temporary}`)).toEqual([]);
});

describe.skipIf(!hasTmux)("in a terminal", () => {
  test("the tour ends in a chat with its servers, which need no approval", async () => {
    await using scratch = await createScratch();
    const temporary = scratch.file("tmp");
    await mkdir(temporary);
    const places = { ...scratch, env: { ...scratch.env, TMPDIR: temporary } };
    await using terminal = await openTerminal(places, ["demo"]);
    const tour = await terminal.showsPrompt();
    expect(tour).toContain("processes left: 0");
    expect(tour).not.toContain("Approve");
    expect(await terminal.answerTo("/call mcp_extra_echo text=here")).toMatch(/^here$/m);
    // The chat declares more to servers than the tour did, so that it does not know their tools yet.
    await waitFor(async () => /[✓…] memory +9 tools/.test(await terminal.answerTo("/mcp list")), "the tools");
    await terminal.type("/exit");
    await terminal.press("Enter");
    expect(await terminal.ended()).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
    expect(processesWith(`HOME=${temporary}`)).toEqual([]);
  });

  test("Ctrl-C ends the tour, its servers and its scratch project", async () => {
    await using scratch = await createScratch();
    const temporary = scratch.file("tmp");
    await mkdir(temporary);
    const places = { ...scratch, env: { ...scratch.env, TMPDIR: temporary } };
    await using terminal = await openTerminal(places, ["demo"]);
    await terminal.shows("What is configured");
    await terminal.press("C-c");
    expect(await terminal.ended()).toBe(130);
    expect(await readdir(temporary)).toEqual([]);
    expect(processesWith(`HOME=${temporary}`)).toEqual([]);
  });
});
