import { join } from "node:path";

import type { MCPServerConfig, ProtocolEra } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { eraServer, loggedMethods } from "../../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { connectToServer, listTools } from "../../src/index.ts";
import { serveEras } from "../support/eras.ts";
import { callForText, connect, failureOf, scripted, temporaryDirectory } from "../support/scripted.ts";

/** One server in both transports, with what it has been asked. */
interface Subject {
  config: MCPServerConfig;
  methods: () => string[];
}

const transports = ["stdio", "http"] as const;

async function subject(transport: (typeof transports)[number], legacy: "serve" | "reject"): Promise<Subject> {
  if (transport === "http") return serveEras({ legacy });
  const logFile = join(await temporaryDirectory(), "methods.log");
  return { config: eraServer({ legacy, logFile }), methods: () => loggedMethods(logFile) };
}

const refusal = (config: MCPServerConfig, era?: ProtocolEra) =>
  failureOf(
    connectToServer("fixture", config, { compileCacheDirectory: false, ...(era === undefined ? {} : { era }) }),
  );

for (const transport of transports) {
  test(verifies("X04", `a modern-only server (${transport}) is served after it refused to initialize`), async () => {
    const { config, methods } = await subject(transport, "reject");
    const connection = await connect(config);
    expect(connection).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      serverInfo: { name: "era-fixture", version: "2.0.0" },
      instructions: "Ask for a colour.",
      capabilities: { tools: { listChanged: true } },
    });
    expect(methods()).toEqual(["initialize", "server/discover"]);
    await expect(callForText(connection, "echo", { text: "hello" })).resolves.toBe("hello");
  });

  test(verifies("X04", `a server of both eras (${transport}) stays in the era that comes first`), async () => {
    const legacy = await subject(transport, "serve");
    const connection = await connect(legacy.config);
    expect(connection).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
    await expect(callForText(connection, "echo", { text: "hello" })).resolves.toBe("hello");
    expect(legacy.methods()).not.toContain("server/discover");

    const modern = await subject(transport, "serve");
    await expect(connect(modern.config, { era: "modern" })).resolves.toMatchObject({ era: "modern" });
    expect(modern.methods()).not.toContain("initialize");
  });

  test(
    verifies("X04", `a remembered era that is still right (${transport}) costs no attempt in the other one`),
    async () => {
      const { config, methods } = await subject(transport, "reject");
      const connection = await connect(config, { era: Promise.resolve("modern" as const) });
      await listTools(connection);
      expect(methods()).toEqual(["server/discover", "tools/list", "tools/list"]);
    },
  );

  test(`a remembered legacy era of a server that is modern by now (${transport}) is given up`, async () => {
    const { config } = await subject(transport, "reject");
    await expect(connect(config, { era: "legacy" })).resolves.toMatchObject({ era: "modern" });
  });

  test(`an entry's own era (${transport}) is never left`, async () => {
    const { config, methods } = await subject(transport, "reject");
    const error = await refusal({ ...config, protocol: "legacy" }, "modern");
    expect(error).toMatchObject({ code: "PROTOCOL_UNSUPPORTED", data: { supported: ["2026-07-28"] } });
    expect(error.message).toContain("2026-07-28");
    expect(error.message).toContain('"protocol": "legacy"');
    expect(methods()).toEqual(["initialize"]);
    await expect(connect({ ...config, protocol: "modern" }, { era: "legacy" })).resolves.toMatchObject({
      era: "modern",
    });
  });
}

test(verifies("X04", "the era changes over the same process"), async () => {
  const pids: number[] = [];
  const connection = await connect(eraServer({ legacy: "reject" }), { onSpawn: (pid) => pids.push(pid) });
  expect(pids).toEqual([connection.pid]);
  await expect(callForText(connection, "pid")).resolves.toBe(String(connection.pid));
});

test("a remembered modern era of an older server is given up over the same process", async () => {
  const pids: number[] = [];
  const connection = await connect(scripted(), { era: "modern", onSpawn: (pid) => pids.push(pid) });
  expect(connection).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
  expect(pids).toEqual([connection.pid]);
  await expect(callForText(connection, "pid")).resolves.toBe(String(connection.pid));
});

test("an older server whose entry asks for the modern era is refused with what it answered", async () => {
  const error = await refusal(scripted({}, { protocol: "modern" }));
  expect(error).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(error.message).toContain("-32601");
  expect(error.message).toContain('"protocol": "modern"');
  expect(await refusal({ type: "sse", url: "http://127.0.0.1:9/sse", protocol: "modern" })).toMatchObject({
    code: "PROTOCOL_UNSUPPORTED",
  });
});

