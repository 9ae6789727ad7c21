import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { createStyle } from "../../src/terminal/style.ts";
import { textWidth } from "../../src/terminal/text-width.ts";
import type { WaterfallServer } from "../../src/terminal/waterfall.ts";
import { renderWaterfall } from "../../src/terminal/waterfall.ts";

const servers: WaterfallServer[] = [
  {
    name: "ev",
    status: "connected",
    tools: 14,
    durationMs: 700,
    timeline: { startedAt: 100, spawnedAt: 300, initializedAt: 600, listedAt: 800, endedAt: 800, cachedToolsAt: 5 },
  },
  {
    name: "broken",
    status: "failed",
    tools: 0,
    durationMs: 200,
    timeline: { startedAt: 400, spawnedAt: 500, endedAt: 600 },
    error: { message: "exited" },
  },
  { name: "late", status: "connecting", tools: 0, timeline: { startedAt: 0, spawnedAt: 100 } },
  { name: "theirs", status: "needs-approval", tools: 0, timeline: { endedAt: 1 }, error: { message: "no" } },
];

test(verifies("X08", "each step has its sign on one time axis, failures, cached tools and the gate are marked"), () => {
  expect(renderWaterfall(servers, { gateMs: 250, width: 80 })).toMatchInlineSnapshot(`
    [
      "                                            0        200 ms   400 ms   600 ms",
      "ev      ready           ◆ 14 tools  700 ms  ····▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒█████████",
      "broken  FAILED                      200 ms  ···········│······▓▓▓▓▒▒▒▒▒✗",
      "late    connecting         0 tools          ▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒…",
      "theirs  needs approval                                 │",
      "· waiting  ▓ starting  ▒ initialize  █ tools/list  │ the gate at 250 ms",
      "◆ tools from the cache at first",
    ]
  `);
});

test.each([40, 60, 80, 200])("no line is wider than %d columns", (width) => {
  const named = [
    ...servers,
    { ...(servers[0] as WaterfallServer), name: "a-name-that-is-longer-than-any-terminal-likes" },
  ];
  const lines = renderWaterfall(named, { gateMs: 250, width });
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
});

test("colour only adds: the lines take the same columns without it", () => {
  const style = createStyle({ env: { FORCE_COLOR: "1" }, isTTY: true });
  const colored = renderWaterfall(servers, { gateMs: 250, style });
  const plain = renderWaterfall(servers, { gateMs: 250 });
  expect(colored).not.toEqual(plain);
  expect(colored.map(textWidth)).toEqual(plain.map(textWidth));
});

test("a server cannot draw in the chart by its name", () => {
  const [, line] = renderWaterfall([{ ...(servers[0] as WaterfallServer), name: "e\u001b[2Jv\n" }], { gateMs: 250 });
  expect(line).toMatch(/^ev {2}ready/);
});
