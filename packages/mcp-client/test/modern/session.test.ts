import { expect, test } from "vitest";

import { type EraOptions, eraServer } from "../../../../tooling/fixture-servers/index.mjs";
import {
  callTool,
  complete,
  type ConnectOptions,
  getPrompt,
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
  type MCPServerConnection,
  ping,
  readResource,
  setLoggingLevel,
} from "../../src/index.ts";
import { serveEras } from "../support/eras.ts";
import { allGone } from "../support/processes.ts";
import { callForText, connect, failureOf, scripted } from "../support/scripted.ts";

const transports = ["stdio", "http"] as const;
type Transport = (typeof transports)[number];

async function open(
  transport: Transport,
  options: ConnectOptions = {},
  server: EraOptions = {},
): Promise<MCPServerConnection> {
  const modern = { ...server, legacy: "reject" as const };
  const config = transport === "stdio" ? eraServer(modern) : (await serveEras(modern)).config;
  return connect(config, { era: "modern", ...options });
}

/** Resolves with the params of the next notification of a method. */
function nextNotification(connection: MCPServerConnection, method: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const stop = connection.onNotification(method, (params) => {
      stop();
      resolve(params);
    });
  });
}

for (const transport of transports) {
  test(`all pages are listed (${transport}), and an odd tool hides no other`, async () => {
    const connection = await open(transport, {}, transport === "stdio" ? { oddTool: true } : {});
    const { tools, invalid } = await listTools(connection);
    const names = tools.map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(["echo", "ask", "aborts"]));
    expect(invalid.map((tool) => tool.name)).toEqual(transport === "stdio" ? ["odd"] : []);
  });

  test(`results arrive as they were sent (${transport})`, async () => {
    const connection = await open(transport);
    const result = await callTool(connection, "structured");
    expect(result).toMatchObject({
      content: [{ type: "text", text: "42" }],
      structuredContent: { sum: 42 },
      isError: false,
      _meta: { "example/unit": "m" },
    });
    const raw = await connection.request("tools/call", { name: "echo", arguments: { text: "x" } });
    expect(raw).not.toHaveProperty("resultType");
    await expect(callTool(connection, "fail")).resolves.toMatchObject({ isError: true });
  });

  test(`an error of the server keeps its code and its data (${transport})`, async () => {
    const connection = await open(transport);
    expect(await failureOf(callTool(connection, "refuse"))).toMatchObject({
      code: "SERVER_ERROR",
      data: { code: -32602, message: "no such colour", data: { colour: "grue" } },
    });
    expect(await failureOf(connection.request("tasks/list"))).toMatchObject({
      code: "SERVER_ERROR",
      data: { code: -32601 },
    });
  });

  test(`resources, prompts and completions are there (${transport}), and ping asks what every server answers`, async () => {
    const connection = await open(transport);
    await expect(listResources(connection)).resolves.toMatchObject([{ uri: "fixture:///a" }]);
    await expect(listResourceTemplates(connection)).resolves.toMatchObject([{ uriTemplate: "fixture:///{x}" }]);
    await expect(readResource(connection, "fixture:///a")).resolves.toMatchObject({ contents: [{ text: "contents" }] });
    await expect(listPrompts(connection)).resolves.toMatchObject([{ name: "greet" }]);
    await expect(getPrompt(connection, "greet")).resolves.toMatchObject({ messages: [{ role: "user" }] });
    const ref = { type: "ref/prompt" as const, name: "greet" };
    await expect(complete(connection, { ref, argument: { name: "c", value: "" } })).resolves.toEqual({
      values: ["red", "green"],
    });
    await expect(ping(connection)).resolves.toBeUndefined();
    await expect(connection.notify("notifications/roots/list_changed")).resolves.toBeUndefined();
  });

  test(`the logging level goes with each request from then on (${transport})`, async () => {
    const connection = await open(transport);
    await setLoggingLevel(connection, "warning");
    const { envelope } = JSON.parse(await callForText(connection, "meta")) as { envelope: Record<string, unknown> };
    expect(envelope).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "toolgate" },
      "io.modelcontextprotocol/logLevel": "warning",
    });
  });

  test(`progress is handed on (${transport})`, async () => {
    const connection = await open(transport);
    const steps: number[] = [];
    await callTool(connection, "progress", {}, { onProgress: ({ progress }) => steps.push(progress) });
    expect(steps).toEqual([1, 2, 3]);
  });

  test(`what the server wants to know during a call is answered (${transport})`, async () => {
    const asked: string[] = [];
    const connection = await open(transport, {
      capabilities: { elicitation: {}, sampling: {} },
      roots: [{ uri: "file:///project" }],
      requestHandlers: {
        "elicitation/create": ({ message }) => {
          asked.push(String(message));
          return { action: "accept", content: { colour: "red" } };
        },
        "sampling/createMessage": () => ({ model: "m", role: "assistant", content: { type: "text", text: "hi" } }),
      },
    });
    const answer = await callForText(connection, "ask", { elicit: true, sample: true, roots: true });
    expect(JSON.parse(answer)).toEqual({
      inputResponses: {
        colour: { action: "accept", content: { colour: "red" } },
        text: { model: "m", role: "assistant", content: { type: "text", text: "hi" } },
        roots: { roots: [{ uri: "file:///project" }] },
      },
      requestState: "state-1",
    });
    expect(asked).toEqual(["Which colour?"]);
  });

  test(`questions that nobody answers, or that have no end, fail their own call (${transport})`, async () => {
    let asked = 0;
    const connection = await open(transport, {
      capabilities: { elicitation: {}, sampling: {} },
      requestHandlers: {
        "elicitation/create": () => {
          asked += 1;
          return { action: "decline" };
        },
      },
    });
    const unanswered = await failureOf(callTool(connection, "ask", { sample: true }));
    expect(unanswered).toMatchObject({ code: "SERVER_ERROR" });
    expect(unanswered.message).toContain("sampling/createMessage");
    expect(await failureOf(callTool(connection, "forever"))).toMatchObject({ code: "SERVER_ERROR" });
    expect(asked).toBeLessThan(20);
    await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
  });

  test(`an abort is an AbortError here, and there the request is given up (${transport})`, async () => {
    const connection = await open(transport);
    const controller = new AbortController();
    const call = callTool(connection, "hang", {}, { signal: controller.signal, onProgress: () => {} });
    // The hanging call is with the server once a later one has been answered.
    await callForText(connection, "echo", { text: "x" });
    controller.abort(new Error("a private reason"));
    expect(await failureOf(call)).toMatchObject({ name: "AbortError" });
    await expect.poll(() => callForText(connection, "aborts"), { timeout: 5000 }).not.toBe("[]");
    await expect(callForText(connection, "aborts")).resolves.not.toContain("a private reason");
  });

  test(`a question is given up with its call (${transport})`, async () => {
    const controller = new AbortController();
    let given: AbortSignal | undefined;
    const connection = await open(transport, {
      capabilities: { elicitation: {} },
      requestHandlers: {
        "elicitation/create": (_, { signal }) => {
          given = signal;
          controller.abort();
          return new Promise(() => {});
        },
      },
    });
    const failure = await failureOf(callTool(connection, "forever", {}, { signal: controller.signal }));
    expect(failure).toMatchObject({ name: "AbortError" });
    expect(given?.aborted).toBe(true);
  });

  test(`a question that the host does not answer is given up after the limit in all (${transport})`, async () => {
    const connection = await open(transport, {
      capabilities: { elicitation: {} },
      requestHandlers: { "elicitation/create": () => new Promise(() => {}) },
    });
    const failure = await failureOf(callTool(connection, "forever", {}, { maxTotalTimeout: 300 }));
    expect(failure).toMatchObject({ code: "CALL_TIMEOUT" });
  });

  test(`a call without an answer is given up after its timeout (${transport}), and the connection lives on`, async () => {
    const connection = await open(transport);
    expect(await failureOf(callTool(connection, "hang", {}, { timeout: 300 }))).toMatchObject({ code: "CALL_TIMEOUT" });
    await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
  });

  test(`changes of lists and resources are told to those who listen (${transport})`, async () => {
    const connection = await open(transport);
    const changed = nextNotification(connection, "notifications/tools/list_changed");
    // The subscription is open when the server has agreed to a second part of it.
    await connection.request("resources/subscribe", { uri: "fixture:///a" });
    await callTool(connection, "addTool", { name: "late" });
    await changed;

    const updated = nextNotification(connection, "notifications/resources/updated");
    await callTool(connection, "touch", { uri: "fixture:///a" });
    await expect(updated).resolves.toMatchObject({ uri: "fixture:///a" });
    await connection.request("resources/unsubscribe", { uri: "fixture:///a" });
  });

  test(`closing ends calls in flight (${transport})`, async () => {
    const connection = await open(transport);
    const call = failureOf(callTool(connection, "hang"));
    await callForText(connection, "echo", { text: "x" });
    await connection.close();
    expect(await call).toMatchObject({ code: "CLOSED" });
    expect(await failureOf(connection.request("tools/list"))).toMatchObject({ code: "CLOSED" });
  });
}

