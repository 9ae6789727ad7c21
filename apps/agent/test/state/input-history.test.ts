import { readFile, stat, writeFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { createInputHistory, KEPT_INPUTS } from "../../src/state/input-history.ts";
import { createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

const historyOf = ({ home, env }: Scratch, project = "/project") =>
  createInputHistory({ home, env, platform: "linux", project });

test("inputs come back the newest first, none of them twice, with their lines", async () => {
  await using scratch = await createScratch();
  const history = historyOf(scratch);
  for (const input of ["one", "two\nlines", "one", "three"]) history.add(input);
  await history.settle();
  expect(await historyOf(scratch).load()).toEqual(["three", "one", "two\nlines"]);
  expect(await historyOf(scratch, "/other").load()).toEqual([]);
  expect((await stat(history.path)).mode & 0o777).toBe(0o600);
});

test("chats at the same time take nothing from each other", async () => {
  await using scratch = await createScratch();
  const chats = [historyOf(scratch), historyOf(scratch), historyOf(scratch)];
  await Promise.all(chats.map((chat) => chat.load()));
  for (let number = 0; number < 50; number += 1) {
    for (const [index, chat] of chats.entries()) chat.add(`chat ${index}: ${number}`);
  }
  await Promise.all(chats.map((chat) => chat.settle()));
  expect(await historyOf(scratch).load()).toHaveLength(150);
});

test("no more than the newest are kept, also when a full file has made room for a new one", async () => {
  await using scratch = await createScratch();
  const history = historyOf(scratch);
  history.add("first");
  await history.settle();
  const lines = Array.from({ length: KEPT_INPUTS }, (_, index) => JSON.stringify(`input ${index}`));
  await writeFile(history.path, `${lines.join("\n")}\n`, { flag: "a" });
  const loaded = await history.load();
  expect(loaded).toHaveLength(KEPT_INPUTS);
  expect(loaded.at(-1)).toBe("input 0");
  history.add("newest");
  await history.settle();
  expect(await readFile(history.path, "utf8")).toBe('"newest"\n');
  const after = await historyOf(scratch).load();
  expect(after).toHaveLength(KEPT_INPUTS);
  expect(after.slice(0, 2)).toEqual(["newest", `input ${KEPT_INPUTS - 1}`]);
});

test("what is damaged is left out, and a place that cannot be written loses nothing but the history", async () => {
  await using scratch = await createScratch();
  const history = historyOf(scratch);
  history.add("whole");
  await history.settle();
  await writeFile(history.path, '{"no": "text"}\n"cut o', { flag: "a" });
  expect(await history.load()).toEqual(["whole"]);
  await scratch.write("home/state", "no directory");
  const nowhere = createInputHistory({
    ...scratch,
    env: { XDG_STATE_HOME: scratch.file("home/state") },
    platform: "linux",
    project: "/project",
  });
  nowhere.add("lost");
  await nowhere.settle();
  expect(await nowhere.load()).toEqual([]);
});
