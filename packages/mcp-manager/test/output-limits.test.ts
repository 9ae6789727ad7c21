import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { ContentBlock, ToolResult } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { temporaryDirectory } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import type { OutputLimits } from "../src/output-limits.ts";
import { createOutputLimiter } from "../src/output-limits.ts";
import { createOutputStore } from "../src/output-store.ts";
import { resultsDirectory } from "../src/results-directory.ts";
import { createManualClock } from "./support/manual-clock.ts";
import { createWorkbench, textOf } from "./support/workbench.ts";

test(
  verifies("X07", "five megabytes of text become 100 kB with a notice, and the whole is in a private file"),
  async () => {
    await using bench = await createWorkbench();
    const home = join(bench.directory, "home");
    const manager = bench.createManager({
      env: { ...process.env, XDG_CACHE_HOME: undefined },
      home,
      platform: "linux",
    });
    await manager.connectServers({ s: bench.server("s") });
    const big = manager.getTools().find(({ name }) => name === "mcp_s_big");
    const result = await big?.execute({ bytes: 5_000_000 });
    const [text, notice] = result?.content ?? [];
    expect(text).toEqual({ type: "text", text: "x".repeat(100_000) });
    const file = result?.details.truncated?.file ?? "";
    expect(notice).toEqual({
      type: "text",
      text: `[Cut: 100000 of 5000000 bytes of text are shown, 4900000 are left out. The whole is in ${file}]`,
    });
    expect(result?.details.truncated?.omittedBytes).toBe(4_900_000);
    expect(file.startsWith(join(home, ".cache", "toolgate", "results"))).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("x".repeat(5_000_000));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  },
);

test(verifies("X07", "what is within the limits is handed over as it is, and limits can be off"), async () => {
  await using bench = await createWorkbench();
  const directory = join(bench.directory, "results");
  const limited = bench.createManager({ outputLimits: { directory, textBytes: 1000 } });
  const unlimited = bench.createManager({ outputLimits: false });
  for (const manager of [limited, unlimited]) await manager.connectServers({ s: bench.server("s") });
  const call = (manager: typeof limited, bytes: number): Promise<ToolResult> | undefined =>
    manager
      .getTools()
      .find(({ name }) => name === "mcp_s_big")
      ?.execute({ bytes });
  expect((await call(limited, 1000))?.content).toEqual([{ type: "text", text: "x".repeat(1000) }]);
  expect(existsSync(directory)).toBe(false);
  expect((await call(unlimited, 2_000_000))?.content).toEqual([{ type: "text", text: "x".repeat(2_000_000) }]);
});

test(verifies("X07", "the message of an error is limited too"), async () => {
  await using bench = await createWorkbench();
  const message = `trouble ${"y".repeat(5000)}`;
  const manager = bench.createManager({ outputLimits: { directory: bench.directory, textBytes: 1000 } });
  await manager.connectServers({ s: bench.server("s", { failMethods: { "tools/call": { code: -32603, message } } }) });
  const result = await manager.getTools()[0]?.execute({});
  expect(result?.isError).toBe(true);
  expect(textOf(result ?? { content: [] })).toMatch(/^MCP error: /);
  expect(textOf(result ?? { content: [] }).length).toBeLessThanOrEqual(1000);
});

test(verifies("X07", "the limit of text counts for all blocks, the text of resources included"), async () => {
  await using bench = await limiterBench({ textBytes: 10 });
  const result = await bench.limit([
    { type: "text", text: "12345" },
    { type: "resource", resource: { uri: "a://1", text: "678901234" } },
    { type: "resource_link", uri: "a://2", name: "two" },
    { type: "text", text: "later" },
  ]);
  expect(result.content).toEqual([
    { type: "text", text: "12345" },
    { type: "resource", resource: { uri: "a://1", text: "67890" } },
    { type: "resource_link", uri: "a://2", name: "two" },
    { type: "text", text: expect.stringContaining("[Cut: 10 of 19 bytes of text are shown, 9 are left out.") },
  ]);
  expect(bench.files().map(([, text]) => text)).toEqual(["12345\n678901234\nlater"]);
});

test(verifies("X07", "an image that is too large becomes a note with the file of the whole image"), async () => {
  await using bench = await limiterBench({});
  const image = Buffer.alloc(4_500_000, 7);
  const small: ContentBlock = { type: "image", data: "AAAA", mimeType: "image/png" };
  const result = await bench.limit([
    { type: "image", data: image.toString("base64"), mimeType: "image/png" },
    small,
    { type: "audio", data: image.toString("base64"), mimeType: "audio/unknown" },
    { type: "resource", resource: { uri: "a://1", blob: image.toString("base64") } },
  ]);
  expect(result.content[1]).toBe(small);
  const notes = result.content.filter(({ type }) => type === "text").map((block) => textOf({ content: [block] }));
  expect(notes).toEqual([
    expect.stringMatching(/^\[An image \(image\/png\) is left out: 6000000 bytes.*\.png\]$/),
    expect.stringMatching(/^\[A sound \(audio\/unknown\) is left out: .*\.bin\]$/),
    expect.stringMatching(/^\[The resource a:\/\/1 \(application\/octet-stream\) is left out: .*\.bin\]$/),
  ]);
  const file = /The whole is in (.*)\]$/.exec(notes[0] ?? "")?.[1] ?? "";
  expect(readFileSync(file).equals(image)).toBe(true);
});

