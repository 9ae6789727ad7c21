import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { connectToServer } from "../../src/index.ts";
import { answerMinimal, type SeenRequest, serveLoopback } from "../support/loopback.ts";
import { answerJson, readRpc } from "../support/rpc-server.ts";
import { callForText, connect, failureOf } from "../support/scripted.ts";

const headers = { "X-Key": "a-secret-value", Authorization: "Bearer a-secret-token" };

function redirect(status: number, location: string, target = answerMinimal) {
  return (request: SeenRequest, response: ServerResponse) => {
    if (request.path === "/mcp") response.writeHead(status, { location }).end();
    else target(request, response);
  };
}

test.each([307, 308])("a redirect %i within the origin is followed with all that was sent", async (status) => {
  const { url, seen } = await serveLoopback(
    redirect(status, "/v2/mcp", (request, response) => {
      if (request.method === "POST") answerJson(readRpc(request), response);
      else response.writeHead(405).end();
    }),
  );
  const connection = await connect({ type: "http", url, headers });
  expect(await callForText(connection, "one")).toBe("called one");
  const call = seen.find((one) => one.path === "/v2/mcp" && one.body.includes("tools/call"));
  expect(call).toMatchObject({ method: "POST", headers: { "x-key": "a-secret-value" } });
});

test.each(["http", "sse"] as const)(
  "a redirect to another origin (%s) is refused and says what to do",
  async (type) => {
    const other = await serveLoopback(answerMinimal);
    const { url } = await serveLoopback(redirect(308, `${other.url}/elsewhere?token=hidden-token`));
    const error = await failureOf(connectToServer("moved", { type, url, headers }));
    expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 308 } });
    expect(error.message).toContain(new URL(url).origin);
    expect(error.message).toContain(`"url": "${other.url}/elsewhere"`);
    expect(error.message).not.toContain("hidden-token");
    expect(other.seen).toEqual([]);
  },
);

test.each([301, 302, 303])("a redirect %i that would lose the message is refused", async (status) => {
  const { url, seen } = await serveLoopback(redirect(status, "/v2/mcp"));
  const error = await failureOf(connectToServer("moved", { type: "http", url }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status } });
  expect(error.message).toContain("loses what was sent");
  expect(error.message).toContain(`${new URL(url).origin}/v2/mcp`);
  expect(seen).toHaveLength(1);
});

test("redirects without an end are given up", async () => {
  const { url, seen } = await serveLoopback((_, response) => response.writeHead(307, { location: "/mcp" }).end());
  const error = await failureOf(connectToServer("loop", { type: "http", url }));
  expect(error.message).toContain("would go on");
  expect(seen).toHaveLength(6);
});

test("an address with credentials in it sends them as a header and shows them nowhere", async () => {
  const { url, seen } = await serveLoopback((request, response) => {
    response.writeHead(500).end(`refused ${String(request.headers.authorization)}`);
  });
  const withCredentials = url.replace("http://", "http://ada:very-secret@");
  const error = await failureOf(connectToServer("signed", { type: "http", url: withCredentials }));
  const encoded = Buffer.from("ada:very-secret").toString("base64");
  expect(seen[0]?.headers.authorization).toBe(`Basic ${encoded}`);
  expect(error.message).not.toContain(encoded);
  expect(error.message).not.toContain("very-secret");
});
