import { expect, test } from "vitest";

import { runDoctor } from "../../support/run-doctor.ts";
import { createScratch } from "../../support/scratch.ts";

test("an entry that another of its name shadows is a hint that names both files, unless they are equal", async () => {
  await using scratch = await createScratch();
  const user = await scratch.userServers({
    a: { entry: { command: "node", args: ["user"] } },
    same: { entry: { command: "node", args: ["same"] } },
  });
  const project = await scratch.projectServers({
    a: { entry: { command: "node", args: ["project"] } },
    same: { entry: { command: "node", args: ["same"] } },
  });
  const { of, text } = await runDoctor(scratch);
  expect(of("shadowed-entry")).toMatchObject([
    {
      level: "hint",
      server: "a",
      message: `a of ${project} is used; ${user} has another of that name`,
      path: project,
      paths: [user],
      line: 3,
    },
  ]);
  expect(text).toContain("a of ./.mcp.json is used; ~/.cursor/mcp.json has another of that name");
});

test("a disabled entry that hides another one is a hint", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ a: { entry: { command: "node" } } });
  const project = await scratch.projectServers({ a: { entry: { command: "node", disabled: true } } });
  expect((await runDoctor(scratch)).of("shadowed-entry")).toMatchObject([
    { message: expect.stringContaining(`a of ${project} counts and is disabled; `) },
  ]);
});

test("one address under two names is a hint, of two clients and of one", async () => {
  await using scratch = await createScratch();
  const remote = { type: "http", url: "https://x.test/mcp" };
  const user = await scratch.userServers({ mine: { entry: remote } });
  const project = await scratch.projectServers({ theirs: { entry: remote }, again: { entry: remote } });
  const { of } = await runDoctor(scratch);
  const hints = of("same-endpoint");
  expect(hints).toContainEqual(
    expect.objectContaining({
      server: "mine",
      path: user,
      message: `mine is not used: same endpoint as "theirs" of ${project}`,
    }),
  );
  expect(hints).toContainEqual(expect.objectContaining({ message: "again and theirs reach the same address" }));
  expect(hints).toHaveLength(2);
});

test("one program under two names is a hint, and one with other variables is another program", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({
    a: { entry: { command: "node", env: { A: "1", B: "2" } } },
    b: { entry: { command: "node", env: { B: "2", A: "1" } } },
    c: { entry: { command: "node", env: { A: "2" } } },
  });
  expect((await runDoctor(scratch)).of("same-program")).toMatchObject([
    { level: "hint", message: "a and b start the same program" },
  ]);
});

test("credentials over plain http are a warning, except on this machine", async () => {
  await using scratch = await createScratch();
  const headers = { Authorization: "Bearer ${env:HOME}" };
  await scratch.userServers({
    far: { entry: { url: "http://x.test/mcp", headers } },
    query: { entry: { url: "http://x.test/mcp?api_key=1" } },
    near: { entry: { url: "http://127.0.0.1:9/mcp", headers } },
    named: { entry: { url: "http://localhost:9/mcp", headers } },
    safe: { entry: { url: "https://x.test/mcp", headers } },
    open: { entry: { url: "http://x.test/open", headers: { Accept: "text/html" } } },
  });
  const found = (await runDoctor(scratch)).of("unencrypted-credentials");
  expect(found.map(({ level, server, line }) => [level, server, line])).toEqual([
    ["warning", "far", 4],
    ["warning", "query", 10],
  ]);
});
