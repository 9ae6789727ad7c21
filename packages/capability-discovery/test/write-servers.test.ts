import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import {
  addServer,
  findNativeUserFile,
  removeServer,
  setServerDisabledOverlay,
  setServerEnabled,
} from "../src/index.ts";
import { makeFolders } from "./support/temporary-folder.ts";

async function makeFile(content?: string | Buffer, name = ".mcp.json"): Promise<string> {
  const { project } = await makeFolders();
  const file = join(project, name);
  if (content !== undefined) await writeFile(file, content);
  return file;
}

const read = (file: string): Promise<string> => readFile(file, "utf8");
async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

const COMMENTED = `{
    // servers of the team
    "mcpServers": {
        "b": { "command": "b" }, // keep me
        /* and me */
        "a": { "command": "a", "disabled": true },
    },
    "other": [1,2,  3]
}
`;

describe("adding a server", () => {
  test("keeps comments, order, indentation and everything else", async () => {
    const file = await makeFile(COMMENTED);
    await addServer(file, "c", { command: "c", args: ["1"] });
    expect(await read(file)).toBe(
      COMMENTED.replace(
        '"disabled": true },',
        '"disabled": true },\n        "c": {\n            "command": "c",\n            "args": [\n                "1"\n            ]\n        },',
      ),
    );
  });

  test.each([
    ['{"mcpServers":{"a":{"command":"a"}}}', '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}'],
    ['{ "mcpServers": { "a": {} } }', '{ "mcpServers": { "a": {}, "b": {"command":"b"} } }'],
    ['{\n  "mcpServers": {}\n}', '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    }\n  }\n}'],
    [
      '{\n  "mcpServers": {\n    "a": {} // about a\n  }\n}',
      '{\n  "mcpServers": {\n    "a": {}, // about a\n    "b": {\n      "command": "b"\n    }\n  }\n}',
    ],
    [
      '{\n  "mcpServers": { // none\n  }\n}',
      '{\n  "mcpServers": { // none\n    "b": {\n      "command": "b"\n    }\n  }\n}',
    ],
  ])("to %j touches nothing else", async (before, after) => {
    const file = await makeFile(before);
    await addServer(file, "b", { command: "b" });
    expect(await read(file)).toBe(after);
  });

  test("keeps a byte order mark, line endings and tabs", async () => {
    const file = await makeFile('\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "a" }\r\n\t}\r\n}\r\n');
    await addServer(file, "b", { command: "b" });
    expect(await read(file)).toBe(
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "a" },\r\n\t\t"b": {\r\n\t\t\t"command": "b"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  test.each([undefined, "", " \n", "{}"])("makes what is missing in %j", async (content) => {
    const file = await makeFile(content, "new/folder/.mcp.json".slice(content === undefined ? 0 : 11));
    const result = await addServer(file, "a", { command: "a" });
    expect(result).toEqual({ path: file, changed: true, created: content === undefined });
    expect(JSON.parse(await read(file))).toEqual({ mcpServers: { a: { command: "a" } } });
  });

  test("makes a file private when the entry may hold secrets, and keeps the mode of others", async () => {
    const secret = await makeFile();
    await addServer(secret, "a", { command: "a", env: { KEY: "k" } });
    expect(await modeOf(secret)).toBe(0o600);
    const open = await makeFile();
    await addServer(open, "a", { command: "a" });
    const plain = join(open, "../plain.json");
    await writeFile(plain, "{}");
    expect(await modeOf(open)).toBe(await modeOf(plain));
    await chmod(open, 0o640);
    await addServer(open, "b", { type: "http", url: "https://b.example/", headers: { A: "b" } });
    expect(await modeOf(open)).toBe(0o640);
  });

  test("leaves a symbolic link a link, also one to nothing", async () => {
    const { root, project } = await makeFolders();
    const link = join(project, ".mcp.json");
    await symlink(join(root, "real.json"), link);
    await addServer(link, "a", { command: "a" });
    await addServer(link, "b", { command: "b" });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(Object.keys(JSON.parse(await read(join(root, "real.json"))).mcpServers as object)).toEqual(["a", "b"]);
    expect(await readdir(project)).toEqual([".git", ".mcp.json"]);
  });

  test.each([
    ["half a document", '{"mcpServers": {'],
    ["a list", "[]"],
    ["servers that are no object", '{"mcpServers": []}'],
    ["another encoding", Buffer.from('{"a":"\u00fc"}', "latin1")],
  ])("refuses %s and leaves it as it is", async (_name, content) => {
    const file = await makeFile(content);
    await expect(addServer(file, "a", { command: "a" })).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
    expect(await readFile(file)).toEqual(Buffer.from(content as string));
    expect(await readdir(join(file, ".."))).toEqual([".git", ".mcp.json"]);
  });

  test("refuses folders and formats other than JSON", async () => {
    const file = await makeFile();
    await mkdir(file);
    await expect(addServer(file, "a", { command: "a" })).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
    const toml = await makeFile("", "config.toml");
    await expect(addServer(toml, "a", { command: "a" })).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
  });

  test("refuses an entry that cannot start and a name that is taken", async () => {
    const file = await makeFile('{"mcpServers":{"a":{"command":"a"}}}');
    await expect(addServer(file, "b", { command: "" })).rejects.toMatchObject({ code: "CONFIG_INVALID", server: "b" });
    await expect(addServer(file, "a", { command: "x" })).rejects.toMatchObject({ code: "CONFIG_INVALID", server: "a" });
    expect(await read(file)).toBe('{"mcpServers":{"a":{"command":"a"}}}');
    await addServer(file, "a", { command: "x" }, { replace: true });
    expect(JSON.parse(await read(file))).toEqual({ mcpServers: { a: { command: "x" } } });
  });

  test("takes other keys, other shapes and odd names", async () => {
    const file = await makeFile('{"mcp":{"servers":{}}}');
    await addServer(
      file,
      "__proto__",
      { command: "a" },
      { key: ["mcp", "servers"], shape: (config) => ({ type: "local", ...config }) },
    );
    expect(await read(file)).toContain('"__proto__"');
    expect(Object.entries(JSON.parse(await read(file)).mcp.servers as object)).toEqual([
      ["__proto__", { type: "local", command: "a" }],
    ]);
  });
});

describe("removing and switching", () => {
  test("removes an entry and keeps the rest", async () => {
    const file = await makeFile(COMMENTED);
    expect(await removeServer(file, "a")).toMatchObject({ changed: true });
    const text = await read(file);
    expect(text).toBe(COMMENTED.replace('        "a": { "command": "a", "disabled": true },\n', ""));
    const again = await removeServer(file, "a");
    expect(again).toMatchObject({ changed: false });
    expect(await read(file)).toBe(text);
    expect(await removeServer(await makeFile(), "a")).toMatchObject({ changed: false, created: false });
  });

  test.each([
    ['{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}', "a", '{"mcpServers":{"b":{"command":"b"}}}'],
    ['{"mcpServers":{"b":{"command":"b"}, "a":{"command":"a"}}}', "a", '{"mcpServers":{"b":{"command":"b"}}}'],
    ['{"mcpServers":{"a":{"command":"a"}}}', "a", '{"mcpServers":{}}'],
    ['{"mcpServers":{\n  "b":{} /* b */, // kept\n  "a":{}\n}}', "a", '{"mcpServers":{\n  "b":{} /* b */ // kept\n}}'],
    ['{"mcpServers":{\n  "a":{} /* a */,\n  "b":{}\n}}', "a", '{"mcpServers":{\n  /* a */\n  "b":{}\n}}'],
  ])("removing from %j leaves valid JSON and comments", async (before, name, after) => {
    const file = await makeFile(before);
    await removeServer(file, name);
    expect(await read(file)).toBe(after);
  });

  test("switches with the field that the entry has", async () => {
    const file = await makeFile(COMMENTED);
    await setServerEnabled(file, "a", true);
    expect(await read(file)).toBe(COMMENTED.replace(', "disabled": true', ""));
    await setServerEnabled(file, "b", false);
    expect(await read(file)).toContain('"enabled": false');
    await setServerEnabled(file, "a", false, { flag: "disabled" });
    expect(await read(file)).toContain('"disabled": true');
    expect(await setServerEnabled(file, "b", false)).toMatchObject({ changed: false });
    await expect(setServerEnabled(file, "nobody", false)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(setServerEnabled(`${file}.none`, "a", false)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("does not let two fields contradict each other", async () => {
    const file = await makeFile('{"mcpServers":{"a":{"command":"a","enabled":true,"disabled":false}}}');
    await setServerEnabled(file, "a", false);
    expect(JSON.parse(await read(file))).toEqual({ mcpServers: { a: { command: "a", enabled: false } } });
  });

  test("disables by name in the user's own file and leaves the source alone", async () => {
    const { home, project } = await makeFolders();
    const context = { cwd: project, home, env: {}, platform: "linux" } as const;
    const file = findNativeUserFile(context);
    expect(file).toBe(join(home, ".config/toolgate/config.json"));
    expect(await setServerDisabledOverlay(file, "a", false)).toMatchObject({ changed: false });
    await setServerDisabledOverlay(file, "a", true);
    await setServerDisabledOverlay(file, "b", true);
    expect(await setServerDisabledOverlay(file, "b", true)).toMatchObject({ changed: false });
    expect(JSON.parse(await read(file))).toEqual({ disabledServers: ["a", "b"] });
    await setServerDisabledOverlay(file, "a", false);
    expect(JSON.parse(await read(file))).toEqual({ disabledServers: ["b"] });
    const jsonc = join(home, ".config/toolgate/config.jsonc");
    await writeFile(jsonc, "{}");
    expect(findNativeUserFile(context)).toBe(file);
  });
});
