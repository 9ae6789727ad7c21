import { createServer, request as forward, type IncomingMessage } from "node:http";
import { type AddressInfo, connect as connectSocket, type Socket } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { connectToServer } from "../../src/index.ts";
import { proxyFor } from "../../src/remote/proxy.ts";
import { serveLoopback } from "../support/loopback.ts";
import { answerJson, readRpc } from "../support/rpc-server.ts";
import { callForText, connect, failureOf } from "../support/scripted.ts";

/** A proxy for plain http and for tunnels, which takes every host for one server. */
async function serveProxy(target: string, refuse?: number) {
  const seen: { method: string; target: string; authorization: string | undefined }[] = [];
  const { hostname, port } = new URL(target);
  const note = (request: IncomingMessage) =>
    void seen.push({
      method: request.method ?? "",
      target: request.url ?? "",
      authorization: request.headers["proxy-authorization"],
    });
  const sockets = new Set<Socket>();
  const proxy = createServer((request, response) => {
    note(request);
    if (refuse !== undefined) {
      response.writeHead(refuse).end("proxy says no");
      return;
    }
    const path = new URL(request.url ?? "", target).pathname;
    const onward = forward({ hostname, port, path, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  proxy.on("connect", (request, socket: Socket) => {
    note(request);
    sockets.add(socket);
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connectSocket(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [onward, socket]) end.on("error", () => {});
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.closeAllConnections();
    proxy.close();
  });
  return { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

const serve = () =>
  serveLoopback((request, response) => {
    if (request.method === "POST") answerJson(readRpc(request), response);
    else response.writeHead(405).end();
  });

test("a server behind a proxy is reached by it, with the proxy's credentials for the proxy alone", async () => {
  const server = await serve();
  const proxy = await serveProxy(server.url);
  const env = { http_proxy: `http://ada:proxy-secret@${proxy.host}` };
  const connection = await connect({ type: "http", url: "http://mcp.test/mcp" }, { env });
  expect(await callForText(connection, "one")).toBe("called one");
  await connection.close();
  const authorization = `Basic ${Buffer.from("ada:proxy-secret").toString("base64")}`;
  expect(proxy.seen[0]).toEqual({ method: "POST", target: "http://mcp.test/mcp", authorization });
  expect(server.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

test("an https address is reached by a tunnel", async () => {
  const server = await serve();
  const proxy = await serveProxy(server.url);
  const env = { HTTPS_PROXY: proxy.host };
  // What listens behind the tunnel speaks no TLS: what counts is that the tunnel was asked for.
  const error = await failureOf(connectToServer("tunnelled", { type: "http", url: "https://mcp.test/mcp" }, { env }));
  expect(proxy.seen[0]).toMatchObject({ method: "CONNECT", target: "mcp.test:443" });
  expect(error).toMatchObject({ code: "CONNECT_FAILED" });
  expect(error.message).toContain(`the proxy http://${proxy.host} (HTTPS_PROXY)`);
});

test.each(["http", "https"])("a proxy that wants a sign-in (%s) is named, without its credentials", async (scheme) => {
  const proxy = await serveProxy("http://127.0.0.1:9", 407);
  const env = { [`${scheme}_proxy`]: `http://ada:proxy-secret@${proxy.host}` };
  const error = await failureOf(connectToServer("far", { type: "http", url: `${scheme}://mcp.test/mcp` }, { env }));
  expect(error).toMatchObject({ code: "CONNECT_FAILED" });
  expect(error.message).toContain(`the proxy http://${proxy.host} (${scheme}_proxy)`);
  expect(error.message).toContain("407");
  expect(error.message).not.toContain("proxy-secret");
});

test("a proxy that is down is named, and what it was asked for is not taken for gone", async () => {
  const proxy = await serveLoopback(() => {});
  await proxy.crash();
  const { host } = new URL(proxy.url);
  const env = { http_proxy: host };
  const error = await failureOf(connectToServer("far", { type: "http", url: "http://mcp.test/mcp" }, { env }));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { code: "ECONNREFUSED", address: host } });
  expect(error.message).toContain(`the proxy http://${host} (http_proxy)`);
});

test("a loopback server is never asked for by a proxy", async () => {
  const server = await serve();
  const proxy = await serveProxy(server.url);
  const env = { http_proxy: `http://${proxy.host}`, HTTP_PROXY: `http://${proxy.host}` };
  const connection = await connect({ type: "http", url: server.url }, { env });
  expect(await callForText(connection, "one")).toBe("called one");
  expect(proxy.seen).toEqual([]);
});

test.each([
  ["https://a.test/", { HTTPS_PROXY: "http://up:1", https_proxy: "http://low:1" }, "low:1"],
  ["https://a.test/", { HTTPS_PROXY: "http://up:1", https_proxy: "" }, "up:1"],
  ["https://a.test/", { HTTP_PROXY: "http://up:1" }, undefined],
  ["http://a.test/", { http_proxy: "low:8080" }, "low:8080"],
  ["http://localhost/", { http_proxy: "low:1" }, undefined],
  ["http://127.8.9.1/", { http_proxy: "low:1" }, undefined],
  ["http://[::1]:90/", { http_proxy: "low:1" }, undefined],
  ["http://a.test/", { http_proxy: "low:1", NO_PROXY: "*" }, undefined],
  ["http://a.test/", { http_proxy: "low:1", no_proxy: "", NO_PROXY: "b.test, A.test" }, undefined],
  ["http://a.test/", { http_proxy: "low:1", no_proxy: "b.test", NO_PROXY: "a.test" }, "low:1"],
  ["http://deep.a.test/", { http_proxy: "low:1", no_proxy: ".a.test" }, undefined],
  ["http://deep.a.test/", { http_proxy: "low:1", no_proxy: "a.test" }, undefined],
  ["http://deep.a.test/", { http_proxy: "low:1", no_proxy: "*.a.test" }, undefined],
  ["http://nota.test/", { http_proxy: "low:1", no_proxy: "a.test" }, "low:1"],
  ["http://a.test:81/", { http_proxy: "low:1", no_proxy: "a.test:81" }, undefined],
  ["http://a.test/", { http_proxy: "low:1", no_proxy: "a.test:81" }, "low:1"],
  ["http://a.test/", { http_proxy: "low:1", no_proxy: "a.test:80" }, undefined],
  ["http://[fd00::1]/", { http_proxy: "low:1", no_proxy: "fd00::1" }, undefined],
  ["http://[fd00::1]:81/", { http_proxy: "low:1", no_proxy: "[fd00::1]:81" }, undefined],
])("of %s with %j the proxy is %s", (url, env, host) => {
  expect(proxyFor(new URL(url), env)?.url.host).toBe(host);
});

test("a variable that names no http proxy is an error that names it and not its value", async () => {
  const env = { https_proxy: "socks5://ada:proxy-secret@far:1" };
  const error = await failureOf(connectToServer("far", { type: "http", url: "https://mcp.test/mcp" }, { env }));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { code: "PROXY_FAILED" } });
  expect(error.message).toContain("https_proxy");
  expect(error.message).not.toContain("proxy-secret");
});
