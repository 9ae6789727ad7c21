import { expect, test } from "vitest";

import { parseBearerChallenge } from "../../src/remote/challenge.ts";

test.each([
  [null, undefined],
  ["", undefined],
  ['Basic realm="x"', undefined],
  ["Bearer", {}],
  ["bearer error=invalid_token", { error: "invalid_token" }],
  ['Bearer scope="a  b", error="insufficient_scope"', { error: "insufficient_scope", scopes: ["a", "b"] }],
  ['Bearer realm="say \\"hi, Bearer\\"", scope="a"', { scopes: ["a"] }],
  ['Basic realm="x", Bearer scope = "a"', { scopes: ["a"] }],
  ['Bearer scope="a", Basic realm="x", scope="b"', { scopes: ["a"] }],
  ['Bearer scope="", resource_metadata="no address"', {}],
  [
    'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource"',
    { resourceMetadataUrl: "https://a.example/.well-known/oauth-protected-resource" },
  ],
  ['Negotiate abc==, Bearer scope="a"', { scopes: ["a"] }],
  ['Bearer scope="never closed', {}],
])("the challenge %j is read as %j", (header, challenge) => {
  expect(parseBearerChallenge(header)).toEqual(challenge);
});

test("a long header that is no challenge is read in no time", () => {
  expect(parseBearerChallenge(`Bearer ${'a="'.repeat(20_000)}`)).toBeDefined();
});
