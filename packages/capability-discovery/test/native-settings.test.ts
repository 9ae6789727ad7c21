import { homedir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { loadNativeSettings } from "../src/index.ts";
import type { NativeSettingsResult } from "../src/index.ts";
import { makeFolders, messagesOf, writeFiles } from "./support/temporary-folder.ts";

async function load(
  home: Record<string, unknown>,
  project: Record<string, unknown> = {},
): Promise<NativeSettingsResult> {
  const folders = await makeFolders();
  await writeFiles(folders.home, home);
  await writeFiles(folders.project, project);
  return loadNativeSettings({ cwd: folders.project, home: folders.home, env: {}, platform: "linux" });
}

const USER = ".config/toolgate/config.json";
const PROJECT = ".toolgate/config.json";

describe("native settings", () => {
  test("are empty without a file", async () => {
    const result = await load({});
    expect(result).toMatchObject({ settings: { mcp: {} }, projectSettings: {}, warnings: [] });
    expect(result.files.every(({ exists }) => !exists)).toBe(true);
    expect(
      result.files.some(({ path, level }) => path.endsWith(join("project", ".toolgaterc.yaml")) && level === "project"),
    ).toBe(true);
  });

  test("of the user and of the project come together, the project's over the user's", async () => {
    const result = await load(
      {
        [USER]: {
          mcp: { startupTimeoutMs: 100, reconnect: "on-call", future: 1 },
          disabledServers: ["a"],
          providers: ["cursor"],
        },
      },
      {
        [PROJECT]: {
          mcp: { startupTimeoutMs: 500, future: 2 },
          disabledServers: ["b"],
          disabledProviders: ["codex"],
          providers: ["vscode"],
        },
      },
    );
    expect(result.settings).toEqual({
      mcp: { startupTimeoutMs: 500, reconnect: "on-call", future: 1 },
      disabledServers: ["a", "b"],
      disabledProviders: ["codex"],
      providers: ["cursor"],
    });
  });

  test("that could run or send something count from the user's file only", async () => {
    const restricted = {
      plugins: ["./evil.js"],
      model: { baseUrl: "https://evil.example" },
      approval: "never",
      enabledServers: ["x"],
      tools: { native: true },
      exa: { baseUrl: "https://evil.example" },
    };
    const result = await load({ [USER]: { model: "mine" } }, { "package.json": { name: "app", toolgate: restricted } });
    expect(result.settings).toEqual({ mcp: {}, model: "mine" });
    expect(result.projectSettings).toEqual(restricted);
  });

  test.each([
    [false, true, false],
    [undefined, true, undefined],
    [true, false, false],
    [undefined, false, false],
    [true, undefined, true],
  ])("enableProjectConfig: user %s and project %s give %s", async (user, project, expected) => {
    const result = await load(
      { [USER]: { mcp: { enableProjectConfig: user } } },
      { [PROJECT]: { mcp: { enableProjectConfig: project } } },
    );
    expect(result.settings.mcp.enableProjectConfig).toBe(expected);
  });

  test("of the first file of a level count", async () => {
    const result = await load({
      ".config/toolgate/config.yaml": "model: yaml\nexa: { baseUrl: 'http://localhost:1' }\n",
      ".config/toolgate/config.jsonc": '{ "model": "jsonc", }',
    });
    expect(result.settings).toEqual({ mcp: {}, model: "jsonc", exa: { baseUrl: "http://localhost:1" } });
  });

  test("of reloading, reconnecting and starting are taken as they are", async () => {
    const mcp = { reload: "diff", reconnect: "on-call", maxConcurrentStarts: 4 };
    const result = await load({ [USER]: { mcp } });
    expect(result.settings).toEqual({ mcp });
    expect(messagesOf(result)).toEqual([]);
  });

  test("of a wrong type are warnings and the others count", async () => {
    const result = await load({
      [USER]: {
        mcp: {
          startupTimeoutMs: "soon",
          reconnect: "always",
          enableProjectConfig: 1,
          reload: "watch",
          maxConcurrentStarts: 0,
        },
        providers: "cursor",
        disabledServers: ["a", 1],
        plugins: {},
        exa: { baseUrl: 1 },
        tools: { native: "no" },
        model: "m",
      },
    });
    expect(result.settings).toEqual({ mcp: { reload: "watch" }, model: "m" });
    expect(messagesOf(result)).toHaveLength(9);
    expect(messagesOf(result)).toContain(
      'The setting "mcp.startupTimeoutMs" must be a number of milliseconds, 0 or more; it is ignored.',
    );
  });

  test("of output limits are false or sizes, and are the user's", async () => {
    const limits = { textBytes: 10, directory: join(homedir(), "results") };
    for (const outputLimits of [false, {}, limits]) {
      expect((await load({ [USER]: { mcp: { outputLimits } } })).settings).toEqual({ mcp: { outputLimits } });
    }
    for (const outputLimits of [true, { textBytes: "much" }, { textBytes: -1 }, { directory: "results" }]) {
      const result = await load({ [USER]: { mcp: { outputLimits } } });
      expect(result.settings).toEqual({ mcp: {} });
      expect(messagesOf(result)[0]).toContain('The setting "mcp.outputLimits" must be false, or');
    }
    const project = await load({}, { [PROJECT]: { mcp: { outputLimits: false } } });
    expect(project.settings).toEqual({ mcp: {} });
  });

  test("of a file that does not parse are a warning", async () => {
    const result = await load({ [USER]: "{" }, { ".toolgaterc": "disabledServers: [a]" });
    expect(result.settings).toEqual({ mcp: {}, disabledServers: ["a"] });
    expect(result.warnings).toMatchObject([{ provider: "toolgate", line: 1 }]);
  });
});
