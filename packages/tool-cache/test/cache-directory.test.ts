import { expect, test } from "vitest";

import { toolCacheDirectory } from "../src/index.ts";

const home = "/home/ada";

test.each<[string, Parameters<typeof toolCacheDirectory>[0], string]>([
  ["Linux", { platform: "linux", home, env: {} }, "/home/ada/.cache/toolgate/tools"],
  ["XDG_CACHE_HOME", { platform: "linux", home, env: { XDG_CACHE_HOME: "/var/x" } }, "/var/x/toolgate/tools"],
  [
    "a relative XDG_CACHE_HOME",
    { platform: "linux", home, env: { XDG_CACHE_HOME: "x" } },
    "/home/ada/.cache/toolgate/tools",
  ],
  ["macOS", { platform: "darwin", home: "/Users/ada", env: {} }, "/Users/ada/Library/Caches/toolgate/tools"],
  [
    "Windows",
    { platform: "win32", home: "C:\\Users\\ada", env: { LOCALAPPDATA: "D:\\Local" } },
    "D:\\Local\\toolgate\\Cache\\tools",
  ],
  [
    "Windows without LOCALAPPDATA",
    { platform: "win32", home: "C:\\Users\\ada", env: {} },
    "C:\\Users\\ada\\AppData\\Local\\toolgate\\Cache\\tools",
  ],
])("the cache directory follows the platform's custom: %s", (_, options, expected) => {
  expect(toolCacheDirectory(options)).toBe(expected);
});
