import { describe, expect, test } from "vitest";

import { startModelServer } from "../apps/agent/test/support/model-server.ts";
import type { ModelServer, ModelStep } from "../apps/agent/test/support/model-server.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { waitFor } from "../tooling/fixture-servers/index.mjs";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import type { Terminal, TerminalOptions } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("Turns in a terminal are not tested: there is no tmux here to open one with.");

const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const steps: ModelStep[] = [
  {
    answer: {
      text: ["Let me ", "look.\n"],
      calls: [
        { id: "1", name: "mcp_one_echo", arguments: { text: lines.join("\n") } },
        { id: "2", name: "mcp_one_progress", arguments: { steps: 2, every: 2000 } },
      ],
    },
  },
  { answer: { text: ["## Find", "ings\n\n1. **one**\n2. two\n\n```js\nlet", " a;\n```\nSee `a", "` there."] } },
];

/** A chat whose model is a stand-in, with a server whose tools have arrived. */
async function openChat(scratch: Scratch, model: ModelServer, options?: TerminalOptions): Promise<Terminal> {
  await scratch.userServers({ one: {} });
  await scratch.write("home/.config/toolgate/config.json", { approval: "never-ask" });
  Object.assign(scratch.env, { OPENAI_API_KEY: "sk-turns", OPENAI_BASE_URL: `${model.url}/v1` });
  const terminal = await openTerminal(scratch, ["--model", "openai/stand-in"], options);
  await terminal.showsPrompt();
  await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_progress"), "the tools");
  return terminal;
}

describe.skipIf(!hasTmux)("in a terminal", () => {
  test("a turn shows progress while a call runs, folds long outputs, renders the answer, and /output shows all", async () => {
    await using scratch = await createScratch();
    await using model = await startModelServer("openai", steps);
    await using terminal = await openChat(scratch, model);
    await terminal.type("go");
    await terminal.press("Enter");
    const meanwhile = await terminal.shows(/mcp_one_progress {2}\d s {2}▓{5}░{5} 50% {2}step 1$/m);
    expect(meanwhile).toMatch(/^Let me look\.\n\n● mcp_one_echo text="line 1.* {2}12 lines\n {2}line 1\n/m);
    expect(meanwhile).toContain("  line 5\n  … 7 more lines (/output)\n");
    await terminal.shows(/^● mcp_one_progress steps=2 every=2000 .* {2}1 line\n {2}2 steps$/m);
    const screen = await terminal.shows("See a there.");
    expect(screen).toContain("\n## Findings\n\n1. one\n2. two\n\n  js\n    let a;\n\nSee a there.\n");
    const after = await terminal.showsPrompt();
    // What stood there for the time being is gone.
    expect(after).not.toContain("step 1");
    expect(after).not.toContain("waiting for the model");
    expect(await terminal.answerTo("/output")).toMatch(new RegExp(`^mcp_one_echo text=.*\n${lines.join("\n")}$`));
  });

  test("a terminal that cannot move its cursor shows a turn in plain lines", async () => {
    await using scratch = await createScratch();
    await using model = await startModelServer("openai", steps);
    await using terminal = await openChat(scratch, model, { term: "dumb" });
    const written = await terminal.record(scratch.file("written"));
    await terminal.type("go");
    await terminal.press("Enter");
    const screen = await terminal.shows("See `a` there.");
    for (const line of [
      /^● mcp_one_progress steps=2 every=2000$/m,
      /^ {2}▓{5}░{5} 50% {2}step 1$/m,
      /^● mcp_one_progress {2}.* {2}1 line$/m,
      /^## Findings\n\n1\. one\n2\. two\n\n {2}js\n {4}let a;$/m,
    ]) {
      expect(screen).toMatch(line);
    }
    await waitFor(() => written().includes("there."), "the record");
    expect(written()).not.toContain("\u001B");
  });
});
