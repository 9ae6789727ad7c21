import { listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { answerMinimal, serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { signal } from "../../packages/mcp-client/test/support/rpc-server.ts";
import { connect } from "../../packages/mcp-client/test/support/scripted.ts";

test.each([404, 400, 405, 406])("a server that answers GET with %i and POST as it should is fine", async (status) => {
  const refused = signal();
  const { url, seen } = await serveLoopback((request, response) => {
    if (request.method !== "GET") return answerMinimal(request, response);
    response.writeHead(status).end("no stream here", () => refused.resolve());
  });
  const reports: unknown[] = [];
  const report = (...parts: unknown[]) => void reports.push(parts);
  const logger = { debug: report, info: report, warn: report, error: report };
  const connection = await connect({ type: "http", url }, { logger });
  await refused.promise;
  for (let call = 0; call < 3; call += 1) expect((await listTools(connection)).tools).toHaveLength(1);
  expect(connection.closeReason).toBeUndefined();
  expect(seen.filter(({ method }) => method === "GET")).toHaveLength(1);
  expect(reports).toEqual([]);
});
