import type { ServerTool } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { switchTools } from "../../src/chat/switch-tools.ts";
import { createToolRegistry } from "../../src/session/tool-registry.ts";
import type { ToolRegistry } from "../../src/session/tool-registry.ts";
import { plainTool } from "../support/plain-tool.ts";

function registry(): ToolRegistry {
  const tools = createToolRegistry();
  for (const server of ["docs", "db"]) {
    for (const tool of ["read", "write"]) {
      const serverTool: ServerTool = { ...plainTool(`mcp_${server}_${tool}`), server, tool };
      tools.register(serverTool);
    }
  }
  tools.register(plainTool("bash"));
  return tools;
}

const activeIn = (tools: ToolRegistry): string[] => tools.active().map(({ name }) => name);

test("a server, a tool and a glob are switched off and on again", () => {
  const tools = registry();
  expect(switchTools(tools, "off docs")).toBe("2 tools off; the model gets 3 tools from now on.");
  expect(activeIn(tools)).toEqual(["bash", "mcp_db_read", "mcp_db_write"]);
  expect(switchTools(tools, "off bash, *_write")).toBe("3 tools off; the model gets 1 tool from now on.");
  expect(activeIn(tools)).toEqual(["mcp_db_read"]);
  expect(switchTools(tools, "off")).toBe("Off in this session: bash, mcp_db_write, mcp_docs_read, mcp_docs_write");
  switchTools(tools, "on *");
  expect(activeIn(tools)).toHaveLength(5);
});

test("a name that nothing has changes nothing, and the nearest one is named", () => {
  const tools = registry();
  expect(switchTools(tools, "off bash dosc")).toBe("There is no server and no tool dosc. Did you mean docs?");
  expect(activeIn(tools)).toHaveLength(5);
});

test("other words are about something else", () => {
  expect(switchTools(registry(), "docs")).toBeUndefined();
  expect(switchTools(registry(), "offline")).toBeUndefined();
});
