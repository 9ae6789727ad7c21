import type { SourceMeta } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { renderServers } from "../../src/terminal/render-servers.ts";
import type { ServerRow } from "../../src/terminal/render-servers.ts";
import { createStyle, isColorAllowed, plainStyle } from "../../src/terminal/style.ts";
import { textWidth } from "../../src/terminal/text-width.ts";

const cursor: SourceMeta = {
  provider: "cursor",
  providerName: "Cursor",
  path: "/home/me/.cursor/mcp.json",
  level: "user",
};
const project: SourceMeta = {
  provider: "mcp-json",
  providerName: ".mcp.json",
  path: "/home/me/app/.mcp.json",
  level: "project",
};
const DAY = 86_400_000;
const options = { style: plainStyle, width: 72, cwd: "/home/me/app", home: "/home/me", now: 10 * DAY };

const rows: ServerRow[] = [
  { name: "ev", status: "connected", transport: "stdio", tools: 14, cached: false, durationMs: 612, source: cursor },
  {
    name: "jira",
    status: "connecting",
    transport: "http",
    tools: 1,
    cached: true,
    cachedAt: 8 * DAY,
    source: cursor,
  },
  {
    name: "files",
    status: "needs-approval",
    transport: "stdio",
    tools: 0,
    cached: false,
    source: project,
    reason: "declared by the project",
    hint: "toolgate mcp trust files",
  },
  {
    name: "db",
    status: "failed",
    transport: "stdio",
    tools: 0,
    cached: false,
    source: cursor,
    reason: "exited with code 3 after 210 ms: the variable DATABASE_URL is missing in its environment",
  },
  { name: "old", status: "disabled", transport: "stdio", tools: 0, cached: false, source: cursor },
];

test("servers are grouped by source, and names, states and reasons line up", () => {
  expect(renderServers(rows, options)).toEqual([
    "Cursor · ~/.cursor/mcp.json",
    "  ✓ ev     14 tools  stdio  612 ms",
    "  … jira   1 tool    http   connecting (tools from the cache, 2 days old)",
    "  ✗ db     failed          exited with code 3 after 210 ms: the variable",
    "                           DATABASE_URL is missing in its environment",
    "  - old    disabled",
    "Project · ./.mcp.json",
    "  ! files  needs approval  declared by the project",
    "                           toolgate mcp trust files",
  ]);
});

test("colour only adds: without the escape sequences the lines are the same", () => {
  const colored = renderServers(rows, {
    ...options,
    style: createStyle({ env: { FORCE_COLOR: "1" }, isTTY: true }),
  });
  const plain = renderServers(rows, options);
  expect(colored).not.toEqual(plain);
  expect(colored.map(textWidth)).toEqual(plain.map(textWidth));
});

test("a server cannot draw in the list", () => {
  const [, line] = renderServers(
    [{ ...(rows[3] as ServerRow), name: "d\u001b[2Jb", reason: "\u001b]0;x\u0007bad\nnews" }],
    options,
  );
  expect(line).toBe("  ✗ db  failed          bad news");
});

test("there is no colour in a pipe, with NO_COLOR or with TERM=dumb", () => {
  expect(isColorAllowed({ env: {}, isTTY: true })).toBe(true);
  expect(isColorAllowed({ env: {}, isTTY: false })).toBe(false);
  expect(isColorAllowed({ env: { NO_COLOR: "1" }, isTTY: true })).toBe(false);
  expect(isColorAllowed({ env: { TERM: "dumb" }, isTTY: true })).toBe(false);
});
