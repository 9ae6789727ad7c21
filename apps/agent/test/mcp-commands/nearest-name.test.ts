import { expect, test } from "vitest";

import { findNearest } from "../../src/mcp-commands/nearest-name.ts";
import { createLiveChat } from "../support/live-chat.ts";
import { createScratch } from "../support/scratch.ts";

test.each([
  ["fiels", "files"],
  ["file", "files"],
  ["FILES", "files"],
  ["dosc", "docs"],
  ["postg", "postgres-production"],
  ["x", undefined],
  ["", undefined],
  ["nothing-like-it", undefined],
])("%j means %j", (typed, meant) => {
  expect(findNearest(typed, ["files", "docs", "postgres-production"])).toBe(meant);
});

test.each([
  ["test god", "Did you mean good?"],
  ["tools god", "Did you mean good?"],
  ["disable goood", "Did you mean good?"],
  ["logs goof", "Did you mean good?"],
  ["call good.ehco text=x", "Did you mean good.echo?"],
  ["call god.echo text=x", "Did you mean good.echo?"],
  ["copy good --to cusror", "Did you mean cursor?"],
  ["add x --to vscod -- node", "Did you mean vscode?"],
  ["lst", "Did you mean list?"],
  ["disabel good", "Did you mean disable?"],
])("/mcp %s is answered with %s", async (line, suggestion) => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {} });
  await using chat = await createLiveChat(scratch);
  const outcome = await chat.run(line);
  expect(outcome.exitStatus).not.toBe(0);
  expect(outcome.text).toContain(suggestion);
});
