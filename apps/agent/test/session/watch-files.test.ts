import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { silentLogger } from "@toolgate/contracts";
import { systemClock } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { temporaryDirectory, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { watchFiles } from "../../src/session/watch-files.ts";

test("a file that an editor replaces is seen, and again", async () => {
  await using scene = await createScene(["config.json"]);
  await scene.write("config.json", "1");
  await scene.changed("config.json");
  for (const content of ["two", "three"]) {
    await scene.write("config.json.tmp", content);
    await rename(scene.path("config.json.tmp"), scene.path("config.json"));
    await scene.changed("config.json");
  }
  await rm(scene.path("config.json"));
  await scene.changed("config.json");
});

test("a file is seen that appears in folders that appear later, also when those go and come again", async () => {
  await using scene = await createScene(["a/b/config.json"]);
  for (let round = 0; round < 2; round += 1) {
    await mkdir(scene.path("a/b"), { recursive: true });
    await scene.write("a/b/config.json", "{}");
    await scene.changed("a/b/config.json");
    await rm(scene.path("a"), { recursive: true });
    await scene.changed("a/b/config.json");
  }
});

test("folders that come and go faster than they can be looked at are still watched afterwards", async () => {
  for (let round = 0; round < 15; round += 1) {
    await using directory = await temporaryDirectory();
    const [top, folder] = [join(directory.path, "a"), join(directory.path, "a/b/c")];
    const file = join(folder, "config.json");
    let content = "";
    const stop = await watchFiles(async () => [file], {
      logger: silentLogger,
      clock: { ...systemClock, schedule: (callback) => systemClock.nextTurn(callback) },
      onChange: async () => {
        content = await readFile(file, "utf8").catch(() => "");
      },
    });
    for (let time = 0; time < 12; time += 1) {
      await mkdir(folder, { recursive: true });
      await writeFile(file, "x".repeat(time));
      await rm(top, { recursive: true });
    }
    await mkdir(folder, { recursive: true });
    await writeFile(file, "the last content");
    await waitFor(() => content === "the last content", "the last change");
    stop();
  }
});

test("a change of what a link points to is seen", async () => {
  await using scene = await createScene(["config.json"], async (path) => {
    await mkdir(path("dotfiles"));
    await writeFile(path("dotfiles/real.json"), "1");
    await symlink(path("dotfiles/real.json"), path("config.json"));
  });
  await scene.write("dotfiles/real.json", "two");
  await scene.changed("config.json");
});

test("other files of the folder are no change", async () => {
  await using scene = await createScene(["config.json"]);
  const look = scene.looked();
  await scene.write("notes.txt", "1");
  await look;
  await scene.write("config.json", "1");
  await scene.changed("config.json");
  expect(scene.reports).toEqual([[scene.path("config.json")]]);
});

test("a change is reported once nothing has changed for the quiet time", async () => {
  const timers: (() => void)[] = [];
  let planned = (): void => {};
  const schedule = (callback: () => void): (() => void) => {
    timers.push(callback);
    planned();
    return () => {};
  };
  const nextTimer = async (): Promise<void> => {
    if (timers.length === 0) await new Promise<void>((resolve) => (planned = resolve));
    timers.shift()?.();
  };
  await using scene = await createScene(["config.json"], undefined, schedule);
  for (const content of ["1", "12", "123"]) {
    await scene.write("config.json", content);
    const look = scene.looked();
    await nextTimer();
    await look;
    expect(scene.reports).toEqual([]);
  }
  await nextTimer();
  await scene.changed("config.json");
  expect(scene.reports).toHaveLength(1);
});

interface Scene extends AsyncDisposable {
  path(name: string): string;
  /** At once: a look between the making of a file and its writing would see two changes. */
  write(name: string, content: string): Promise<void>;
  /** What was reported so far. */
  reports: string[][];
  /** Resolves with the next report, which has to be about this file. */
  changed(name: string): Promise<void>;
  /** Resolves when the files have been looked at once more; to be called before what makes that happen. */
  looked(): Promise<void>;
}

async function createScene(
  files: readonly string[],
  prepare?: (path: (name: string) => string) => Promise<void>,
  // Whatever is written in these tests is written at once: a later turn is quiet enough.
  schedule: (callback: () => void) => () => void = (callback) => systemClock.nextTurn(callback),
): Promise<Scene> {
  const [directory, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()];
  const path = (name: string): string => join(directory.path, name);
  await prepare?.(path);
  const reports: string[][] = [];
  let taken = 0;
  let onReport = (): void => {};
  let onLook = (): void => {};
  const looked = (): Promise<void> =>
    new Promise((resolve) => {
      onLook = resolve;
    });
  const stop = await watchFiles(async () => files.map(path), {
    logger: silentLogger,
    clock: { ...systemClock, schedule },
    onLook: () => onLook(),
    onChange: async (paths) => {
      reports.push([...paths]);
      onReport();
    },
  });
  return {
    path,
    async write(name, content) {
      await writeFile(join(elsewhere.path, "new"), content);
      await rename(join(elsewhere.path, "new"), path(name));
    },
    reports,
    looked,
    async changed(name) {
      if (reports.length === taken) await new Promise<void>((resolve) => (onReport = resolve));
      expect(reports[taken]).toEqual([path(name)]);
      taken += 1;
    },
    async [Symbol.asyncDispose]() {
      stop();
      await Promise.all([directory[Symbol.asyncDispose](), elsewhere[Symbol.asyncDispose]()]);
    },
  };
}
