import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import {
  createFileCredentialStorage,
  createKeyvCredentialStorage,
  type CredentialRecord,
  type CredentialStorage,
} from "../../src/index.ts";
import { signal } from "../support/rpc-server.ts";
import { temporaryDirectory } from "../support/scripted.ts";

const KEY = "https://mcp.example.com/mcp";
const RECORD: CredentialRecord = { serverUrl: KEY, issuer: "https://accounts.example", scope: "0" };

const stores: [string, () => Promise<CredentialStorage>][] = [
  ["files", async () => createFileCredentialStorage({ directory: join(await temporaryDirectory(), "new") })],
  ["a Keyv-like store", () => Promise.resolve(createKeyvCredentialStorage(new AsyncMap()))],
];

test.each(stores)("in %s a record is written, read, left alone and deleted", async (_, create) => {
  const storage = await create();
  expect(await storage.read(KEY)).toBeUndefined();
  await storage.delete(KEY);
  expect(await storage.update(KEY, () => RECORD)).toEqual(RECORD);
  expect(await storage.read(KEY)).toEqual(RECORD);
  expect(await storage.update(KEY, () => undefined)).toEqual(RECORD);
  await expect(storage.update(KEY, () => Promise.reject(new Error("changed its mind")))).rejects.toThrow("its mind");
  expect(await storage.read(KEY)).toEqual(RECORD);
  expect(await storage.read("https://mcp.example.com/other")).toBeUndefined();
  await storage.delete(KEY);
  expect(await storage.read(KEY)).toBeUndefined();
});

test.each(stores)("in %s updates see each other", async (_, create) => {
  const storage = await create();
  await storage.update(KEY, () => RECORD);
  const count = (current: CredentialRecord | undefined) =>
    Promise.resolve({ ...RECORD, scope: String(Number(current?.scope) + 1) });
  await Promise.all(Array.from({ length: 10 }, () => storage.update(KEY, count)));
  expect((await storage.read(KEY))?.scope).toBe("10");
});

test(verifies("X05", "two storages of one folder lock each other out"), async () => {
  const directory = await temporaryDirectory();
  const [one, other] = [createFileCredentialStorage({ directory }), createFileCredentialStorage({ directory })];
  const steps: string[] = [];
  const begun = signal();
  const gate = signal();
  const first = one.update(KEY, async () => {
    begun.resolve();
    await gate.promise;
    steps.push("first ends");
    return RECORD;
  });
  await begun.promise;
  const second = other.update(KEY, (current) => {
    steps.push(`second sees ${current?.scope}`);
    return { ...RECORD, scope: "1" };
  });
  // What takes longer than the second one would without a lock.
  for (let round = 0; round < 5; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, to take some time
    await other.update(`${KEY}/${round}`, () => ({ ...RECORD, serverUrl: `${KEY}/${round}` }));
  }
  gate.resolve();
  await Promise.all([first, second]);
  expect(steps).toEqual(["first ends", "second sees 0"]);
  expect((await one.read(KEY))?.scope).toBe("1");
});

test.skipIf(process.platform === "win32")(
  verifies("X05", "credential files can be read by their owner only, and are named after their server"),
  async () => {
    const directory = join(await temporaryDirectory(), "credentials");
    const storage = createFileCredentialStorage({ directory });
    await storage.update("https://mcp.example.com:8443/mcp?tenant=1", () => ({
      ...RECORD,
      serverUrl: "https://mcp.example.com:8443/mcp?tenant=1",
    }));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const [name = ""] = await readdir(directory);
    expect(name).toMatch(/^mcp\.example\.com_8443-[0-9a-f]{32}\.json$/);
    const file = join(directory, name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o644);
    await storage.update("https://mcp.example.com:8443/mcp?tenant=1", (current) =>
      current === undefined ? undefined : { ...current, scope: "1" },
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

test.each(["not json", "[]", '{"serverUrl":"https://elsewhere.example/","issuer":"x"}', '{"serverUrl":1}'])(
  "a file that holds %s counts as none, and is replaced by the next sign-in",
  async (text) => {
    const directory = await temporaryDirectory();
    const storage = createFileCredentialStorage({ directory });
    await storage.update(KEY, () => RECORD);
    const [name = ""] = await readdir(directory);
    await writeFile(join(directory, name), text);
    expect(await storage.read(KEY)).toBeUndefined();
    await storage.update(KEY, (current) => (current === undefined ? RECORD : undefined));
    expect(JSON.parse(await readFile(join(directory, name), "utf8"))).toEqual(RECORD);
  },
);

/** A store whose answers come later. */
class AsyncMap {
  readonly #entries = new Map<string, string>();

  async get(key: string): Promise<unknown> {
    const text = await Promise.resolve(this.#entries.get(key));
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  async set(key: string, value: unknown): Promise<void> {
    await Promise.resolve(this.#entries.set(key, JSON.stringify(value)));
  }

  async delete(key: string): Promise<void> {
    await Promise.resolve(this.#entries.delete(key));
  }
}
