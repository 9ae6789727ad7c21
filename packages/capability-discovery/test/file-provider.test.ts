import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createFileProvider } from "../src/index.ts";
import type { FileProviderOptions } from "../src/index.ts";
import { describeProvider } from "../src/testing.ts";
import { findServer, loadServers, makeFolders, messagesOf, writeFiles } from "./support/temporary-folder.ts";

function house(options: Partial<FileProviderOptions>): ReturnType<typeof createFileProvider> {
  return createFileProvider({
    id: "house",
    displayName: "House",
    priority: 40,
    files: { user: ({ home, join: joinPath }) => [joinPath(home, "house.yaml")] },
    ...options,
  });
}

describe("a provider from files", () => {
  test("takes lists of entries, skips, refuses and marks what its hook says, and reports a hook that throws", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      "house.yaml": `extensions:
  - { name: a, cmd: run, envs: { K: $V }, uri: null }
  - { name: skipped, kind: skip }
  - { name: odd, kind: odd }
  - { name: refused, kind: refuse }
  - { name: thrown, kind: throw }
  - { cmd: nameless }
  - 5
`,
    });
    const provider = house({
      servers: "extensions",
      references: ["$NAME"],
      unset: "empty",
      entry: { fields: { command: ["cmd", "command"], env: "envs", url: "uri" } },
      prepare: (entry) => {
        if (entry["kind"] === "skip") return { skip: true };
        if (entry["kind"] === "odd") return { unsupported: "a frontend" };
        if (entry["kind"] === "refuse") return { invalid: "the house forbids it" };
        if (entry["kind"] === "throw") throw new Error("oops");
        return { entry };
      },
    });
    const result = await loadServers(folders, { providers: [provider] });
    expect(findServer(result, "a").config).toEqual({ command: "run", env: { K: "" } });
    expect(findServer(result, "odd")).toMatchObject({ unsupported: "a frontend", config: { enabled: false } });
    expect(result.items).toHaveLength(2);
    expect(messagesOf(result).toSorted()).toEqual([
      'Entry 6 of "house.yaml" has no name and is left out.',
      'Entry 7 of "house.yaml" has no name and is left out.',
      'Server "a": $V in env.K is empty, because V is not set',
      'Server "refused" is left out: the house forbids it.',
      'Server "thrown" cannot be understood: oops',
    ]);
  });

  test("reads files that entries refer to, once, and does not expand them", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      "house.json": {
        mcp: {
          a: {
            type: "local",
            command: ["run", "--key", "{file:./key}"],
            environment: { A: "{file:~/key}", B: "${X}", C: "{file:none}" },
          },
        },
      },
      key: "{env:X}\n",
    });
    const provider = house({
      files: { user: ({ home, join: joinPath }) => [{ path: joinPath(home, "house.json"), servers: "mcp" }] },
      references: ["{env:NAME}", "{file:PATH}"],
      entry: { fields: { env: "environment" } },
    });
    const result = await loadServers(folders, { providers: [provider], env: { X: "expanded" } });
    expect(findServer(result, "a").config).toEqual({
      type: "stdio",
      command: "run",
      args: ["--key", "{env:X}"],
      env: { A: "{env:X}", B: "${X}", C: "{file:none}" },
    });
    expect(messagesOf(result)).toEqual([
      'Server "a": {file:none} in env.C stays as it is written, because none cannot be read',
    ]);
  });

  test("lists user, system and project files with their levels", async () => {
    const folders = await makeFolders();
    const provider = house({ files: { user: () => ["/u.json"], system: () => ["/s.json"], project: ["x/p.json"] } });
    const context = { cwd: folders.project, home: folders.home, env: {}, platform: "linux" } as const;
    expect(await provider.files?.(context)).toEqual([
      { path: "/u.json", level: "user", exists: false },
      { path: "/s.json", level: "system", exists: false },
      { path: join(folders.project, "x/p.json"), level: "project", exists: false },
    ]);
  });

  test("reads a document that stands in an environment variable, and lists the variable only when it is set", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, { "house.json": { mcpServers: { a: { command: "file" } } }, key: "k3y" });
    const provider = house({
      files: { variables: ["HOUSE_CONTENT"], project: ["house.json"] },
      references: ["{file:PATH}"],
    });
    const context = { cwd: folders.project, home: folders.home, platform: "linux" } as const;
    const paths = async (env: Record<string, string>): Promise<string[]> =>
      ((await provider.files?.({ ...context, env })) ?? []).map(
        ({ level, path, exists }) => `${level} ${path} ${exists}`,
      );
    const file = `project ${join(folders.project, "house.json")} true`;
    expect(await paths({ HOUSE_CONTENT: "" })).toEqual([file]);
    expect(await paths({ HOUSE_CONTENT: "{}" })).toEqual(["runtime <HOUSE_CONTENT> true", file]);

    const env = { HOUSE_CONTENT: '{ "mcpServers": { "a": { "command": "run", "args": ["{file:key}"], }, }, }' };
    const result = await loadServers(folders, { providers: [provider], env });
    expect(findServer(result, "a")).toMatchObject({
      config: { command: "run", args: ["k3y"] },
      _source: { level: "runtime", path: "<HOUSE_CONTENT>" },
    });
    const broken = await loadServers(folders, { providers: [provider], env: { HOUSE_CONTENT: '{ "s3cret' } });
    expect(findServer(broken, "a").config).toEqual({ command: "file" });
    expect(broken.warnings).toMatchObject([{ path: "<HOUSE_CONTENT>", line: 1 }]);
    expect(JSON.stringify(broken.warnings)).not.toContain("s3cret");
  });

  test("expands what a client expands on Windows alone nowhere else", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { "house.json": { mcpServers: { a: { command: "run", args: ["%V%", "$V"] } } } });
    const provider = house({
      files: { user: ({ home, join: joinPath }) => [joinPath(home, "house.json")] },
      references: ["$NAME"],
      windowsReferences: ["%NAME%"],
    });
    const read = async (platform: NodeJS.Platform): Promise<unknown> =>
      findServer(await loadServers(folders, { providers: [provider], env: { V: "v" }, platform }), "a").config;
    expect(await read("linux")).toEqual({ command: "run", args: ["%V%", "v"] });
    expect(await read("win32")).toEqual({ command: "run", args: ["v", "v"] });
  });

  test("warns of documents and servers of the wrong kind", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { "house.yaml": "just words" });
    expect(messagesOf(await loadServers(folders, { providers: [house({})] }))).toEqual([
      "The file holds no object of settings.",
    ]);
    await writeFiles(folders.home, { "house.yaml": "mcpServers: words" });
    expect(messagesOf(await loadServers(folders, { providers: [house({})] }))).toEqual([
      "The servers of the file are neither an object nor a list.",
    ]);
  });
});

