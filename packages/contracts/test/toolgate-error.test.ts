import { expect, test, vi } from "vitest";

import { messageOf, ToolgateError, transportOf } from "../src/index.ts";

test("an error carries its code, server, data and cause", () => {
  const cause = new Error("below");
  const error = new ToolgateError("SERVER_EXITED", "The server ended", { server: "a", data: { exitCode: 3 }, cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "ToolgateError", code: "SERVER_EXITED", server: "a", data: { exitCode: 3 } });
  expect(error.cause).toBe(cause);
});

test("what was not given does not show", () => {
  const error = new ToolgateError("CLOSED", "Closed");
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: "ToolgateError", code: "CLOSED" });
  expect("cause" in error).toBe(false);
});

test("an error of another copy of the package is recognised", async () => {
  vi.resetModules();
  const other = await import("../src/toolgate-error.ts");
  expect(other.ToolgateError).not.toBe(ToolgateError);
  const foreign = new other.ToolgateError("CLOSED", "Closed");
  expect(foreign).not.toBeInstanceOf(ToolgateError);
  expect(ToolgateError.isInstance(foreign)).toBe(true);
  expect(other.ToolgateError.isInstance(new ToolgateError("CLOSED", "Closed"))).toBe(true);
});

test.each([null, undefined, "CLOSED", new Error("plain"), { code: "CLOSED", name: "ToolgateError" }])(
  "%s is no ToolgateError",
  (value) => {
    expect(ToolgateError.isInstance(value)).toBe(false);
  },
);

test("anything thrown has a message", () => {
  expect(messageOf(new Error("why"))).toBe("why");
  expect(messageOf("text")).toBe("text");
  expect(messageOf(undefined)).toBe("undefined");
});

test("an entry without a type is a local one", () => {
  expect(transportOf({ command: "node" })).toBe("stdio");
  expect(transportOf({ type: "sse", url: "https://example.com" })).toBe("sse");
});
