import { expect, test } from "vitest";

import { isRemembered } from "../../../src/chat/input/remembered-input.ts";

test.each([
  "what is in this directory?",
  "/mcp add files -- npx -y @modelcontextprotocol/server-filesystem .",
  "/call mcp_one_echo text='a quote that is\nclosed'",
  "it's a quote that is not closed",
  "/mcp add x --header Authorization='Bearer ${TOKEN}'",
  "set the key: see README",
])("%j goes into the history", (input) => {
  expect(isRemembered(input)).toBe(true);
});

test.each([
  "",
  "   ",
  " /model",
  "/mcp add x --url https://example.org --header Authorization=s3cret-value-0123",
  "/mcp add x --header 'Authorization: Bearer s3cret-value-0123'",
  "/mcp add x --env API_TOKEN=s3cret-value-0123 -- node",
  "/mcp add x https://user:s3cret-value@example.org/mcp",
  "use the token ghp_abcdefghijklmnop0123456789 for it",
  'write {"apiKey": "s3cret-value-0123"} into the file',
  "don't forget password = s3cret-value-0123",
])("%j does not go into the history", (input) => {
  expect(isRemembered(input)).toBe(false);
});
