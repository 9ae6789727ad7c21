import fc from "fast-check";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createMcpToolName, MAX_TOOL_NAME_LENGTH } from "../src/tool-name.ts";

test(verifies("L41", "a name is mcp_<server>_<tool> in the letters that every model provider takes"), () => {
  expect(createMcpToolName("files", "read_file")).toBe("mcp_files_read_file");
  expect(createMcpToolName("my server", "a.b/c é")).toBe("mcp_my_server_a_b_c__");
});

test(verifies("L41", "names that are too long are cut and stay different"), () => {
  const long = "x".repeat(60);
  const first = createMcpToolName(long, `${long}1`);
  const second = createMcpToolName(long, `${long}2`);
  expect(first).toHaveLength(MAX_TOOL_NAME_LENGTH);
  expect(second).toHaveLength(MAX_TOOL_NAME_LENGTH);
  expect(first).not.toBe(second);
  expect(createMcpToolName(long, `${long}1`)).toBe(first);
});

test(verifies("L41", "any server and tool give a valid name"), () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (server, tool) => {
      expect(createMcpToolName(server, tool)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }),
  );
});
