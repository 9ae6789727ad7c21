import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { MCPServerConfig } from "@toolgate/contracts";
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  integer,
  option,
  record,
  stringMatching,
  tuple,
} from "fast-check";
import type { Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";

import { sourceOf } from "../src/capability.ts";
import { mapTexts } from "../src/expand-config.ts";
import { isFileProvider } from "../src/file-provider.ts";
import {
  addServer,
  findDeclaredPlace,
  findWriteTarget,
  listWritableProviders,
  mcpProviders,
  removeServer,
  setServerEnabled,
} from "../src/index.ts";
import type { FileProvider, LoadContext, ServerProviderItem, WriteRules, WriteTarget } from "../src/index.ts";
import { expandReferences } from "../src/interpolate.ts";
import type { ExpansionRules, ReferenceForm } from "../src/interpolate.ts";
import { makeFolders } from "./support/temporary-folder.ts";

// New clients are covered as soon as they say how they write.
const ENV = { A: "value of a" };
const NOWHERE: LoadContext = { cwd: "/nowhere", home: "/nowhere", env: ENV, platform: "linux" };
const WRITABLE = listWritableProviders({ context: NOWHERE }).flatMap(({ id, levels }) =>
  levels.map((level) => ({ id, level })),
);

async function makeContext(): Promise<LoadContext> {
  const { home, project } = await makeFolders();
  return { cwd: project, home, env: ENV, platform: "linux" };
}

function writingProvider(id: string): FileProvider & { rules: WriteRules } {
  const provider = mcpProviders.find((candidate) => candidate.id === id);
  if (provider === undefined || !isFileProvider(provider)) throw new Error(`${id} is no provider of files`);
  const { writing } = provider.description;
  if (writing === undefined) throw new Error(`${id} is only read`);
  return { ...provider, rules: writing };
}

async function readItem(provider: FileProvider, name: string, context: LoadContext): Promise<ServerProviderItem> {
  const { items, warnings = [] } = await provider.load(context);
  const item = items.find((candidate) => candidate.name === name);
  if (item === undefined) throw new Error(`${name} was not read: ${JSON.stringify(warnings)}`);
  return item;
}

// Pieces that are references for some clients and plain text for others.
const text = array(constantFrom("plain", "é ", '"\\', "$", "{", "}", "${A}", "${env:A}", "$A", "%A%", "{env:A}"), {
  maxLength: 3,
}).map((pieces) => pieces.join(""));
const tools = array(stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 3 });
const duration = integer({ min: 1, max: 600_000 });

/** Entries that a client can express, but for texts that it may have to refuse. */
function entryOf({ transports, fields = {}, flag }: WriteRules): Arbitrary<MCPServerConfig> {
  const common = {
    ...(flag === undefined ? {} : { enabled: constant(false) }),
    ...(fields.timeout === undefined ? {} : { timeout: duration }),
    ...(fields.startupTimeout === undefined ? {} : { startupTimeout: duration }),
    ...(fields.includeTools === undefined ? {} : { includeTools: tools }),
    ...(fields.excludeTools === undefined ? {} : { excludeTools: tools }),
    ...(fields.protocol === undefined ? {} : { protocol: constantFrom("auto", "legacy", "modern") }),
  };
  const remote = {
    ...common,
    headers: dictionary(constantFrom("X-Key", "Accept"), text),
    ...(fields.auth === undefined ? {} : { auth: record({ type: constant("bearer"), token: text }) }),
    ...(fields.oauth === undefined ? {} : { oauth: record({ clientId: constant("id"), scope: constant("a b") }) }),
  };
  const local = {
    ...common,
    args: array(text, { minLength: 1, maxLength: 3 }),
    env: dictionary(constantFrom("KEY", "OTHER"), text),
    ...(fields.cwd === undefined ? {} : { cwd: text.map((end) => `/w/${end}`) }),
  };
  const entries = [];
  if (transports.stdio !== undefined) {
    entries.push(record({ command: text.map((end) => `c${end}`), ...local }, { requiredKeys: ["command"] }));
  }
  for (const type of ["http", "sse"] as const) {
    if (transports[type] === undefined) continue;
    const url = constantFrom("https://x.test/", "https://x.test/${env:A}?q=1");
    entries.push(record({ type: constant(type), url, ...remote }, { requiredKeys: ["type", "url"] }));
  }
  return tuple(constantFrom(...entries.keys()), tuple(...entries)).map(
    ([index, generated]) => generated[index] as MCPServerConfig,
  );
}

