import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import type { RecordedServer, StartRecord } from "../../src/state/start-record.ts";
import { renderTracePage } from "../../src/trace-page/render-trace-page.ts";

const ready: RecordedServer = {
  name: "files",
  status: "connected",
  transport: "stdio",
  tools: 14,
  timeline: { startedAt: 10, spawnedAt: 20, initializedAt: 300, listedAt: 320, endedAt: 320 },
  durations: { queue: 10, spawn: 10, initialize: 280, list: 20 },
  durationMs: 310,
};
const hostile = `<script>alert("x")</script>`;
const failed: RecordedServer = {
  name: hostile,
  status: "failed",
  transport: "stdio",
  tools: 0,
  timeline: { startedAt: 10, spawnedAt: 20, endedAt: 90 },
  durations: { queue: 10, spawn: 10 },
  durationMs: 80,
  source: { providerName: `"><img src=x>`, path: `/tmp/" onmouseover="alert(1)` },
  error: { code: "SERVER_EXITED", message: `exited: </td><iframe src="https://example.com"> & '` },
};

function recordOf(servers: RecordedServer[]): StartRecord {
  return {
    version: 1,
    time: 1_800_000_000_000,
    command: "chat",
    cwd: "/home/me/app",
    gateMs: 250,
    elapsedMs: 251,
    servers,
  };
}

const page = renderTracePage(recordOf([failed, ready]), { home: "/home/me" });

test("names, paths and errors of servers are text in the page, whatever they contain", () => {
  expect(page).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
  expect(page).toContain("exited: &lt;/td&gt;&lt;iframe");
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/<(?:img|iframe)|" onmouseover=/);
});

test("the page loads nothing, and no script but its own may run in it", () => {
  expect(page).not.toMatch(/<(?:link|img|iframe|object|base)\b|<[^>]*\ssrc=|@import|url\(/);
  const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  expect(page).toContain(`default-src &#39;none&#39;`);
  expect(page).toContain(`script-src &#39;sha256-${hash}&#39;`);
});

test("bars are described in words, and figures stand in a table with headings", () => {
  expect(page).toContain(
    `role="img" aria-label="files: waited 10 ms, spawn 10 ms, initialize 280 ms, tools/list 20 ms"`,
  );
  expect(page).toContain("spawn 10 ms, initialize 70 ms, failed");
  expect(page).toContain("<caption>");
  expect(page.match(/scope="col"/g)).toHaveLength(9);
  expect(page.match(/scope="row"/g)).toHaveLength(2);
  expect(page).toMatch(/<html lang="en">/);
});

test("the page says what came of the start, and where the gate was", () => {
  expect(page).toContain("2 servers: 1 ready, 1 failed · 14 tools · tools handed over after 251 ms");
  expect(page).toContain("the gate at 250 ms");
  expect(page).toContain("~/app");
  expect(page).not.toContain("◆");
});

test("cached tools are marked with their age, and what was not started has no bar", () => {
  const waiting: RecordedServer = {
    ...ready,
    name: "waiting",
    status: "connecting",
    cachedAgeMs: 172_800_000,
    timeline: { startedAt: 10, spawnedAt: 20, cachedToolsAt: 5 },
    durations: { queue: 10, spawn: 10 },
  };
  const refused: RecordedServer = {
    ...failed,
    name: "refused",
    status: "needs-approval",
    timeline: { endedAt: 3 },
    durations: {},
  };
  const other = renderTracePage(recordOf([waiting, refused]), { home: "" });
  expect(other).toContain("◆ cache, 2 days old");
  expect(other).toContain("waiting: waited 10 ms, spawn 10 ms, initialize still under way");
  expect(other).toContain("refused: not started");
});
