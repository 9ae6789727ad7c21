import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { StartRecord } from "../../src/state/start-record.ts";
import { createStartStore, KEPT_STARTS } from "../../src/state/start-store.ts";
import type { Scratch } from "../support/scratch.ts";
import { createScratch } from "../support/scratch.ts";

const storeIn = ({ home, env }: Scratch) => createStartStore({ home, env, platform: "linux" });

const recordAt = (time: number): StartRecord => ({ version: 1, time, command: "chat", cwd: "/app", servers: [] });

test("the start that began last is given, and only the last ones are kept", async () => {
  await using scratch = await createScratch();
  const store = storeIn(scratch);
  expect(await store.latest()).toBeUndefined();
  for (let index = 0; index < KEPT_STARTS + 3; index += 1) await store.save(recordAt(1_800_000_000_000 + index));
  expect(await readdir(store.directory)).toHaveLength(KEPT_STARTS);
  expect(await store.latest()).toEqual(recordAt(1_800_000_000_000 + KEPT_STARTS + 2));
});

test.skipIf(process.platform === "win32")("only their owner can read the records", async () => {
  await using scratch = await createScratch();
  const store = storeIn(scratch);
  await store.save(recordAt(1_800_000_000_000));
  const [file = ""] = await readdir(store.directory);
  expect((await stat(join(store.directory, file))).mode & 0o777).toBe(0o600);
  expect((await stat(store.directory)).mode & 0o777).toBe(0o700);
});

test("a record that is damaged counts as absent", async () => {
  await using scratch = await createScratch();
  const store = storeIn(scratch);
  await store.save(recordAt(1_800_000_000_000));
  await scratch.write("home/.local/state/toolgate/starts/2099-01-01.json", "{");
  await scratch.write("home/.local/state/toolgate/starts/2099-01-02.json", { version: 1, servers: [{}] });
  expect(await store.latest()).toEqual(recordAt(1_800_000_000_000));
});
