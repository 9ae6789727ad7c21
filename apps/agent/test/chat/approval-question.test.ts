import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { createApproval } from "../../src/approval/create-approval.ts";
import { createRememberedTools } from "../../src/approval/remembered-tools.ts";
import { LineTerminal } from "../../src/chat/input/line-terminal.ts";
import type { CommandLineIO } from "../../src/cli/command-line-io.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { createBareChat } from "../support/bare-chat.ts";
import { plainTool } from "../support/plain-tool.ts";
import type { Scratch } from "../support/scratch.ts";
import { createScratch } from "../support/scratch.ts";
import { scriptedModel, toolCall } from "../support/scripted-model.ts";

/** Somebody who chats with a model that calls the tool `writes` at each prompt. */
async function openChat(scratch: Scratch) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true }),
  );
  if (stdin === undefined || stdout === undefined) throw new Error("no streams");
  const io = { stdin, stdout, stderr: stdout, env: { ...scratch.env, TERM: "dumb" }, platform: process.platform };
  let shown = "";
  stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const terminal = new LineTerminal(io as unknown as CommandLineIO, {
    prompt: "› ",
    completer: (line: string) => [[], line],
    onInterrupt: () => {},
  });
  const ran: unknown[] = [];
  const tool = plainTool("writes", {
    execute: async (args) => {
      ran.push(args);
      return { content: [], isError: false, details: { tool: "writes", durationMs: 0 } };
    },
  });
  const answers = [1, 2, 3].flatMap((number) => [
    [toolCall(String(number), "writes", { number })],
    [{ type: "text" as const, text: `answer ${number}` }],
  ]);
  const model = scriptedModel(answers);
  const approval = createApproval({
    rules: { allow: [], ask: [], deny: [] },
    remembered: createRememberedTools({ ...scratch, platform: process.platform, project: scratch.project }),
    ask: (question, signal) => terminal.readLine(question, signal),
  });
  const { session } = await createAgentSession({ enableMCP: false, model, tools: [tool], mayRun: approval.mayRun });
  const chat = createBareChat({
    session,
    approval,
    terminal,
    model,
  });
  return {
    chat,
    session,
    ran,
    type: (line: string) => stdin.write(`${line}\n`),
    shows: (text: string) => waitFor(() => shown.includes(text), text),
    shown: () => shown,
    async [Symbol.asyncDispose]() {
      terminal.close();
      await session.dispose();
    },
  };
}

test("before a tool runs the chat asks; yes runs it, no tells the model why, always asks no more", async () => {
  await using scratch = await createScratch();
  await using room = await openChat(scratch);
  const first = room.chat.handle("go");
  await room.shows("writes wants to run\n  number: 1\nRun it?");
  expect(room.ran).toEqual([]);
  room.type("no, not on a Friday");
  await first;
  expect(room.ran).toEqual([]);
  expect(room.session.messages).toContainEqual(
    expect.objectContaining({
      result: expect.objectContaining({
        content: [{ type: "text", text: "writes was not run: the person said: not on a Friday" }],
      }) as unknown,
    }),
  );
  const second = room.chat.handle("go");
  await room.shows("number: 2\nRun it?");
  room.type("a");
  await second;
  await room.chat.handle("go");
  expect(room.ran).toEqual([{ number: 2 }, { number: 3 }]);
  expect(room.shown()).toContain("answer 3");
  await room.chat.handle("/approval");
  expect(room.shown()).toContain("always in this project: writes");
});

test("an interrupted question takes back the prompt, and nothing is run", async () => {
  await using scratch = await createScratch();
  await using room = await openChat(scratch);
  const running = room.chat.handle("go");
  await room.shows("Run it?");
  room.chat.interrupt();
  await running;
  expect(room.shown()).toContain("Interrupted.");
  expect(room.ran).toEqual([]);
  await room.chat.handle("/approval never-ask");
  await room.chat.handle("go");
  expect(room.shown()).toContain("answer");
});
