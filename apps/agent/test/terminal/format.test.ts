import { expect, test } from "vitest";

import { formatAge, formatCount, formatDuration, formatPath } from "../../src/terminal/format.ts";

test("durations read well at every size", () => {
  expect([4, 612.4, 1000, 1520, 9949, 9950, 75_000, 180_000].map(formatDuration)).toEqual([
    "4 ms",
    "612 ms",
    "1.0 s",
    "1.5 s",
    "9.9 s",
    "10 s",
    "75 s",
    "3 min",
  ]);
});

test("ages and counts have the right noun", () => {
  expect(formatAge(5000)).toBe("just now");
  expect(formatAge(90_000)).toBe("1 minute old");
  expect(formatAge(2 * 86_400_000)).toBe("2 days old");
  expect(formatCount(1, "tool")).toBe("1 tool");
  expect(formatCount(2, "entry", "entries")).toBe("2 entries");
});

test("paths are shown from the working directory or the home directory, and only from a whole folder", () => {
  const places = { cwd: "/home/me/app", home: "/home/me" };
  expect(formatPath("/home/me/app/.mcp.json", places)).toBe("./.mcp.json");
  expect(formatPath("/home/me/.cursor/mcp.json", places)).toBe("~/.cursor/mcp.json");
  expect(formatPath("/home/me/application/x", places)).toBe("~/application/x");
  expect(formatPath("/etc/x", places)).toBe("/etc/x");
});