/** What writing may change without a difference: a type and a list of arguments that say nothing. */
function normalize(config: MCPServerConfig): unknown {
  if (config.type === "http" || config.type === "sse") return config;
  const { type: _type, args = [], ...rest } = config;
  return { ...rest, args };
}

function expand(config: MCPServerConfig, rules: ExpansionRules): MCPServerConfig {
  const variable = (name: string): string | undefined => (name === "A" ? ENV.A : undefined);
  return mapTexts(config, (value) => expandReferences(value, rules, { variable }).value);
}

async function addUnlessAmbiguous(target: WriteTarget, name: string, config: MCPServerConfig): Promise<boolean> {
  try {
    await addServer(target.path, name, config, { ...target, replace: true });
    return true;
  } catch (error) {
    const reasons = (error as Error).message.split("\n").filter((line) => line.startsWith("- "));
    expect(reasons).not.toEqual([]);
    for (const reason of reasons) expect(reason).toMatch(/would take for something else$|expands none$/);
    return false;
  }
}

describe.each(WRITABLE)("$id writes files of the $level", ({ id, level }) => {
  const provider = writingProvider(id);
  const name = option(constantFrom("with space", "ünï", "__proto__"), { nil: "server" }).filter(
    (candidate) => provider.description.entry?.name?.test(candidate) ?? true,
  );

  test("that it reads as they were meant", async () => {
    const context = await makeContext();
    const target = findWriteTarget(id, { level, context });
    const native: ReferenceForm[] = ["${NAME}", "${NAME:-default}", "${env:NAME}"];
    const { references = [], unset = "literal" } = provider.description;
    const rules = { forms: [...native, ...references], unset };
    let written = 0;
    await assert(
      asyncProperty(name, entryOf(provider.rules), async (server, config) => {
        if (!(await addUnlessAmbiguous(target, server, config))) return;
        written += 1;
        const item = await readItem(provider, server, context);
        expect(item.problem).toBeUndefined();
        expect(normalize(item.config)).toEqual(normalize(expand(config, rules)));
        expect(sourceOf(item)).toMatchObject({ path: target.path, level });
      }),
      { numRuns: 20 },
    );
    expect(written).toBeGreaterThan(0);
  });

  test("of which everything else stays as it is", async () => {
    const context = await makeContext();
    const target = findWriteTarget(id, { level, context });
    const before = '\uFEFF{\r\n\t// kept\r\n\t"other": [1,2,  3], /* and this */\r\n}\r\n';
    await mkdir(dirname(target.path), { recursive: true });
    await writeFile(target.path, before);
    const config: MCPServerConfig =
      provider.rules.transports.stdio === undefined ? { type: "http", url: "https://x.test/" } : { command: "c" };
    await addServer(target.path, "server", config, target);
    const added = await readFile(target.path, "utf8");
    const [head, tail] = before.split("}");
    expect(added.startsWith(head?.trimEnd() ?? "")).toBe(true);
    expect(added.endsWith(`}${tail}`)).toBe(true);
    expect(added.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);

    const source = { ...sourceOf(await readItem(provider, "server", context)), provider: id, providerName: "" };
    const place = await findDeclaredPlace("server", source, { context });
    expect(place).toMatchObject({ path: target.path, key: target.key });
    if (place?.flag !== undefined) {
      await setServerEnabled(target.path, "server", false, place);
      expect((await readItem(provider, "server", context)).config.enabled).toBe(false);
      await setServerEnabled(target.path, "server", true, place);
      expect((await readItem(provider, "server", context)).config.enabled).not.toBe(false);
    }
    expect(await removeServer(target.path, "server", place)).toMatchObject({ changed: true });
    expect((await provider.load(context)).items).toEqual([]);
    const removed = await readFile(target.path, "utf8");
    expect(removed.startsWith(head?.trimEnd() ?? "")).toBe(true);
  });
});