test("a server that dies during a call is told with its exit code and its last words", async () => {
  const connection = await open("stdio");
  const error = await failureOf(callTool(connection, "die"));
  expect(error).toMatchObject({ code: "SERVER_EXITED", data: { exitCode: 3 } });
  expect(error.message).toContain("it hurts");
  await expect(connection.closed).resolves.toMatchObject({ kind: "exited", exitCode: 3 });
  await allGone([connection.pid ?? 0]);
});

/** A hand-written server, which says no more than it must. */
const modest = (script: object = {}) =>
  connect(scripted({ discover: { supportedVersions: ["2026-07-28"] }, ...script }, { protocol: "modern" }));

test("a server that does not say who it is, and forgets to call its results final, is served", async () => {
  const connection = await modest();
  expect(connection).toMatchObject({ serverInfo: { name: "", version: "" }, capabilities: {} });
  await expect(callForText(connection, "echo", { text: "hello" })).resolves.toBe("hello");
});

test("an answer beyond the limit fails its own call only", async () => {
  const connection = await modest();
  const error = await failureOf(callTool(connection, "big", { size: 70_000_000 }));
  expect(error).toMatchObject({ code: "TOO_LARGE" });
  await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
});

test("progress for ever does not keep a call alive for ever, and the server is told", async () => {
  const connection = await modest();
  const call = callTool(connection, "progress", { steps: 1_000_000, every: 20 }, { maxTotalTimeout: 500 });
  expect(await failureOf(call)).toMatchObject({ code: "CALL_TIMEOUT" });
  const received = await callForText(connection, "received");
  expect(received).toContain("notifications/cancelled");
  expect(received).toContain("The client cancelled the request.");
});

test("a result of a kind that is not known fails its own call", async () => {
  const connection = await modest();
  const error = await failureOf(callTool(connection, "raw", { result: { resultType: "riddle" } }));
  expect(error).toMatchObject({ code: "SERVER_ERROR" });
  expect(error.message).toContain("riddle");
});

test("secrets of the entry are in no error and in no error output", async () => {
  const script = { discover: { supportedVersions: ["2026-07-28"] }, stderr: "token s3cret-token-value\n" };
  const config = scripted(script, { protocol: "modern", env: { API_TOKEN: "s3cret-token-value" } });
  const connection = await connect(config);
  const message = { code: -32000, message: "bad s3cret-token-value" };
  const error = await failureOf(callTool(connection, "error", message));
  expect(error.message).not.toContain("s3cret-token-value");
  expect(JSON.stringify(error.data)).not.toContain("s3cret-token-value");
  expect(connection.stderr()).not.toContain("s3cret-token-value");
});
