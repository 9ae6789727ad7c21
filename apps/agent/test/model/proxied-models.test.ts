import { expect, test } from "vitest";

import { startModelBench } from "../support/model-bench.ts";
import type { ModelStep } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { collect } from "../support/scripted-model.ts";

const done: ModelStep = { answer: { text: ["Done."] } };
const paths = {
  anthropic: "/v1/messages",
  openai: "/responses",
  google: "/v1beta/models/stand-in:streamGenerateContent?alt=sse",
  "openai-compatible": "/chat/completions",
};
const names = ["anthropic", "openai", "google", "openai-compatible"] as const;

/** A model at an address that only a proxy can find. */
const far = (wire: (typeof names)[number]): object => ({ baseUrls: { [wire]: "http://model.test" } });

test.each(names)("%s: a request takes the proxy that the environment names", async (wire) => {
  // What it is asked for as a proxy, it answers as the provider.
  await using proxy = await startModelServer(wire, [done]);
  const env = { HTTP_PROXY: proxy.url.replace("http://", "http://ada:proxy-secret@") };
  await using bench = await startModelBench(wire, [done], { setting: far(wire), env });
  const events = await collect(bench.session.prompt("go"));
  expect(events).toMatchObject([{ type: "text", text: "Done." }, { type: "usage" }, { type: "done" }]);
  const [request] = proxy.requests;
  expect(request?.path).toBe(`http://model.test${paths[wire]}`);
  expect(request?.headers["proxy-authorization"]).toMatch(/^Basic /);
  expect(bench.server.requests).toEqual([]);
});

test("a model on this machine is asked without the proxy", async () => {
  await using proxy = await startModelServer("openai-compatible", [done]);
  await using bench = await startModelBench("openai-compatible", [done], { env: { http_proxy: proxy.url } });
  expect((await collect(bench.session.prompt("go"))).at(-1)).toMatchObject({ type: "done" });
  expect(proxy.requests).toEqual([]);
});

test("a proxy that is down or refuses is named with its variable, without its credentials", async () => {
  const proxy = await startModelServer("openai", [{ status: 407 }]);
  const env = { http_proxy: proxy.url.replace("http://", "http://ada:proxy-secret@") };
  await using bench = await startModelBench("openai", [done], { setting: far("openai"), env });
  const start = `OpenAI cannot be reached at http://model.test by the proxy ${proxy.url} (http_proxy): `;
  const failure = (reason: string): object => ({
    type: "error",
    message: expect.stringMatching(new RegExp(`${start.replaceAll(/[()]/g, "\\$&")}.*${reason}`)),
  });
  expect((await collect(bench.session.prompt("go"))).at(-1)).toEqual(failure("407"));
  await proxy[Symbol.asyncDispose]();
  expect((await collect(bench.session.prompt("go"))).at(-1)).toEqual(failure("ECONNREFUSED"));
  expect(bench.delays).toEqual([1000, 2000, 4000]);
});

test("a variable that names no proxy is told with the variable", async () => {
  const env = { http_proxy: "socks5://ada:proxy-secret@far:1" };
  await using bench = await startModelBench("openai", [done], { setting: far("openai"), env });
  const [event] = await collect(bench.session.prompt("go"));
  expect(event).toMatchObject({ type: "error", message: expect.stringContaining("the proxy that http_proxy names") });
  expect(JSON.stringify(event)).not.toContain("proxy-secret");
});
