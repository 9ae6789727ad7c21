import { listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { answerMinimal, serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { connect } from "../../packages/mcp-client/test/support/scripted.ts";

test.each([404, 400, 405])("a server that answers GET with %i and POST as it should is fine", async (status) => {
  const { url } = await serveLoopback((request, response) => {
    if (request.method === "GET") response.writeHead(status).end("no stream here");
    else answerMinimal(request, response);
  });
  const connection = await connect({ type: "http", url });
  expect((await listTools(connection)).tools).toHaveLength(1);
  expect(connection.closeReason).toBeUndefined();
});
