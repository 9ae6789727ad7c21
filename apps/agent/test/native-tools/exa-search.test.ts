import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { createExaSearchTool } from "../../src/native-tools/exa-search.ts";

const KEY = "exa-key-0123456789";

interface Received {
  url: string | undefined;
  key: string | undefined;
  body: unknown;
}

/** A real HTTP server in the place of Exa. */
async function exaServer(answer: (request: Received, response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const item = {
        url: request.url,
        key: request.headers["x-api-key"] as string | undefined,
        body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
      };
      received.push(item);
      answer(item, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

test("a search asks Exa with the key and gives titles, addresses and excerpts", async () => {
  await using exa = await exaServer((_request, response) => {
    response.end(JSON.stringify({ results: [{ title: "T", url: "https://t.test", text: "excerpt" }, { url: "u" }] }));
  });
  const tool = createExaSearchTool({ apiKeys: [KEY], baseUrl: exa.baseUrl });
  const result = await tool.execute({ query: "what", numResults: 500 });
  expect(result).toMatchObject({
    isError: false,
    content: [{ type: "text", text: "T\nhttps://t.test\nexcerpt\n\nu" }],
    details: { tool: "exa_search" },
  });
  expect(exa.received).toEqual([
    {
      url: "/search",
      key: KEY,
      body: { query: "what", numResults: 25, contents: { text: { maxCharacters: 1000 } } },
    },
  ]);
});

test("a key that is refused makes way for the next one", async () => {
  await using exa = await exaServer(({ key }, response) => {
    response.statusCode = key === KEY ? 200 : 401;
    response.end('{"results":[]}');
  });
  const result = await createExaSearchTool({ apiKeys: ["stale-key-1", KEY], baseUrl: exa.baseUrl }).execute({
    query: "x",
  });
  expect(result).toMatchObject({ isError: false, content: [{ text: "Nothing was found." }] });
});

test("an error says what came back and never the key", async () => {
  await using exa = await exaServer(({ key }, response) => {
    response.statusCode = 429;
    response.end(`slow down, ${key}`);
  });
  const result = await createExaSearchTool({ apiKeys: [KEY], baseUrl: exa.baseUrl }).execute({ query: "x" });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: "Exa answered with HTTP status 429: slow down, ***" }],
  });
});

test("an address that cannot be reached and an answer that is no JSON are results, not exceptions", async () => {
  const gone = await exaServer(() => {});
  await gone[Symbol.asyncDispose]();
  const unreachable = await createExaSearchTool({ apiKeys: [KEY], baseUrl: gone.baseUrl }).execute({ query: "x" });
  expect(unreachable).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("ECONNREFUSED") }] });

  await using html = await exaServer((_request, response) => response.end("<html>"));
  const odd = await createExaSearchTool({ apiKeys: [KEY], baseUrl: html.baseUrl }).execute({ query: "x" });
  expect(odd).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("not JSON") }] });
});

test("a key is not carried to where a redirect leads", async () => {
  await using thief = await exaServer((_request, response) => response.end("{}"));
  await using exa = await exaServer((_request, response) => {
    response.writeHead(307, { location: `${thief.baseUrl}search` }).end();
  });
  const result = await createExaSearchTool({ apiKeys: [KEY], baseUrl: exa.baseUrl }).execute({ query: "x" });
  expect(result.isError).toBe(true);
  expect(thief.received).toEqual([]);
});

test("an abort stays an abort", async () => {
  const controller = new AbortController();
  await using exa = await exaServer(() => controller.abort());
  const tool = createExaSearchTool({ apiKeys: [KEY], baseUrl: exa.baseUrl });
  await expect(tool.execute({ query: "x" }, { signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});
