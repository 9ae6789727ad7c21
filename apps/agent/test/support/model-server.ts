import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { Json, WireAnswer, WireName } from "./model-wires.ts";
import { wires } from "./model-wires.ts";

/** What a stand-in does with one request. */
export type ModelStep =
  /** Streams an answer. */
  | { answer: WireAnswer }
  /** Answers with a status. */
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Streams what is given, and ends. */
  | { stream: string[] }
  /** Streams the beginning of an answer and keeps the connection open, or breaks it. */
  | { begin: WireAnswer; breaks?: boolean };

/** A request as it was on the wire. */
export interface ModelRequestOnWire {
  path: string;
  headers: IncomingMessage["headers"];
  text: string;
  body: Json;
  /** Resolves when the connection has ended before the answer has. */
  broken: Promise<void>;
}

/** A server that speaks a provider's protocol, on loopback. */
export interface ModelServer extends AsyncDisposable {
  /** Address without a path. */
  url: string;
  requests: ModelRequestOnWire[];
}

/** Starts a stand-in that goes through the steps; the last one is for all further requests. */
export async function startModelServer(wire: WireName, steps: readonly ModelStep[]): Promise<ModelServer> {
  const requests: ModelRequestOnWire[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = await readText(request);
      const broken = new Promise<void>((resolve) => {
        response.once("close", () => {
          if (!response.writableEnded) resolve();
        });
      });
      requests.push({
        path: request.url ?? "",
        headers: request.headers,
        text,
        body: text === "" ? undefined : JSON.parse(text),
        broken,
      });
      const step = steps[Math.min(requests.length, steps.length) - 1];
      if (step === undefined) throw new Error("a stand-in needs a step");
      answer(response, step, wire);
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function answer(response: ServerResponse, step: ModelStep, wire: WireName): void {
  if ("status" in step) {
    response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
    response.end(JSON.stringify(step.body ?? {}));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if ("begin" in step) {
    // Without what ends an answer.
    const chunks = wires[wire].encode(step.begin);
    for (const chunk of chunks.slice(0, wire === "anthropic" ? 4 : 3)) response.write(chunk);
    // Once that has been sent.
    if (step.breaks === true) response.write("\n", () => response.destroy());
    return;
  }
  for (const chunk of "stream" in step ? step.stream : wires[wire].encode(step.answer)) response.write(chunk);
  response.end();
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
