import { expect, test } from "vitest";

import { findProblems } from "../conformance/results.mjs";
import { listArguments, readListing, selectScenarios } from "../conformance/scenarios.mjs";

const frozen = { name: "2026-07-28", runner: "conformance-0.2", revision: "2026-07-28", atLeast: 2 };
const listing = `Required for 2026-07-28 (3 scenarios, frozen; run at the 2026-07-28 wire):

Server scenarios (test against a server):
  - ping

Client scenarios (test against a client):
  - tools_call
  - auth/metadata-default

Run and reported, but never scored:
  extension (1):
    - auth/dpop [client]
`;

test("the client scenarios of a frozen set are read, without what the runner does not score", () => {
  expect(listArguments(frozen)).toEqual(["list", "--client", "--requirements", "2026-07-28"]);
  expect(readListing(frozen, listing).map(({ label }) => label)).toEqual([
    "2026-07-28 tools_call",
    "2026-07-28 auth/metadata-default",
  ]);
});

test("the revisions beside a name are not part of it", () => {
  const set = { name: "stable", runner: "conformance-0.1", atLeast: 1 };
  const text = "Client scenarios (test against a client):\n  - initialize [2025-06-18,2025-11-25]\n";
  expect(listArguments(set)).toEqual(["list", "--client"]);
  expect(readListing(set, text).map(({ name }) => name)).toEqual(["initialize"]);
});

test("a set that has shrunk is an error", () => {
  expect(() => readListing({ ...frozen, atLeast: 3 }, listing)).toThrow(
    "lists 2 scenarios of 2026-07-28; there were 3",
  );
});

test("a selection has what contains one of the texts, and everything without a text", () => {
  const scenarios = readListing(frozen, listing);
  expect(selectScenarios(scenarios, ["auth/", "nothing"]).map(({ name }) => name)).toEqual(["auth/metadata-default"]);
  expect(selectScenarios(scenarios, [])).toHaveLength(2);
});

const success = { id: "handshake", status: "SUCCESS" };

test("a run passes by its exit status and a check that succeeded", () => {
  const checks = [success, { id: "note", status: "INFO" }, { id: "rest", status: "SKIPPED" }];
  expect(findProblems({ exitCode: 0, checks, output: "" })).toEqual([]);
});

test("a run that checked nothing has not passed", () => {
  expect(findProblems({ exitCode: 0, checks: [], output: "SKIPPED: not applicable" })).toEqual(["No check succeeded"]);
});

test("failed checks and warnings are told with their id and message", () => {
  const checks = [
    success,
    { id: "token", status: "FAILURE", description: "Sends a token", errorMessage: "none was sent" },
    { id: "scope", status: "WARNING", description: "Asks for a scope", details: { message: "asked for none" } },
  ];
  expect(findProblems({ exitCode: 1, checks, output: "Failed Checks:\n  - token" })).toEqual([
    "token: Sends a token - none was sent",
    "scope: Asks for a scope - asked for none",
  ]);
});

test("what a client that failed has printed is told", () => {
  const output =
    "Executing client\nClient exited with code 1\n\nStderr:\nTypeError: oops\nResults saved to x\nChecks:\n";
  expect(findProblems({ exitCode: 1, checks: [success], output })).toEqual([
    "Client exited with code 1",
    "Stderr:",
    "TypeError: oops",
  ]);
});

test("a runner that breaks is told by the end of its output", () => {
  expect(findProblems({ exitCode: 1, checks: [], output: "SyntaxError: no export globSync" })).toEqual([
    "SyntaxError: no export globSync",
  ]);
});
