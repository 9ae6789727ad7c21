import { expect, test, vi } from "vitest";

import { messageOf, ToolgateError } from "../src/index.ts";

test("an error carries its code, server, data and cause", () => {
  const cause = new Error("inner");
  const error = new ToolgateError("HTTP_STATUS", "docs answered 500", { server: "docs", data: { status: 500 }, cause });
  expect(error).toMatchObject({
    name: "ToolgateError",
    code: "HTTP_STATUS",
    server: "docs",
    data: { status: 500 },
    cause,
  });
  expect(error).toBeInstanceOf(Error);
  expect(new ToolgateError("CLOSED", "gone")).not.toHaveProperty("cause");
});

test("an error about a server says at which step it happened and how the server is reached", () => {
  const error = new ToolgateError("CALL_TIMEOUT", "late", { server: "docs", stage: "call", transport: "http" });
  expect(error).toMatchObject({ server: "docs", stage: "call", transport: "http" });
  expect(Object.keys(new ToolgateError("CLOSED", "gone"))).not.toContain("stage");
});

test("errors of another copy of the package are recognised, and nothing else is", async () => {
  vi.resetModules();
  const other = await import("../src/toolgate-error.ts");
  const error = new other.ToolgateError("CLOSED", "from another copy");
  expect(error).not.toBeInstanceOf(ToolgateError);
  expect(ToolgateError.isInstance(error)).toBe(true);
  for (const value of [new Error("plain"), { code: "CLOSED" }, null, undefined, "CLOSED"]) {
    expect(ToolgateError.isInstance(value)).toBe(false);
  }
});

test("the message of anything that was thrown", () => {
  expect([new Error("a"), "b", 3, undefined].map(messageOf)).toEqual(["a", "b", "3", "undefined"]);
});

test("written as JSON an error is its code, message and server, not what it carries for code", () => {
  const error = new ToolgateError("HTTP_STATUS", "docs answered 500", {
    server: "docs",
    data: { body: "more than others should see" },
    cause: new Error("inner"),
  });
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: { code: "HTTP_STATUS", message: "docs answered 500", server: "docs" },
  });
});