test("a server that ends at a method it does not know is started anew, once", async () => {
  const pids: number[] = [];
  const connection = await connect(scripted({ exitAtUnknown: 1 }), { era: "modern", onSpawn: (pid) => pids.push(pid) });
  expect(connection.era).toBe("legacy");
  expect(pids).toHaveLength(2);
  expect(pids[1]).toBe(connection.pid);
});

test("an older server that says nothing to a method it does not know is asked again by initialize", async () => {
  const connection = await connect(scripted({ ignoreUnknown: true }, { startupTimeout: 4000 }), { era: "modern" });
  expect(connection.era).toBe("legacy");
});

test.each([
  { code: -32601, message: "Method not found" },
  { code: -32602, message: "params._meta is required" },
  { code: -32022, message: "Unsupported protocol version" },
])("a refusal in the form $code is an occasion to try the other era", async (initializeError) => {
  const connection = await connect(scripted({ initializeError, discover: { supportedVersions: ["2026-07-28"] } }));
  expect(connection.era).toBe("modern");
});

test("an answer with the modern revision is one too", async () => {
  const script = { protocolVersion: "2026-07-28", discover: { supportedVersions: ["2026-07-28"], capabilities: {} } };
  await expect(connect(scripted(script))).resolves.toMatchObject({ era: "modern" });
});

test("a server of neither era is refused with the revisions that it names", async () => {
  const initializeError = { code: -32022, message: "no", data: { supported: ["2027-01-01", "2026-07-28"] } };
  const discover = { supportedVersions: ["2027-01-01"] };
  const error = await refusal(scripted({ initializeError, discover }));
  expect(error).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(error.message).toContain("2027-01-01");
});

test("of two refusals, the one of initialize is told; a failure of the right era is told as it is", async () => {
  const initializeError = { code: -32602, message: "Unsupported protocol version" };
  const refused = await refusal(scripted({ initializeError }));
  expect(refused).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(refused.message).toContain("-32602: Unsupported protocol version");

  const modernOnly = { code: -32022, message: "no", data: { supported: ["2026-07-28"] } };
  const discoverError = { code: -32603, message: "the database is down" };
  const broken = await refusal(scripted({ initializeError: modernOnly, discoverError }));
  expect(broken).toMatchObject({ code: "HANDSHAKE_FAILED", data: { code: -32603 } });
  expect(broken.message).toContain("the database is down");
});

test.each(["9999-99-99", 7, "", null, ["2025-11-25"]])(
  "the revision %j is refused by name",
  async (protocolVersion) => {
    const initializeResult = { protocolVersion, capabilities: {}, serverInfo: { name: "odd", version: "1" } };
    const error = await refusal(scripted({ initializeResult }));
    expect(error).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
    expect(error.message).toContain(JSON.stringify(protocolVersion));
    expect(error.message).toContain("2025-11-25");
  },
);

test.each(["2025-06-18", "2025-03-26", "2024-11-05"])("revision %s is spoken", async (protocolVersion) => {
  await expect(connect(scripted({ protocolVersion }))).resolves.toMatchObject({ era: "legacy", protocolVersion });
});

test("a failure that has nothing to do with the era is told as it is", async () => {
  const initializeError = { code: -32000, message: "licence expired" };
  expect(await refusal(scripted({ initializeError }), "modern")).toMatchObject({ code: "HANDSHAKE_FAILED" });
  expect(await refusal(scripted({ exitAtStart: 4 }), "modern")).toMatchObject({
    code: "SERVER_EXITED",
    data: { exitCode: 4 },
  });
  expect(
    await refusal(scripted({ silent: true, ignoreUnknown: true }, { startupTimeout: 1500 }), "modern"),
  ).toMatchObject({
    code: "CONNECT_TIMEOUT",
  });
});

test("connecting in the modern era can be given up", async () => {
  const giveUp = new AbortController();
  const config = scripted({ silent: true, ignoreUnknown: true }, { protocol: "modern" });
  const connecting = connectToServer("fixture", config, {
    compileCacheDirectory: false,
    signal: giveUp.signal,
    onSpawn: () => giveUp.abort(new Error("enough")),
  });
  await expect(connecting).rejects.toMatchObject({ name: "AbortError" });
});
