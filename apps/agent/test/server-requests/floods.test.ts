import { getEventListeners } from "node:events";

import { expect, test } from "vitest";

import { createServerRequestHandlers } from "../../src/server-requests/create-server-request-handlers.ts";
import { plainStyle } from "../../src/terminal/style.ts";
import type { ScriptedAnswer } from "../support/scripted-terminal.ts";
import { createScriptedTerminal, untilWithdrawn } from "../support/scripted-terminal.ts";

const page = { mode: "url", message: "Open it.", url: "https://example.com/", elicitationId: "1" } as const;

function createRequests(answers: readonly ScriptedAnswer[], openPage: () => Promise<void> = () => Promise.resolve()) {
  const terminal = createScriptedTerminal({ answers });
  const requests = createServerRequestHandlers({
    terminal,
    hasEnded: () => terminal.hasEnded(),
    model: () => undefined,
    style: plainStyle,
    openPage,
  });
  const ask = async (signal: AbortSignal, server = "one"): Promise<unknown> =>
    requests.handlers.elicitation.url?.(page, { server, signal });
  return { terminal, requests, ask };
}

test("of a thousand requests at once most are refused without a line on the screen", async () => {
  let isAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const { terminal, requests, ask } = createRequests([
    untilWithdrawn(() => isAsked()),
    ...Array.from({ length: 15 }, () => "n"),
  ]);
  const { signal } = new AbortController();
  const outcomes = Promise.allSettled(Array.from({ length: 1000 }, () => ask(signal)));
  await asked;
  expect(terminal.asked).toHaveLength(1);
  expect(requests.cancelCurrent()).toBe(true);
  const answers = await outcomes;
  expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(1000 - 16);
  expect(terminal.asked).toHaveLength(16);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("requests that are taken back while they wait make room for others at once", async () => {
  let isAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const { requests, ask } = createRequests([untilWithdrawn(() => isAsked()), "n"]);
  const first = ask(new AbortController().signal);
  await asked;
  const flood = new AbortController();
  const waiting = Array.from({ length: 15 }, () => ask(flood.signal));
  flood.abort(new Error("taken back"));
  const taken = await Promise.allSettled(waiting);
  expect(taken.every(({ status }) => status === "rejected")).toBe(true);
  const other = ask(new AbortController().signal, "two");
  expect(requests.cancelCurrent()).toBe(true);
  expect(await first).toEqual({ action: "cancel" });
  expect(await other).toEqual({ action: "decline" });
});

test("a request that does not end when it is cancelled keeps neither the person nor other requests", async () => {
  let isOpening: () => void = () => {};
  const opening = new Promise<void>((resolve) => (isOpening = resolve));
  const hang = (): Promise<void> => {
    isOpening();
    return new Promise(() => {});
  };
  const { requests, ask } = createRequests(["y", "n"], hang);
  const first = ask(new AbortController().signal);
  await opening;
  expect(requests.cancelCurrent()).toBe(true);
  expect(await first).toEqual({ action: "cancel" });
  expect(await ask(new AbortController().signal)).toEqual({ action: "decline" });
  expect(requests.cancelCurrent()).toBe(false);
});
