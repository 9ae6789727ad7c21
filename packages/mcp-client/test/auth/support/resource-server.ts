import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { onTestFinished } from "vitest";

import type { AuthorizationServer } from "./authorization-server.ts";

/** An MCP server behind tokens. */
export interface ResourceServer {
  url: string;
  /** Method, status and token of each request to it. */
  answers: { method: string; status: number; token: string | undefined }[];
  /** Answers a request in place of the server, if it wants to; called before tokens are looked at. */
  intercept?: (request: IncomingMessage, response: ServerResponse, body: string) => boolean;
}

/** Starts an MCP server that takes tokens of an authorization server; its tool `write` needs the scope `tools:write`. */
export async function startResourceServer(
  authorizationServer: Pick<AuthorizationServer, "issuer" | "findToken">,
  metadata: Record<string, unknown> = {},
): Promise<ResourceServer> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const state: ResourceServer = { url: `${origin}/mcp`, answers: [] };
  const resourceMetadata = {
    resource: state.url,
    authorization_servers: [authorizationServer.issuer],
    scopes_supported: ["tools:read"],
    ...metadata,
  };

  const challenge = (response: ServerResponse, status: number, parameters: string) => {
    response.writeHead(status, {
      "www-authenticate": `Bearer ${parameters}, resource_metadata="${metadataUrl}"`,
      "content-type": "application/json",
    });
  };
  const refuse = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<boolean> => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    response.once("finish", () => {
      state.answers.push({ method: request.method ?? "", status: response.statusCode, token });
    });
    const found = token === undefined ? undefined : await authorizationServer.findToken(token);
    if (found === undefined || ![found.aud].flat().includes(state.url)) {
      challenge(response, 401, 'error="invalid_token", scope="tools:read"');
      // As careless servers do, it says which token it did not like.
      response.end(JSON.stringify({ error: "invalid_token", token }));
      return true;
    }
    if (body.includes('"write"') && found.scope?.split(" ").includes("tools:write") !== true) {
      challenge(response, 403, 'error="insufficient_scope", scope="tools:write"');
      response.end();
      return true;
    }
    return false;
  };
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const body = await readBody(request);
      if (request.url?.startsWith("/.well-known/") === true) {
        const isMetadata = `${origin}${request.url}` === metadataUrl;
        response.writeHead(isMetadata ? 200 : 404, { "content-type": "application/json" });
        response.end(isMetadata ? JSON.stringify(resourceMetadata) : "");
        return;
      }
      if (state.intercept?.(request, response, body) === true) return;
      if (await refuse(request, response, body)) return;
      const transport = await sessionOf(request, sessions);
      await transport.handleRequest(request, response, body === "" ? undefined : (JSON.parse(body) as unknown));
    })();
  });
  return state;
}

async function sessionOf(
  request: IncomingMessage,
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  if (known !== undefined) return known;
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    enableJsonResponse: true,
  });
  const server = new McpServer({ name: "guarded", version: "1.0.0" });
  server.registerTool("read", {}, () => ({ content: [{ type: "text", text: "was read" }] }));
  server.registerTool("write", {}, () => ({ content: [{ type: "text", text: "was written" }] }));
  await server.connect(transport);
  return transport;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  request.setEncoding("utf8");
  for await (const chunk of request) body += chunk as string;
  return body;
}
