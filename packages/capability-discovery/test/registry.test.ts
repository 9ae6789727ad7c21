import { getEventListeners, once } from "node:events";

import { describe, expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { sourceOf } from "../src/capability.ts";
import { createCapabilityRegistry, defineCapability, defineProvider, mcpCapability } from "../src/index.ts";
import type { CapabilityProvider, LoadOptions, MCPServerItem, ProviderItem, ProviderResult } from "../src/index.ts";

const options = { cwd: "/work", home: "/home/me", env: {}, platform: "linux" } as const;

type Level = "runtime" | "project" | "user" | "system";

function server(
  name: string,
  level: Level,
  config: Record<string, unknown> = { command: "run" },
): ProviderItem<MCPServerItem> {
  const path = `/files/${level}.json`;
  return { name, config: config as unknown as MCPServerItem["config"], definition: config, _source: { path, level } };
}

function provider(
  id: string,
  priority: number,
  ...items: ProviderItem<MCPServerItem>[]
): CapabilityProvider<MCPServerItem> {
  return defineProvider({
    id,
    displayName: id.toUpperCase(),
    priority,
    // One file per provider, unless the test says otherwise.
    load: () => ({
      items: items.map((item) => ({ ...item, _source: { ...sourceOf(item), path: `/${id}${sourceOf(item).path}` } })),
    }),
  });
}

function load(providers: CapabilityProvider<MCPServerItem>[], more: Partial<LoadOptions<MCPServerItem>> = {}) {
  return createCapabilityRegistry().load(mcpCapability, { ...options, providers, ...more });
}

const origin = ({
  name,
  _source: { provider: id, level },
}: {
  name: string;
  _source: { provider: string; level: string };
}): string => `${name} ${id} ${level}`;

function readingOneFile(id: string): CapabilityProvider<MCPServerItem> {
  return { id, displayName: id, priority: 1, load: () => ({ items: [server("x", "user")] }) };
}

describe("precedence", () => {
  test("the level decides first, then the priority, then the id", async () => {
    const a = provider(
      "a",
      10,
      server("x", "system"),
      server("y", "user"),
      server("z", "user"),
      server("w", "project"),
    );
    const b = provider("b", 90, server("x", "user"), server("y", "user"), server("w", "user"));
    const c = provider("c", 10, server("x", "project"), server("z", "user"), server("w", "runtime"));
    const result = await load([c, b, a]);
    expect(result.items.map(origin).toSorted()).toEqual(["w c runtime", "x c project", "y b user", "z a user"]);
    expect(result.shadowed.map(origin).toSorted()).toEqual([
      "w a project",
      "w b user",
      "x a system",
      "x b user",
      "y a user",
      "z c user",
    ]);
    expect(result.shadowed.find((item) => origin(item) === "y a user")?.shadowedBy).toEqual({
      provider: "b",
      providerName: "B",
      path: "/b/files/user.json",
      level: "user",
    });
    expect(result.providers).toEqual(["b", "a", "c"]);
  });

  test("a user's entry for this project ranks between runtime and project", async () => {
    const local = { ...server("x", "user"), scope: "local" as const };
    const result = await load([provider("a", 1, local), provider("b", 99, server("x", "project"))]);
    expect(result.items.map(origin)).toEqual(["x a user"]);
    const overruled = await load([provider("a", 1, local), provider("b", 99, server("x", "runtime"))]);
    expect(overruled.items.map(origin)).toEqual(["x b runtime"]);
  });

  test(verifies("L13", "a disabled entry shadows a lower one of its name and stays listed"), async () => {
    const off = server("x", "project", { command: "run", enabled: false });
    const result = await load([provider("a", 1, off), provider("b", 2, server("x", "user"), server("y", "user"))]);
    expect(result.items.map(origin).toSorted()).toEqual(["x a project", "y b user"]);
    expect(result.items.find(({ name }) => name === "x")?.config.enabled).toBe(false);
    expect(result.shadowed.map(origin)).toEqual(["x b user"]);
  });

  test(verifies("L12", "what accept refuses is gone before precedence is decided"), async () => {
    const providers = [provider("a", 1, server("x", "project")), provider("b", 2, server("x", "user"))];
    const result = await load(providers, { accept: (item) => sourceOf(item).level !== "project" });
    expect(result.items.map(origin)).toEqual(["x b user"]);
    expect(result.shadowed).toEqual([]);
  });

  test("what transform disables shadows its own name only", async () => {
    const remote = { type: "http", url: "https://one.example/mcp" };
    const providers = [provider("a", 2, server("x", "user", remote)), provider("b", 1, server("y", "user", remote))];
    const result = await load(providers, {
      transform: (item) => (item.name === "x" ? { ...item, config: { ...item.config, enabled: false } } : item),
    });
    expect(result.items.map(origin).toSorted()).toEqual(["x a user", "y b user"]);
  });

  test("one endpoint under two names of two providers is one server", async () => {
    const remote = { type: "http", url: "https://one.example/mcp", headers: { "X-Key": "1" } };
    const other = { type: "http", url: "https://one.example/mcp", headers: { "X-Key": "2" } };
    const a = provider("a", 2, server("x", "user", remote), server("again", "user", remote));
    const b = provider(
      "b",
      1,
      server("y", "user", { ...remote, headers: { "x-key": "1" } }),
      server("z", "user", other),
    );
    const result = await load([a, b]);
    expect(result.items.map(({ name }) => name).toSorted()).toEqual(["again", "x", "z"]);
    expect(result.shadowed).toMatchObject([{ name: "y", note: 'same endpoint as "x"', shadowedBy: { provider: "a" } }]);
  });

  test("equal stdio entries under two names are two servers", async () => {
    const result = await load([provider("a", 2, server("x", "user")), provider("b", 1, server("y", "user"))]);
    expect(result.items).toHaveLength(2);
  });

  test("an entry that two providers read from one file is no shadowing", async () => {
    const result = await load([readingOneFile("a"), readingOneFile("b")]);
    expect(result.items.map(origin)).toEqual(["x a user"]);
    expect(result.shadowed).toEqual([]);
  });

  test("names of Object's own are names like others", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const result = await load([provider("a", 1, ...names.map((name) => server(name, "user")))]);
    expect(result.items.map(({ name }) => name)).toEqual(names);
  });
});

