import { ToolgateError } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { briefReason } from "../../src/mcp-commands/brief-reason.ts";

const source = {
  provider: "cursor",
  providerName: "Cursor",
  path: "/home/me/.cursor/mcp.json",
  level: "user",
} as const;
const reasonOf = (error: ToolgateError): string | undefined => briefReason({ name: "db", source, error });

test("of a process that has ended: how, and its last words", () => {
  const data = { exitCode: 3, signal: null, stderr: "starting\nmissing DATABASE_URL\n" };
  const message = 'The server "db" (/home/me/.cursor/mcp.json) exited with code 3 during its start. It was run as: db';
  expect(reasonOf(new ToolgateError("SERVER_EXITED", message, { data }))).toBe(
    "exited with code 3: missing DATABASE_URL",
  );
  const killed = { exitCode: null, signal: "SIGKILL", stderr: "" };
  expect(reasonOf(new ToolgateError("SERVER_EXITED", message, { data: killed }))).toBe(
    "ended by SIGKILL, and wrote nothing to its error output",
  );
});

test("of any other failure: the first sentence without the names of the server and its file", () => {
  const message = 'The server "db" (/home/me/.cursor/mcp.json) did not answer within 3.5 s. More time helps.';
  expect(reasonOf(new ToolgateError("CONNECT_TIMEOUT", message))).toBe("did not answer within 3.5 s");
  expect(reasonOf(new ToolgateError("HTTP_STATUS", "It answered 500:\nInternal error"))).toBe("It answered 500");
  expect(reasonOf(new ToolgateError("NOT_CONNECTED", "db is not connected."))).toBe("db is not connected.");
});

test("of a server that has no error: nothing", () => {
  expect(briefReason({ name: "db", source })).toBeUndefined();
});
