import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import type { ChosenModel, ModelChoice } from "../../src/model/choose-model.ts";
import { chooseModel } from "../../src/model/choose-model.ts";

/** Addresses at which nothing listens, so that what runs on this machine has no say. */
const nobody = { ollama: "http://127.0.0.1:9", lmstudio: "http://127.0.0.1:9" };

function choose(choice: Partial<ModelChoice>): Promise<ChosenModel> {
  return chooseModel({ env: {}, setting: { baseUrls: nobody }, signal: new AbortController().signal, ...choice });
}

async function idOf(choice: Partial<ModelChoice>): Promise<string> {
  return (await choose(choice)).model.id;
}

async function serve(routes: Record<string, (body: string) => object | undefined>): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const answer = routes[request.url ?? ""]?.(body);
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? { error: "not found" }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("what is named wins: the option, then the setting, then the variable", async () => {
  const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", TOOLGATE_MODEL: "openai/c" };
  expect(await idOf({ named: "openai/a", setting: "openai/b", env })).toBe("openai/a");
  expect(await idOf({ setting: "openai/b", env })).toBe("openai/b");
  expect(await idOf({ setting: { name: "openai/b" }, env })).toBe("openai/b");
  expect(await choose({ env })).toMatchObject({ model: { id: "openai/c" }, reason: "TOOLGATE_MODEL" });
  expect(await idOf({ named: "ollama/library/qwen:7b", env })).toBe("ollama/library/qwen:7b");
  expect(await choose({ named: "offline", env })).toMatchObject({ isOffline: true, reason: "--model" });
});

test("a key in the environment chooses its provider's default model", async () => {
  expect(await choose({ env: { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" } })).toMatchObject({
    model: { id: "anthropic/claude-sonnet-5-5" },
    reason: "ANTHROPIC_API_KEY",
  });
  expect(await idOf({ env: { ANTHROPIC_API_KEY: " ", OPENAI_API_KEY: "k" } })).toBe("openai/gpt-6.1-sol");
  expect(await idOf({ env: { GEMINI_API_KEY: "k" } })).toBe("google/gemini-4-argon");
  expect(await idOf({ env: { GOOGLE_GENERATIVE_AI_API_KEY: "k" } })).toBe("google/gemini-4-argon");
  expect(await idOf({ named: "openai", env: { OPENAI_API_KEY: "k" } })).toBe("openai/gpt-6.1-sol");
});

test("without anything it is the one that picks tools by words, and says so", async () => {
  expect(await choose({})).toMatchObject({
    model: { id: "offline (no model: picks tools by words)" },
    isOffline: true,
    reason: expect.stringContaining("no key"),
  });
});

test("a model that cannot be used is refused with what is missing", async () => {
  await expect(choose({ named: "gpt" })).rejects.toThrow(/--model names the model "gpt".*anthropic, openai, google/);
  await expect(choose({ env: { TOOLGATE_MODEL: "x/y" } })).rejects.toThrow(/^TOOLGATE_MODEL names/);
  await expect(choose({ named: "anthropic/claude" })).rejects.toThrow("set ANTHROPIC_API_KEY");
  await expect(choose({ named: "ollama" })).rejects.toThrow("ollama/NAME");
  await expect(choose({ named: "openai-compatible/x" })).rejects.toThrow("OPENAI_COMPATIBLE_BASE_URL");
  const setting = { baseUrls: { openai: "file:///etc/passwd" } };
  await expect(choose({ named: "openai/x", setting, env: { OPENAI_API_KEY: "k" } })).rejects.toThrow(
    "no http or https",
  );
});

test("of Ollama's models the first that claims to call tools is taken", async () => {
  const abilities: Record<string, object> = {
    embed: { capabilities: ["embedding"] },
    small: { capabilities: ["completion"] },
    "qwen:7b": { capabilities: ["completion", "tools"] },
  };
  const url = await serve({
    "/api/tags": () => ({ models: Object.keys(abilities).map((name) => ({ name })) }),
    "/api/show": (body) => abilities[(JSON.parse(body) as { model: string }).model],
  });
  const found = await choose({
    env: { OLLAMA_HOST: url.replace("http://", "") },
    setting: { baseUrls: { lmstudio: nobody.lmstudio } },
  });
  expect(found).toMatchObject({ model: { id: "ollama/qwen:7b" }, reason: `found at ${url}/v1` });
  delete abilities["qwen:7b"];
  expect(await choose({ setting: { baseUrls: { ...nobody, ollama: url } } })).toMatchObject({ isOffline: true });
  // An older one says nothing about abilities.
  abilities["old"] = {};
  expect(await idOf({ setting: { baseUrls: { ...nobody, ollama: `${url}/v1/` } } })).toBe("ollama/old");
});

test("LM Studio is asked for what it can do, or just for its models", async () => {
  const url = await serve({
    "/api/v0/models": () => ({
      data: [
        { id: "embed", type: "embeddings" },
        { id: "chat", type: "llm", capabilities: [] },
        { id: "agent", type: "llm", capabilities: ["tool_use"] },
      ],
    }),
  });
  expect(await idOf({ setting: { baseUrls: { ...nobody, lmstudio: url } } })).toBe("lmstudio/agent");
  const old = await serve({ "/v1/models": () => ({ data: [{ id: "first" }, { id: "second" }] }) });
  expect(await idOf({ setting: { baseUrls: { ...nobody, lmstudio: old } } })).toBe("lmstudio/first");
});

test("something else at the port of a local model is no model", async () => {
  const url = await serve({ "/api/tags": () => ({ hello: "there" }), "/v1/models": () => ({ data: "none" }) });
  expect(await choose({ setting: { baseUrls: { ollama: url, lmstudio: url } } })).toMatchObject({ isOffline: true });
});

test("a port that is open and silent does not keep the choice waiting", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => {
    silent.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await choose({ setting: { baseUrls: { ollama: url, lmstudio: url } } })).toMatchObject({ isOffline: true });
  const controller = new AbortController();
  const choosing = choose({ setting: { baseUrls: { ollama: url, lmstudio: url } }, signal: controller.signal });
  silent.once("request", () => controller.abort());
  await expect(choosing).rejects.toMatchObject({ name: "AbortError" });
});
