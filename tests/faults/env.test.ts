import { buildChildEnvironment } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

test("a server gets its entry's variables and an allow-list of the host's, never the host's keys", async () => {
  const env = { PATH: "/usr/bin:/bin", HOME: "/home/me", LC_ALL: "C", https_proxy: "http://proxy", API_KEY: "secret" };
  const connection = await connect(scripted({}, { env: { FOO: "from the entry" } }), { env });
  const seen = JSON.parse(await callForText(connection, "env")) as Record<string, string>;
  const { TOOLGATE_PROCESS_MARKER: marker, ...others } = seen;
  expect(marker).toMatch(/^\d+-[0-9a-f-]+:\d+;$/);
  expect(others).toEqual({
    PATH: "/usr/bin:/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    https_proxy: "http://proxy",
    FOO: "from the entry",
  });
});

test("the entry's own variables win; on Windows in any spelling", () => {
  const input = { env: { Path: "C:\\Windows", AppData: "C:\\Roaming", SECRET: "x" }, entry: { PATH: "C:\\mine" } };
  expect(buildChildEnvironment({ ...input, platform: "win32", compileCacheDirectory: false })).toEqual({
    AppData: "C:\\Roaming",
    PATH: "C:\\mine",
  });
});

test("an exported shell function does not travel on", () => {
  expect(
    buildChildEnvironment({ env: { LC_X: "() { :; }", LANG: "C" }, platform: "linux", compileCacheDirectory: false }),
  ).toEqual({ LANG: "C" });
});

test.each([
  [{ HOME: "/h" }, {}, "linux", "/h/.cache/toolgate/compile-cache"],
  [{ HOME: "/h", XDG_CACHE_HOME: "/c" }, {}, "linux", "/c/toolgate/compile-cache"],
  [{ HOME: "/h" }, {}, "darwin", "/h/Library/Caches/toolgate/compile-cache"],
  [{ LOCALAPPDATA: "C:\\L" }, {}, "win32", "C:\\L\\toolgate\\compile-cache"],
  [{ HOME: "/h", NODE_COMPILE_CACHE: "/host" }, {}, "linux", "/host"],
  [{ HOME: "/h" }, { NODE_COMPILE_CACHE: "/entry" }, "linux", "/entry"],
  [{}, {}, "linux", undefined],
] as const)("with %j and %j on %s the compile cache is %s", (env, entry, platform, expected) => {
  expect(buildChildEnvironment({ env, entry, platform })["NODE_COMPILE_CACHE"]).toBe(expected);
});