describe("providers", () => {
  test(verifies("L11", "the registry stamps provider id and name on every item"), async () => {
    const result = await load([provider("a", 1, server("x", "user"))]);
    expect(result.items.map(sourceOf)[0]).toEqual({
      provider: "a",
      providerName: "A",
      path: "/a/files/user.json",
      level: "user",
    });
  });

  test(verifies("L15", "a provider that throws is a warning and the others are asked"), async () => {
    const broken = {
      ...provider("broken", 5),
      load: (): never => {
        throw new Error("disk on fire");
      },
    };
    const rejecting = { ...provider("rejecting", 4), load: (): Promise<never> => Promise.reject(new Error("no luck")) };
    const result = await load([broken, rejecting, provider("a", 1, server("x", "user"))]);
    expect(result.items.map(origin)).toEqual(["x a user"]);
    expect(result.warnings).toEqual([
      { path: "<broken>", message: "BROKEN could not be asked: disk on fire", provider: "broken" },
      { path: "<rejecting>", message: "REJECTING could not be asked: no luck", provider: "rejecting" },
    ]);
  });

  test(verifies("L15", "a provider that takes too long is a warning, and is told to stop"), async () => {
    let seen: AbortSignal | undefined;
    const expire: (() => void)[] = [];
    const { asked, reportAsked } = createAsked();
    const hanging: CapabilityProvider<MCPServerItem> = {
      ...provider("hanging", 5),
      load: ({ signal }) => {
        seen = signal;
        reportAsked();
        return new Promise<ProviderResult<MCPServerItem>>(() => {});
      },
    };
    const delays: number[] = [];
    const clock = {
      schedule: (callback: () => void, milliseconds: number) => {
        delays.push(milliseconds);
        expire.push(callback);
        return () => {};
      },
    };
    const pending = load([hanging, provider("a", 1, server("x", "user"))], { clock });
    await asked;
    expire[0]?.();
    const result = await pending;
    expect(result.items.map(origin)).toEqual(["x a user"]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      "HANGING could not be asked: The provider HANGING took longer than 2000 ms",
    ]);
    expect(seen?.aborted).toBe(true);
    expect(delays).toEqual([2000, 2000]);
  });

  test("an abort by the caller rejects with its reason", async () => {
    const controller = new AbortController();
    const { asked, reportAsked } = createAsked();
    const hanging: CapabilityProvider<MCPServerItem> = {
      ...provider("hanging", 5),
      load: () => {
        reportAsked();
        return new Promise<ProviderResult<MCPServerItem>>(() => {});
      },
    };
    const pending = load([hanging], { signal: controller.signal });
    await asked;
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    await expect(load([hanging], { signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("many of them leave no listener on the caller's signal and cause no warning", async () => {
    const seen: Error[] = [];
    const onWarning = (warning: Error): void => void seen.push(warning);
    process.on("warning", onWarning);
    const { signal } = new AbortController();
    await load(
      Array.from({ length: 30 }, (_item, index) => provider(`p${index}`, 1)),
      { signal },
    );
    // Warnings are emitted in the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(seen).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test(verifies("L16", "a third party's provider is a plain object"), async () => {
    const registry = createCapabilityRegistry();
    const unregister = registry.register(mcpCapability, {
      id: "house",
      displayName: "House style",
      priority: 60,
      load: ({ home }) => ({
        items: [
          {
            name: "x",
            config: { command: "x" },
            definition: { command: "x" },
            _source: { path: `${home}/house.json`, level: "user" },
          },
        ],
      }),
    });
    const result = await registry.load(mcpCapability, options);
    expect(result.items).toMatchObject([{ name: "x", _source: { provider: "house", path: "/home/me/house.json" } }]);
    expect(await registry.describeSources(mcpCapability, options)).toEqual([
      { id: "house", displayName: "House style", priority: 60, files: [] },
    ]);
    unregister();
    expect((await registry.load(mcpCapability, options)).items).toEqual([]);
  });

  test("are chosen by id or given as objects, and unknown ids are a warning", async () => {
    const registry = createCapabilityRegistry();
    registry.register(mcpCapability, provider("a", 1, server("x", "user")));
    registry.register(mcpCapability, provider("b", 2, server("y", "user")));
    const chosen = await registry.load(mcpCapability, {
      ...options,
      providers: ["a", "nobody", provider("c", 3, server("z", "user"))],
    });
    expect(chosen.providers).toEqual(["c", "a"]);
    expect(chosen.warnings).toEqual([{ path: "<providers>", message: 'There is no provider "nobody". Known: a, b.' }]);
    const without = await registry.load(mcpCapability, { ...options, disabledProviders: ["b"] });
    expect(without.items.map(({ name }) => name)).toEqual(["x"]);
  });

  test("two different ones cannot have one id; the same one may be registered twice", () => {
    const registry = createCapabilityRegistry();
    const first = provider("a", 1);
    registry.register(mcpCapability, first);
    expect(() => registry.register(mcpCapability, first)).not.toThrow();
    expect(() => registry.register(mcpCapability, provider("a", 1))).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  test("items that cannot be understood are warnings", async () => {
    const items = [
      null,
      { name: "x" },
      { ...server("x", "user"), _source: { path: "/p", level: "moon" } },
      { ...server("", "user") },
      { ...server("y", "user"), config: 5 },
    ];
    const odd = { ...provider("odd", 1), load: () => ({ items: items as unknown as ProviderItem<MCPServerItem>[] }) };
    const result = await load([odd, { ...provider("none", 1), load: () => undefined as never }]);
    expect(result.items).toEqual([]);
    expect(result.warnings).toHaveLength(6);
  });

  test("other capabilities have their own providers", async () => {
    const rules = defineCapability<{ id: string }>({
      id: "rules",
      displayName: "Rule",
      key: ({ id }) => id,
      validate: ({ id }) => (id === "bad" ? ["is bad"] : []),
    });
    const registry = createCapabilityRegistry();
    registry.register(mcpCapability, provider("a", 1, server("x", "user")));
    const source = { path: "/r", level: "user" } as const;
    registry.register(rules, {
      id: "a",
      displayName: "A",
      priority: 1,
      load: () => ({
        items: [
          { id: "good", _source: source },
          { id: "bad", _source: source },
        ],
      }),
    });
    const result = await registry.load(rules, options);
    expect(result.items.map(({ id }) => id)).toEqual(["good"]);
    expect(result.warnings).toEqual([{ path: "/r", message: 'Rule "bad": is bad', provider: "a" }]);
  });
});

function createAsked(): { asked: Promise<unknown>; reportAsked: () => void } {
  const controller = new AbortController();
  return { asked: once(controller.signal, "abort"), reportAsked: () => controller.abort() };
}
