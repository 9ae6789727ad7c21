import { ToolgateError } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { createToolRegistry } from "../../src/session/tool-registry.ts";
import { plainTool } from "../support/plain-tool.ts";

test("tools are listed by name, and active ones are a part of them", () => {
  const registry = createToolRegistry();
  registry.register(plainTool("b"));
  registry.register(plainTool("a"), { active: false });
  expect(registry.list().map((tool) => tool.name)).toEqual(["a", "b"]);
  expect(registry.active().map((tool) => tool.name)).toEqual(["b"]);
  registry.setActive(["a"]);
  expect(registry.active().map((tool) => tool.name)).toEqual(["a"]);
  expect(registry.isActive("b")).toBe(false);
});

test("an unknown name changes nothing and names what there is", () => {
  const registry = createToolRegistry();
  registry.register(plainTool("a"));
  expect(() => registry.setActive(["a", "nope"])).toThrow(/no tool nope.*Known: a/);
  expect(registry.active()).toHaveLength(1);
});

test("a taken or unusable name is refused", () => {
  const registry = createToolRegistry();
  registry.register(plainTool("a"));
  expect(() => registry.register(plainTool("a"))).toThrow(ToolgateError);
  for (const name of ["", "with blank", "x".repeat(65)]) {
    expect(() => registry.register(plainTool(name))).toThrow(/cannot be used/);
  }
  expect(registry.list()).toHaveLength(1);
});

test("taking a registration back leaves a successor alone", () => {
  const registry = createToolRegistry();
  const takeBack = registry.register(plainTool("a"));
  expect(registry.unregister("a")).toBe(true);
  expect(registry.unregister("a")).toBe(false);
  const successor = plainTool("a");
  registry.register(successor);
  takeBack();
  expect(registry.get("a")).toBe(successor);
});
