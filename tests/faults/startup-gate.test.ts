import { connectToServer } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { beginStream, signal } from "../../packages/mcp-client/test/support/rpc-server.ts";
import { failureOf } from "../../packages/mcp-client/test/support/scripted.ts";

test.each(["http", "sse"] as const)(
  "a server (%s) that accepts and never answers is given up at any time, and sees its connection end",
  async (type) => {
    const controller = new AbortController();
    const ended = signal();
    const { url } = await serveLoopback((request, response) => {
      response.on("close", () => ended.resolve());
      if (request.method === "GET") beginStream(response);
      controller.abort();
    });
    const { signal: giveUp } = controller;
    expect(await failureOf(connectToServer("mute", { type, url }, { signal: giveUp }))).toMatchObject({
      name: "AbortError",
    });
    await ended.promise;
  },
);
