import {
  type ConnectOptions,
  callTool,
  notifyRootsChanged,
  type Root,
  type SamplingHandler,
} from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

type Answer = { result?: unknown; error?: { code: number; message: string } };

/** Connects with the options; gives what asks the host as the server would. */
async function asker(options: ConnectOptions = {}) {
  const connection = await connect(scripted(), options);
  const ask = async (method: string, params?: object, id?: unknown): Promise<Answer> =>
    JSON.parse(await callForText(connection, "ask", { method, params, id })) as Answer;
  const received = async () => JSON.parse(await callForText(connection, "received")) as { method?: string }[];
  return { connection, ask, received };
}

async function declaredBy(options: ConnectOptions): Promise<unknown> {
  const { received } = await asker(options);
  const [initialize] = await received();
  return (initialize as unknown as { params: { capabilities: unknown } }).params.capabilities;
}

const answer = { model: "m", role: "assistant", content: { type: "text", text: "hi" } } as const;
const prompt = { messages: [{ role: "user", content: { type: "text", text: "hello" } }], maxTokens: 10 };

/** A model that never answers; gives the signal of the first thing it is asked. */
function hangingModel() {
  let ask: (signal: AbortSignal) => void = () => {};
  const asked = new Promise<AbortSignal>((resolve) => {
    ask = resolve;
  });
  const sampling: SamplingHandler = (_request, { signal }) => {
    ask(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("given up")), { once: true });
    });
  };
  return { asked, sampling };
}

test("a host declares what it answers, and nothing else", async () => {
  expect(await declaredBy({})).toEqual({});
  expect(await declaredBy({ sampling: () => answer, elicitation: { url: () => ({ action: "cancel" }) } })).toEqual({
    sampling: {},
    elicitation: { url: {} },
  });
  const form = () => ({ action: "decline" }) as const;
  const capabilities = { sampling: { tools: {} }, elicitation: { form: { applyDefaults: true } } };
  expect(await declaredBy({ sampling: () => answer, elicitation: { form }, capabilities, roots: [] })).toEqual({
    ...capabilities,
    roots: { listChanged: true },
  });
});

test("pings are answered, and what nobody answers is refused", async () => {
  const { ask } = await asker();
  await expect(ask("ping")).resolves.toMatchObject({ result: {} });
  for (const method of ["roots/list", "sampling/createMessage", "elicitation/create", "what/ever"]) {
    await expect(ask(method, {})).resolves.toMatchObject({ error: { code: -32601 } });
  }
});

test("roots are answered as they are by then, and the server is told of a change", async () => {
  const roots: Root[] = [{ uri: "file:///work" }];
  const { connection, ask, received } = await asker({ roots: () => roots });
  await expect(ask("roots/list")).resolves.toMatchObject({ result: { roots: [{ uri: "file:///work" }] } });
  roots.push({ uri: "file:///more", name: "more" });
  await notifyRootsChanged(connection);
  expect((await received()).map(({ method }) => method)).toContain("notifications/roots/list_changed");
  await expect(ask("roots/list")).resolves.toMatchObject({ result: { roots: [{}, { name: "more" }] } });
  const rootless = await connect(scripted());
  await expect(notifyRootsChanged(rootless)).rejects.toMatchObject({ code: "SERVER_ERROR", stage: "request" });
});

test("a model of the host answers, and is not asked for nonsense", async () => {
  const seen: unknown[] = [];
  const { ask } = await asker({
    sampling: (request) => {
      seen.push(request);
      return answer;
    },
  });
  await expect(ask("sampling/createMessage", prompt)).resolves.toMatchObject({ result: answer });
  for (const nonsense of [{ ...prompt, messages: "hello" }, { messages: [] }]) {
    await expect(ask("sampling/createMessage", nonsense)).resolves.toMatchObject({ error: { code: -32602 } });
  }
  expect(seen).toEqual([prompt]);
});

test("a person is asked by form and by page, each only where the host can", async () => {
  const { ask } = await asker({
    elicitation: {
      form: ({ message }) => ({ action: "accept", content: { answer: message } }),
      url: ({ url }) => (url.includes("good") ? { action: "accept" } : { action: "decline" }),
    },
  });
  const form = { message: "name?", requestedSchema: { type: "object", properties: {} } };
  await expect(ask("elicitation/create", form)).resolves.toMatchObject({
    result: { action: "accept", content: { answer: "name?" } },
  });
  const page = { mode: "url", message: "sign", url: "https://good.example", elicitationId: "1" };
  await expect(ask("elicitation/create", page)).resolves.toMatchObject({ result: { action: "accept" } });
  for (const wrong of [{ url: "javascript:alert(1)" }, { mode: "voice" }, { message: 7 }]) {
    await expect(ask("elicitation/create", { ...page, ...wrong })).resolves.toMatchObject({ error: { code: -32602 } });
  }
  const formOnly = await asker({ elicitation: { form: () => ({ action: "cancel" }) } });
  await expect(formOnly.ask("elicitation/create", page)).resolves.toMatchObject({ error: { code: -32602 } });
});

test("a handler that fails says what it means to say, and nothing of what went wrong", async () => {
  const lines: string[] = [];
  const logger = { debug: (line: string) => void lines.push(line), info() {}, warn() {}, error() {} };
  const { ask } = await asker({
    logger,
    sampling: () => {
      throw new Error("the key sk-host-0123456789 is over its quota");
    },
    requestHandlers: {
      "custom/refuse": () => {
        throw Object.assign(new Error("not today"), { code: -1, data: { until: "tomorrow" } });
      },
      "custom/disk": () => {
        throw Object.assign(new Error("ENOENT /home/me/.key"), { code: "ENOENT" });
      },
    },
  });
  expect(await ask("sampling/createMessage", prompt)).toMatchObject({
    error: { code: -32603, message: "The client could not answer sampling/createMessage." },
  });
  expect(JSON.stringify(await ask("custom/disk"))).not.toMatch(/\.key|stack|at /);
  expect(await ask("custom/refuse")).toMatchObject({
    error: { code: -1, message: "not today", data: { until: "tomorrow" } },
  });
  expect(lines.join("\n")).toContain("over its quota");
});

test.each(["q1", 7, 0])("a request (id %j) that the server takes back ends its handler", async (id) => {
  const model = hangingModel();
  const { connection } = await asker({ sampling: model.sampling });
  // A request that is taken back gets no answer, so that this call ends with its connection.
  const call = Promise.allSettled([
    callTool(connection, "ask", { method: "sampling/createMessage", params: prompt, id }),
  ]);
  const signal = await model.asked;
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await callForText(connection, "cancelAsked", { id });
  await aborted;
  await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
  await connection.close();
  await call;
});

test("a handler ends with its connection", async () => {
  const model = hangingModel();
  const { connection } = await asker({ sampling: model.sampling });
  const call = failureOf(callTool(connection, "ask", { method: "sampling/createMessage", params: prompt }));
  const signal = await model.asked;
  await connection.close();
  expect(signal.aborted).toBe(true);
  expect(await call).toMatchObject({ code: "CLOSED" });
});

test("what a server logs reaches those who listen", async () => {
  const { connection } = await asker();
  const seen: unknown[] = [];
  connection.onNotification("notifications/message", (params) => seen.push(params));
  const params = { level: "warning", logger: "disk", data: { free: 1 } };
  await callForText(connection, "notify", { method: "notifications/message", params });
  expect(seen).toEqual([params]);
});