describe("the contract suite", () => {
  const cases = [
    { name: "reads", home: { "house.yaml": "mcpServers: { a: { command: x } }" }, expected: [{ name: "a" }] },
  ];

  async function run(provider: ReturnType<typeof createFileProvider>): Promise<string[]> {
    const runs: { name: string; run: () => Promise<void> }[] = [];
    describeProvider(
      (name, body) => runs.push({ name, run: body }),
      () => provider,
      cases,
    );
    const results = await Promise.allSettled(runs.map((item) => item.run()));
    return runs.filter((_item, index) => results[index]?.status === "rejected").map(({ name }) => name);
  }

  test(verifies("L16", "passes a sound provider and names what is wrong with others"), async () => {
    const sound = house({});
    expect(await run(sound)).toEqual([]);
    expect(await run({ ...sound, load: () => ({ items: [] }) })).toEqual(["house: reads"]);
    expect(await run({ ...sound, files: () => [] })).toEqual(["house: says of each item where it came from"]);
    const throwing = {
      ...sound,
      load: (context: Parameters<typeof sound.load>[0]) => JSON.parse(context.home) as never,
    };
    expect(await run(throwing)).toContain("house: finds nothing in empty folders and says nothing about it");
    expect(await run(throwing)).toContain("house: survives every kind of damaged file and keeps to warnings");
  });
});