test(verifies("X07", "a structured value that is too large is left out as a whole"), async () => {
  await using bench = await limiterBench({ textBytes: 100 });
  const structuredContent = { rows: "z".repeat(200) };
  const result = await bench.limit([{ type: "text", text: "200 rows" }], structuredContent);
  expect(result).not.toHaveProperty("structuredContent");
  expect(result.content).toEqual([
    { type: "text", text: "200 rows" },
    { type: "text", text: expect.stringContaining("[The structured content of 211 bytes is left out.") },
  ]);
  expect(bench.files()[0]?.[1]).toBe(JSON.stringify(structuredContent));
  const small = { rows: 2 };
  expect(await bench.limit([{ type: "text", text: "2 rows" }], small)).toMatchObject({ structuredContent: small });
});

test(verifies("X07", "a whole that repeats its structured value is kept once"), async () => {
  await using bench = await limiterBench({ textBytes: 100 });
  const structuredContent = { rows: "z".repeat(200) };
  const result = await bench.limit([{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent);
  expect(result).not.toHaveProperty("structuredContent");
  expect(bench.files()).toHaveLength(1);
  expect(result.content).toHaveLength(2);
});

test(verifies("X07", "a result is cut also when the whole cannot be kept"), async () => {
  await using temporary = await temporaryDirectory();
  const blocked = join(temporary.path, "file");
  writeFileSync(blocked, "");
  const store = createOutputStore({ directory: blocked, clock: createManualClock() });
  const result = await createOutputLimiter({ textBytes: 4 }, store)(resultOf([{ type: "text", text: "12345678" }]));
  expect(result.content[0]).toEqual({ type: "text", text: "1234" });
  expect(textOf({ content: result.content.slice(1) })).toMatch(/The whole could not be kept: .*EEXIST/);
  expect(result.details.truncated).toEqual({ omittedBytes: 4 });
});

test(
  verifies("X07", "kept files are bounded in number and age, and nothing else of their directory is touched"),
  async () => {
    await using bench = await limiterBench({ textBytes: 1, maxFiles: 2, maxAgeMs: 1000 });
    writeFileSync(join(bench.directory, "mine.txt"), "not a result");
    for (const text of ["11", "22", "33"]) {
      await bench.limit([{ type: "text", text }]);
      await bench.clock.advance(10);
    }
    expect(bench.files().map(([, text]) => text)).toEqual(["22", "33", "not a result"]);
    await bench.clock.advance(2000);
    await bench.limit([{ type: "text", text: "44" }]);
    expect(bench.files().map(([, text]) => text)).toEqual(["44", "not a result"]);
  },
);

test("names of servers and tools are no paths", async () => {
  await using bench = await limiterBench({ textBytes: 1 });
  await bench.limit([{ type: "text", text: "11" }], undefined, { server: "../../x", tool: "a/b c" });
  expect(bench.files()[0]?.[0]).toMatch(/^\d{13}-______x-a_b_c-[0-9a-f]{12}\.txt$/);
});

test("results are kept beside the tool cache on every platform", () => {
  const home = "/h";
  expect(resultsDirectory({ home, env: {}, platform: "linux" })).toBe("/h/.cache/toolgate/results");
  expect(resultsDirectory({ home, env: { XDG_CACHE_HOME: "/c" }, platform: "linux" })).toBe("/c/toolgate/results");
  expect(resultsDirectory({ home, env: { XDG_CACHE_HOME: "c" }, platform: "darwin" })).toBe(
    "/h/Library/Caches/toolgate/results",
  );
  expect(resultsDirectory({ home: "C:\\h", env: { LOCALAPPDATA: "C:\\l" }, platform: "win32" })).toBe(
    "C:\\l\\toolgate\\Cache\\results",
  );
});

interface LimiterBench extends AsyncDisposable {
  directory: string;
  clock: ReturnType<typeof createManualClock>;
  limit: (
    content: ContentBlock[],
    structuredContent?: unknown,
    subject?: { server: string; tool: string },
  ) => Promise<ToolResult>;
  /** Names and texts of what is kept, the oldest first. */
  files: () => [string, string][];
}

async function limiterBench(limits: OutputLimits): Promise<LimiterBench> {
  const temporary = await temporaryDirectory();
  const directory = temporary.path;
  const clock = createManualClock();
  const { maxFiles, maxAgeMs } = limits;
  const limit = createOutputLimiter(limits, createOutputStore({ directory, maxFiles, maxAgeMs, clock }));
  return {
    directory,
    clock,
    limit: (content, structuredContent, subject) => limit(resultOf(content, structuredContent, subject)),
    files: () =>
      readdirSync(directory)
        .toSorted()
        .map((name) => [name, readFileSync(join(directory, name), "utf8")]),
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}

function resultOf(
  content: ContentBlock[],
  structuredContent?: unknown,
  subject: { server: string; tool: string } = { server: "s", tool: "t" },
): ToolResult {
  return {
    content,
    isError: false,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    details: { ...subject, durationMs: 1 },
  };
}
