import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { SourceLevel } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { temporaryDirectory } from "../../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { stateDirectory } from "../../src/state/state-directory.ts";
import { hashDefinition } from "../../src/trust/definition-hash.ts";
import { createProjectApproval } from "../../src/trust/project-approval.ts";
import { createTrustStore } from "../../src/trust/trust-store.ts";

const subject = { name: "fs", definition: { command: "npx", args: ["a", "b"] }, path: "/p/.mcp.json" };

test(verifies("X06", "the hash covers name, definition and file, and no layout"), () => {
  const hash = hashDefinition(subject);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashDefinition({ ...subject, definition: { args: ["a", "b"], command: "npx" } })).toBe(hash);
  const others = [
    { ...subject, name: "other" },
    { ...subject, path: "/q/.mcp.json" },
    { ...subject, definition: { command: "npx", args: ["b", "a"] } },
    { ...subject, definition: { command: "npx", args: ["a", "b"], env: {} } },
  ];
  for (const other of others) expect(hashDefinition(other)).not.toBe(hash);
});

test(verifies("X06", "an approval is kept for the owner alone and ends with any edit of the entry"), async () => {
  await using home = await temporaryDirectory();
  const places = { home: home.path, env: {}, platform: "linux" as const };
  const store = createTrustStore(places);
  expect(store.path).toBe(join(home.path, ".local", "state", "toolgate", "trust.json"));
  expect(await store.isApproved(subject)).toBe(false);
  await store.approve([subject]);
  expect((await stat(store.path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(store.path))).toEqual(["trust.json"]);

  const later = createTrustStore(places);
  expect(await later.isApproved(subject)).toBe(true);
  expect(await later.isApproved({ ...subject, definition: { command: "npx", args: ["evil"] } })).toBe(false);
});

test("approvals that are given at once are all kept", async () => {
  await using home = await temporaryDirectory();
  const store = createTrustStore({ home: home.path, env: {}, platform: "linux" });
  const subjects = Array.from({ length: 12 }, (_, index) => ({ ...subject, name: `server${index}` }));
  await Promise.all(subjects.map((item) => store.approve([item])));
  const answers = await Promise.all(subjects.map((item) => store.isApproved(item)));
  expect(answers).toEqual(subjects.map(() => true));
});

test("an approval is taken back whatever the definition was", async () => {
  await using home = await temporaryDirectory();
  const store = createTrustStore({ home: home.path, env: {}, platform: "linux" });
  await store.approve([subject, { ...subject, definition: { command: "other" } }, { ...subject, name: "kept" }]);
  expect(await store.revoke({ name: "fs", path: subject.path })).toBe(2);
  expect(await store.isApproved(subject)).toBe(false);
  expect(await store.isApproved({ ...subject, name: "kept" })).toBe(true);
});

test.each(["", "{", "[]", '{"approvals": 3}', '{"version":1,"approvals":{"x":null}}'])(
  "a damaged file (%j) approves nothing and can be written again",
  async (content) => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "trust.json");
    await writeFile(file, content);
    const store = createTrustStore({ home: directory.path, env: {}, platform: "linux", file });
    expect(await store.isApproved(subject)).toBe(false);
    await store.approve([subject]);
    expect(await store.isApproved(subject)).toBe(true);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: 1 });
  },
);

test(verifies("X06", "only what a project declares needs approval"), async () => {
  await using home = await temporaryDirectory();
  const store = createTrustStore({ home: home.path, env: {}, platform: "linux" });
  const approve = createProjectApproval(store);
  const ask = async (level: SourceLevel): Promise<boolean> =>
    approve({
      name: "fs",
      config: { command: "x" },
      definition: subject.definition,
      source: { provider: "p", providerName: "P", path: subject.path, level },
    });
  expect(await Promise.all([ask("user"), ask("system"), ask("runtime"), ask("project")])).toEqual([
    true,
    true,
    true,
    false,
  ]);
  await store.approve([subject]);
  expect(await ask("project")).toBe(true);
});

test("state is kept where each platform keeps it", () => {
  expect(stateDirectory({ home: "/h", env: { XDG_STATE_HOME: "/s" }, platform: "linux" })).toBe("/s/toolgate");
  expect(stateDirectory({ home: "/h", env: { XDG_STATE_HOME: "s" }, platform: "linux" })).toBe(
    "/h/.local/state/toolgate",
  );
  expect(stateDirectory({ home: "/h", env: {}, platform: "darwin" })).toBe("/h/Library/Application Support/toolgate");
  expect(stateDirectory({ home: "C:\\h", env: { LOCALAPPDATA: "C:\\l" }, platform: "win32" })).toBe("C:\\l\\toolgate");
});
