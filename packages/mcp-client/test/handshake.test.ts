import { expect, test } from "vitest";

import { connectToServer } from "../src/index.ts";
import { callForText, connect, failureOf, scripted } from "./support/scripted.ts";

async function refusal(script: object) {
  return failureOf(connectToServer("fixture", scripted(script), { compileCacheDirectory: false }));
}

test("an error in answer to initialize is quoted", async () => {
  const error = await refusal({ initializeError: { code: -32000, message: "licence expired" } });
  expect(error).toMatchObject({ code: "HANDSHAKE_FAILED", data: { code: -32000 } });
  expect(error.message).toContain("licence expired");
});

test("an answer that is none is a failed handshake", async () => {
  expect(await refusal({ initializeResult: { hello: "world" } })).toMatchObject({ code: "HANDSHAKE_FAILED" });
});

test("an unknown revision and a refusal of ours are unsupported protocols", async () => {
  const unknown = await refusal({ protocolVersion: "1999-01-01" });
  expect(unknown).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(unknown.message).toContain("1999-01-01");
  const data = { supported: ["2026-07-28"] };
  const refused = await refusal({ initializeError: { code: -32022, message: "Unsupported", data } });
  expect(refused).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(refused.message).toContain("2026-07-28");
});

test("an older revision is spoken", async () => {
  expect(await connect(scripted({ protocolVersion: "2024-11-05" }))).toMatchObject({ protocolVersion: "2024-11-05" });
});

test("a wrong entry starts nothing", async () => {
  const error = await failureOf(connectToServer("odd", { command: "" }));
  expect(error).toMatchObject({ code: "CONFIG_INVALID", server: "odd" });
});

test("roots are declared and answered when given, pings are answered, and unknown requests are refused", async () => {
  const roots = [{ uri: "file:///work" }];
  const connection = await connect(scripted(), {
    roots,
    capabilities: { sampling: {} },
    requestHandlers: {
      "sampling/createMessage": () => ({ model: "m", role: "assistant", content: { type: "text", text: "hi" } }),
    },
  });
  const ask = async (method: string) => JSON.parse(await callForText(connection, "ask", { method })) as object;
  await expect(ask("roots/list")).resolves.toMatchObject({ result: { roots } });
  await expect(ask("ping")).resolves.toMatchObject({ result: {} });
  await expect(ask("sampling/createMessage")).resolves.toMatchObject({ result: { model: "m" } });
  await expect(ask("what/ever")).resolves.toMatchObject({ error: { code: -32601 } });
  const received = JSON.parse(await callForText(connection, "received")) as { params: object }[];
  expect(received[0]?.params).toMatchObject({
    capabilities: { roots: {}, sampling: {} },
    clientInfo: { name: "toolgate" },
  });
});

test("a host that declares nothing has no roots", async () => {
  const connection = await connect(scripted());
  expect(JSON.parse(await callForText(connection, "ask", { method: "roots/list" }))).toMatchObject({
    error: { code: -32601 },
  });
});
