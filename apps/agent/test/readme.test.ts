import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test, vi } from "vitest";

import { createScratch } from "./support/scratch.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the snippet under Use runs, and prints what it says", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {}, bad: { exitAt: "start" } });
  const [, code = ""] = /\n## Use\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  // Within the package, so that its own name resolves as it does for its users.
  const folder = fileURLToPath(new URL(`./.readme-${process.pid}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "use.ts"), code);
  for (const name of ["HOME", "USERPROFILE"]) vi.stubEnv(name, scratch.home);
  for (const name of ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]) vi.stubEnv(name, "");
  vi.spyOn(process, "cwd").mockReturnValue(scratch.project);
  const log = vi.spyOn(console, "log").mockReturnValue();
  const error = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  await import(join(folder, "use.ts"));
  expect(log.mock.calls).toEqual([["mcp_s_add"]]);
  expect(error.mock.calls).toEqual([[expect.stringMatching(/^mcp:bad: /)]]);
});

test("README has the headings that every package has", () => {
  const headings = [...readme.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(["Why", "Install", "Use", "API", "Errors", "Extending", "Limits"]);
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});
