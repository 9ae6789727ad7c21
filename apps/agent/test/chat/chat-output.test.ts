import { expect, test } from "vitest";

import { createApproval } from "../../src/approval/create-approval.ts";
import type { CommandContext } from "../../src/mcp-commands/command-context.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { plainStyle } from "../../src/terminal/style.ts";
import { createBareChat } from "../support/bare-chat.ts";
import { plainTool, textResult } from "../support/plain-tool.ts";
import { scriptedModel, toolCall } from "../support/scripted-model.ts";
import { createScriptedTerminal } from "../support/scripted-terminal.ts";

const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`);

const answers: Record<number, string> = { 0: "\u0000\u0001\u0002\ufffd", [-1]: "x".repeat(100_000) };

/** A chat with one tool, which answers with so many lines. */
async function openChat({ isInteractive }: { isInteractive: boolean }) {
  const model = scriptedModel([[toolCall("1", "list", { count: 50 })], [{ type: "text", text: "**Done**" }]]);
  const list = plainTool("list", {
    execute: async ({ count }) =>
      textResult("list", answers[Number(count)] ?? lines.slice(0, Number(count)).join("\n")),
  });
  const { session } = await createAgentSession({ enableMCP: false, model, tools: [list] });
  const terminal = createScriptedTerminal({ isInteractive, canRedraw: isInteractive });
  const approval = createApproval({ mode: "never-ask", rules: { allow: [], ask: [], deny: [] } });
  const chat = createBareChat({
    session,
    approval,
    // What `call` needs of it, for a tool that no server has.
    createContext: (signal) => ({ session, signal, style: plainStyle, prefix: "/mcp" }) as CommandContext,
    terminal,
    model,
  });
  return {
    terminal,
    /** What a line shows. */
    async enter(line: string): Promise<string> {
      const before = terminal.text.length;
      await chat.handle(line);
      return terminal.text.slice(before);
    },
    [Symbol.asyncDispose]: () => session.dispose(),
  };
}

test("on a terminal a long output of a command is folded, and /output shows it whole", async () => {
  await using chat = await openChat({ isInteractive: true });
  expect(await chat.enter("/output")).toBe("No output was longer than what is shown of it.\n");
  expect(await chat.enter("/call list count=50")).toBe(`${lines.slice(0, 40).join("\n")}\n… 10 more lines (/output)\n`);
  expect(await chat.enter("/output")).toBe(`${lines.join("\n")}\n`);
  expect(await chat.enter("/call list count=40")).toBe(`${lines.slice(0, 40).join("\n")}\n`);
});

test("one line that would fill the screen many times is cut, and /output shows it whole", async () => {
  await using chat = await openChat({ isInteractive: true });
  const shown = await chat.enter("/call list count=-1");
  expect(shown).toMatch(/^x{3199}…\n… \(\/output\)\n$/);
  expect(await chat.enter("/output")).toBe(`${"x".repeat(100_000)}\n`);
});

test("data that a tool gives as text is named on a terminal", async () => {
  await using chat = await openChat({ isInteractive: true });
  expect(await chat.enter("/call list count=0")).toMatch(/^\[binary data, \d+ B\]\n$/);
});

test("in a pipe nothing is folded", async () => {
  await using chat = await openChat({ isInteractive: false });
  expect(await chat.enter("/call list count=50")).toBe(`${lines.join("\n")}\n`);
  expect(await chat.enter("go")).toBe("● list\n**Done**\n");
});

test("outputs of the model's calls and of commands are counted together, the last one first", async () => {
  await using chat = await openChat({ isInteractive: true });
  const turn = await chat.enter("go");
  expect(turn).toContain("  line 5\n  … 45 more lines (/output)\n\nDone\n");
  expect(chat.terminal.live).toEqual([]);
  await chat.enter("/call list count=45");
  expect(await chat.enter("/output 1")).toBe(`${lines.slice(0, 45).join("\n")}\n`);
  expect(await chat.enter("/output 2")).toBe(`list count=50\n${lines.join("\n")}\n`);
  expect(await chat.enter("/output 3")).toBe("2 outputs kept: /output 1 shows the last one.\n");
});

test("the help has the command", async () => {
  await using chat = await openChat({ isInteractive: true });
  expect(await chat.enter("/help")).toContain("/output [N]");
});

test("/new and /clear forget the conversation", async () => {
  const chat = await openChat({ isInteractive: true });
  await chat.enter("go");
  expect(await chat.enter("/new")).toBe("4 messages forgotten.\n");
  expect(await chat.enter("/clear")).toBe("0 messages forgotten.\n");
});
