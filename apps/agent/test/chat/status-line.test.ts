import { expect, test } from "vitest";

import { renderStatusLine } from "../../src/chat/status-line.ts";

const servers = (...statuses: Parameters<typeof renderStatusLine>[1][number]["status"][]) =>
  statuses.map((status) => ({ status }));

test("the line says which model, how servers stand and how many tools there are", () => {
  const many = servers("connected", "connected", "connecting", "failed", "connected", "connected", "connected");
  expect(renderStatusLine("claude-sonnet", many, 71)).toBe(
    " toolgate · claude-sonnet · 5 servers, 1 connecting, 1 failed · 71 tools",
  );
});

test("what there is none of is left out, but for servers and tools", () => {
  expect(renderStatusLine(undefined, [], 0)).toBe(" toolgate · no model · 0 servers · 0 tools");
  expect(renderStatusLine("m", servers("connected"), 1)).toBe(" toolgate · m · 1 server · 1 tool");
  expect(renderStatusLine("m", servers("disconnected", "needs-auth", "needs-approval"), 0)).toBe(
    " toolgate · m · 0 servers, 1 disconnected, 2 waiting for you · 0 tools",
  );
});

test("a model's name cannot steer the terminal", () => {
  const line = renderStatusLine("m\u001B[31m\nx", [], 0);
  expect(line).not.toContain("\u001B");
  expect(line).not.toContain("\n");
});
