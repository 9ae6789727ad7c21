import { readFile } from "node:fs/promises";

/** Reads the version of this package from its manifest. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL(import.meta.resolve("@toolgate/agent/package.json")), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
