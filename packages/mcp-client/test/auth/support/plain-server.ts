import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

import { answerMinimal } from "../../support/loopback.ts";

/** A request as a route sees it. */
export interface PlainRequest {
  origin: string;
  path: string;
  /** Of the query, or of a form. */
  parameters: Record<string, string>;
  body: string;
  authorization: string | undefined;
}

/** Gives what is sent as JSON; an object with `redirect` is sent as one. */
export type Route = (request: PlainRequest) => object | undefined;

/** A token that the MCP server behind a plain server takes. */
export const GOOD_TOKEN = "good-token";

/**
 * One origin that is an MCP server at `/mcp` and whatever its routes make it: authorization servers that the real one
 * cannot be.
 */
export async function startPlainServer(
  routes: Readonly<Record<string, Route>>,
): Promise<{ origin: string; url: string; requests: PlainRequest[] }> {
  const requests: PlainRequest[] = [];
  let origin = "";
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "/", origin);
      const { authorization } = request.headers;
      if (pathname === "/mcp") {
        if (authorization === `Bearer ${GOOD_TOKEN}`) {
          answerMinimal({ method: request.method ?? "", path: pathname, headers: request.headers, body }, response);
        } else response.writeHead(401, { "www-authenticate": "Bearer" }).end();
        return;
      }
      const parameters = Object.fromEntries(
        body.startsWith("{") ? [] : [...searchParams, ...new URLSearchParams(body)],
      );
      const seen = { origin, path: pathname, parameters, body, authorization };
      requests.push(seen);
      const answer = routes[pathname]?.(seen);
      if (answer === undefined) response.writeHead(404).end();
      else if ("redirect" in answer) response.writeHead(302, { location: String(answer.redirect) }).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, url: `${origin}/mcp`, requests };
}

/** Protected-resource metadata that names the same origin. */
export const resourceMetadata: Route = ({ origin }) => ({
  resource: `${origin}/mcp`,
  authorization_servers: [origin],
});

/** Authorization-server metadata of the same origin. */
export function serverMetadata(extra: object = {}): Route {
  return ({ origin }) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    ...extra,
  });
}

/** An authorization endpoint whose person agrees to everything. */
export const agree: Route = ({ parameters }) => {
  const { redirect_uri: target = "", state = "" } = parameters;
  return { redirect: `${target}?${new URLSearchParams({ code: "the-code", state }).toString()}` };
};

/** A token endpoint that gives the good token. */
export const giveToken: Route = () => ({ access_token: GOOD_TOKEN, token_type: "bearer", expires_in: 3600 });
