import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { loadNativeSettings, loadPlugins } from "../src/index.ts";
import { makeFolders, messagesOf, writeFiles } from "./support/temporary-folder.ts";

const EMPTY_PLUGIN = 'export default { name: "plain", providers: [] };';

async function install(folder: string, name: string, code: string): Promise<void> {
  await writeFiles(join(folder, "node_modules", name), {
    "package.json": { name, version: "1.0.0", type: "module", exports: { import: "./main.js" } },
    "main.js": code,
  });
}

test("a plugin is named by path, by URL, or by the name of a package beside the configuration", async () => {
  const { home } = await makeFolders();
  const file = join(home, "config.json");
  await writeFiles(home, { "near.mjs": EMPTY_PLUGIN, "far.mjs": 'export default { name: "far" };' });
  await install(home, "packaged", 'export default { name: "packaged", filters: [] };');
  const entries = ["./near.mjs", pathToFileURL(join(home, "far.mjs")).href, join(home, "near.mjs"), "packaged"];
  const { plugins, warnings } = await loadPlugins(entries, { file });
  expect(warnings).toEqual([]);
  expect(plugins.map(({ name }) => name)).toEqual(["plain", "far", "plain", "packaged"]);
});

test("a package that is not beside the configuration is looked for beside the host", async () => {
  const { home, project } = await makeFolders();
  await install(project, "beside-host", EMPTY_PLUGIN);
  const file = join(home, "config.json");
  const host = join(project, "host", "index.js");
  await mkdir(dirname(host));
  expect(await loadPlugins(["beside-host"], { file, alsoFrom: [host] })).toMatchObject({
    plugins: [{ name: "plain" }],
  });
  const { plugins, warnings } = await loadPlugins(["beside-host"], { file });
  expect(plugins).toEqual([]);
  expect(warnings).toEqual([{ path: file, message: expect.stringContaining("was not found from") as string }]);
});

test("a plugin that is a function gets its options", async () => {
  const { home } = await makeFolders();
  await writeFiles(home, { "made.mjs": "export default async ({ name = 'none' }) => ({ name });" });
  const entries = ["./made.mjs", ["./made.mjs", { name: "given" }]];
  const { plugins } = await loadPlugins(entries, { file: join(home, "config.json") });
  expect(plugins).toEqual([{ name: "none" }, { name: "given" }]);
});

test("a plugin that cannot be loaded is a warning, and the others are there", async () => {
  const { home } = await makeFolders();
  await writeFiles(home, {
    "good.mjs": EMPTY_PLUGIN,
    "throws.mjs": 'throw new Error("no luck");',
    "empty.mjs": "export const nothing = 1;",
    "wrong.mjs": 'export default { name: "wrong", providers: [{}] };',
    "hangs.mjs": "export default () => new Promise(() => {});",
  });
  const deadlines: (() => void)[] = [];
  const file = join(home, "config.json");
  const entries = [
    "./good.mjs",
    "./throws.mjs",
    "./empty.mjs",
    "./wrong.mjs",
    "./absent.mjs",
    "./hangs.mjs",
    7,
    ["x", 1],
  ];
  const loading = loadPlugins(entries, {
    file,
    clock: {
      schedule(callback) {
        deadlines.push(callback);
        return () => deadlines.splice(deadlines.indexOf(callback), 1);
      },
    },
  });
  await expect.poll(() => deadlines.length).toBe(1);
  deadlines[0]?.();
  const result = await loading;
  expect(result.plugins.map(({ name }) => name)).toEqual(["plain"]);
  expect(messagesOf(result)).toEqual([
    expect.stringContaining('"./throws.mjs" is left out: no luck'),
    expect.stringContaining('"./empty.mjs" is left out: its default export is no plugin'),
    expect.stringContaining('"./wrong.mjs" is left out: its default export is no plugin'),
    expect.stringContaining('"./absent.mjs" is left out'),
    expect.stringContaining('"./hangs.mjs" is left out: The plugin "./hangs.mjs" took longer than 2000 ms'),
    expect.stringContaining("The plugin 7 must be a text"),
    expect.stringContaining('The plugin ["x",1] must be a text'),
  ]);
});

test("the settings say which of the user's files names the plugins, and a project's are held back", async () => {
  const { home, project } = await makeFolders();
  await writeFiles(home, { ".config/toolgate/config.yaml": "plugins: [ours]" });
  await writeFiles(project, { ".toolgate/config.json": { plugins: ["theirs"] } });
  const result = await loadNativeSettings({ cwd: project, home, env: {}, platform: "linux" });
  expect(result).toMatchObject({
    settings: { plugins: ["ours"] },
    projectSettings: { plugins: ["theirs"] },
    pluginsFile: join(home, ".config/toolgate/config.yaml"),
  });
});
