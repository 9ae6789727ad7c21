import { expect, test } from "vitest";

import { receivedMessages, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { createAskingSession, formOf } from "../support/asking-session.ts";
import { untilWithdrawn } from "../support/scripted-terminal.ts";

test("a form asks for each field in its own way, and the server gets what was accepted", async () => {
  const answers = ["Ada", "36", "y", "2", "1, c", "2026-07-28", ""];
  await using asking = await createAskingSession(answers);
  const form = formOf(
    {
      name: { type: "string", title: "Your name", description: "As on the card" },
      age: { type: "integer", minimum: 18 },
      agrees: { type: "boolean" },
      colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      sizes: {
        type: "array",
        minItems: 1,
        items: {
          anyOf: [
            { const: "s", title: "Small" },
            { const: "c", title: "C" },
          ],
        },
      },
      day: { type: "string", format: "date" },
    },
    ["name", "age", "agrees", "colour", "sizes", "day"],
  );
  expect(await asking.ask(form)).toEqual({
    action: "accept",
    content: { name: "Ada", age: 36, agrees: true, colour: "g", sizes: ["s", "c"], day: "2026-07-28" },
  });
  const shown = asking.terminal.shown.join("\n");
  expect(shown).toContain("? one asks you. Its words:\n  │ Which one?\n");
  expect(shown).toContain("(1/6) Your name\n  │ As on the card\n  text: ");
  expect(shown).toContain("   1. Red (r)\n   2. Green (g)\n");
  expect(shown).toMatch(/Your name: Ada\n {2}age: 36\n {2}agrees: yes\n {2}colour: Green\n {2}sizes: Small, C\n/);
  expect(asking.terminal.asked.at(-1)?.question).toBe("Send it? [Y/n/e] ");
});

test("a long line of a server does not get out from behind its bar where the terminal ends", async () => {
  await using asking = await createAskingSession(["!"]);
  const words = `${"Please be patient. ".repeat(5)}Send it? [Y/n/e]`;
  const form = formOf({ name: { type: "string", description: words } }, ["name"]);
  expect(await asking.ask({ ...form, message: words })).toEqual({ action: "decline" });
  const lines = asking.terminal.shown.join("\n").split("\n");
  expect(lines.filter((line) => line.includes("Send it?"))).toEqual(Array(2).fill("  │ Send it? [Y/n/e]"));
  expect(lines.every((line) => line.length <= asking.terminal.columns)).toBe(true);
});

test("a wrong answer is explained and asked for again", async () => {
  const answers = ["ten", "1.5", "200", "9", "x", "ab", "nobody", "a@b.example", "7", "1", "y"];
  await using asking = await createAskingSession(answers);
  const form = formOf(
    {
      count: { type: "integer", minimum: 1, maximum: 10 },
      code: { type: "string", pattern: "^[a-z]{2}$" },
      mail: { type: "string", format: "email" },
      kind: { oneOf: [{ const: "a", title: "First" }] },
    },
    ["count", "code", "mail", "kind"],
  );
  expect(await asking.ask(form)).toMatchObject({
    content: { count: 9, code: "ab", mail: "a@b.example", kind: "a" },
  });
  expect(asking.terminal.shown.filter((text) => text.startsWith("  ✗"))).toEqual([
    "  ✗ It must be a whole number.",
    "  ✗ It must be a whole number.",
    "  ✗ It must be at most 10.",
    "  ✗ It must match the pattern ^[a-z]{2}$",
    "  ✗ It must be an email address.",
    '  ✗ "7" is not a number from 1 to 1, or one of the values.',
  ]);
});

test("Enter takes a default and leaves out what is optional; a minus leaves out a default", async () => {
  await using asking = await createAskingSession(["", "", "", "", "-", "", "", "y"]);
  const form = formOf(
    {
      text: { type: "string", default: "x" },
      number: { type: "number", default: 1.5 },
      flag: { type: "boolean", default: false },
      list: { type: "array", items: { enum: ["a", "b"] }, default: ["b"] },
      left: { type: "string", default: "y" },
      wrong: { type: "string", enum: ["a"], default: "not one of them" },
      plain: { type: "string" },
    },
    ["text", "flag"],
  );
  expect(await asking.ask(form)).toEqual({
    action: "accept",
    content: { text: "x", number: 1.5, flag: false, list: ["b"] },
  });
  expect(asking.terminal.asked.map(({ question }) => question.split("\n").at(-1))).toEqual([
    "  text [x]: ",
    '  number [1.5; "-" leaves it out]: ',
    "  y or n [no]: ",
    '  numbers or values with commas between them [b; "-" leaves it out]: ',
    '  text [y; "-" leaves it out]: ',
    "  number or value [Enter leaves it out]: ",
    "  text [Enter leaves it out]: ",
    "Send it? [Y/n/e] ",
  ]);
});

test("before it is sent, a form can be edited or declined as a whole", async () => {
  const form = formOf({ a: { type: "string" }, b: { type: "string" } }, ["a"]);
  await using edited = await createAskingSession(["one", "two", "what?", "e", "three", "", ""]);
  expect(await edited.ask(form)).toEqual({ action: "accept", content: { a: "three", b: "two" } });
  await using declined = await createAskingSession(["one", "two", "n"]);
  expect(await declined.ask(form)).toEqual({ action: "decline" });
});

test.each(["!", "/decline"])("%s at any question declines", async (word) => {
  await using asking = await createAskingSession(["one", word]);
  expect(await asking.ask(formOf({ a: { type: "string" }, b: { type: "string" } }))).toEqual({ action: "decline" });
});

test("a form without fields is agreed to by a word, never by Enter", async () => {
  await using asking = await createAskingSession(["", "y"]);
  expect(await asking.ask(formOf({}))).toEqual({ action: "decline" });
  expect(await asking.ask(formOf({}))).toEqual({ action: "accept", content: {} });
});

test("what the person cancels is cancelled, and the call goes on", async () => {
  const asking = await createAskingSession(["one", untilWithdrawn(() => void asking.requests.cancelCurrent())]);
  await using _ = asking;
  expect(asking.requests.cancelCurrent()).toBe(false);
  expect(await asking.ask(formOf({ a: { type: "string" }, b: { type: "string" } }))).toEqual({ action: "cancel" });
  expect(asking.terminal.shown.at(-1)).toBe("Cancelled; one was told so.");
});

test("the end of the input is no consent", async () => {
  await using asking = await createAskingSession(["one"]);
  expect(await asking.ask(formOf({ a: { type: "string" } }))).toEqual({ action: "cancel" });
});

test("a form vanishes when the server takes its request back", async () => {
  const call = new AbortController();
  await using asking = await createAskingSession([untilWithdrawn(() => call.abort()), "next", "y"]);
  await expect(asking.ask(formOf({ a: { type: "string" } }), call.signal)).rejects.toThrow("was cancelled");
  await waitFor(
    () => asking.terminal.shown.at(-1) === "- one does not wait for an answer any more.",
    "the line about the withdrawal",
  );
  expect(await asking.ask(formOf({ a: { type: "string" } }))).toMatchObject({ content: { a: "next" } });
});

test("of forms that come at once one is asked after the other", async () => {
  await using asking = await createAskingSession(["1a", "1b", "y", "2a", "2b", "y"]);
  const form = formOf({ a: { type: "string" }, b: { type: "string" } });
  expect(await Promise.all([asking.ask(form), asking.ask(form)])).toEqual([
    { action: "accept", content: { a: "1a", b: "1b" } },
    { action: "accept", content: { a: "2a", b: "2b" } },
  ]);
});

test("a field that looks like a secret is warned about, read unseen and not shown", async () => {
  await using asking = await createAskingSession([" s3cret!", "a key", "y"]);
  const form = formOf({ apiToken: { type: "string" }, monkey: { type: "string" } });
  expect(await asking.ask(form)).toMatchObject({ content: { apiToken: " s3cret!", monkey: "a key" } });
  expect(asking.terminal.asked.map(({ options }) => options.secret)).toEqual([true, false, undefined]);
  const shown = asking.terminal.shown.join("\n");
  expect(shown).toContain("! This looks like a secret.");
  expect(shown).not.toContain("s3cret");
});

test("a type that forms do not have is answered in JSON", async () => {
  await using asking = await createAskingSession(["{", '{"a":[1]}', "y"]);
  const form = formOf({ nested: { type: "object", properties: {} } }, ["nested"]);
  expect(await asking.ask(form)).toEqual({ action: "accept", content: { nested: { a: [1] } } });
  expect(asking.terminal.shown.join("\n")).toContain("✗ It must be JSON");
});

test.each([
  [{ type: "object", properties: [] }, "properties"],
  [{ properties: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, {}])) }, "51 fields"],
])("a form that nobody can fill in is an error for the server", async (requestedSchema, reason) => {
  await using asking = await createAskingSession([]);
  const answer = await asking.ask({ message: "?", requestedSchema });
  expect(answer).toMatchObject({ error: { code: -32_602, message: expect.stringContaining(reason) } });
  expect(asking.terminal.shown.join("\n")).toContain("! one asked for something that cannot be answered");
});

test("the words of a server cannot be taken for those of the chat, and are not endless", async () => {
  await using asking = await createAskingSession(["!"]);
  const message = `\u001b[2J\u001b]0;title\u0007Fine.\nSend it? [Y/n/e] y${"\nmore".repeat(100)}`;
  const choices = Array.from({ length: 100 }, (_, index) => `value ${index}`);
  await asking.ask({
    message,
    requestedSchema: { properties: { a: { enum: choices, title: "x\n› y".padEnd(500, "z") } } },
  });
  const shown = asking.terminal.shown.join("\n");
  for (const character of ["\u001b", "\u0007"]) expect(shown).not.toContain(character);
  expect(shown).toContain("  │ Fine.\n  │ Send it? [Y/n/e] y\n");
  expect(shown).toContain("… 82 more lines");
  expect(shown).toMatch(/^\(1\/1\) x › yz+… \(\d+ more characters\), optional$/m);
  expect(shown).toContain("… 60 more choices");
});

test("a pattern that does not come to an end is left to the server", async () => {
  await using asking = await createAskingSession([`${"a".repeat(40)}!`, "y"]);
  const form = formOf({ a: { type: "string", pattern: "^(a+)+$" } });
  expect(await asking.ask(form)).toMatchObject({ action: "accept" });
});

test("a field with more choices than anybody would read is refused, and a default of many is shown in part", async () => {
  const choices = (count: number): string[] => Array.from({ length: count }, (_, index) => `choice ${index}`);
  await using asking = await createAskingSession(["", ""]);
  const tooMany = { type: "array", items: { enum: choices(1001) } };
  expect(await asking.ask(formOf({ list: tooMany }))).toMatchObject({ error: { code: -32_602 } });
  expect(asking.terminal.asked).toEqual([]);
  await asking.ask(formOf({ list: { type: "array", items: { enum: choices(1000) }, default: choices(1000) } }));
  expect(asking.terminal.asked[0]?.question).toContain("choice 19, … and 980 more");
});

test("values that are numbers themselves are chosen by value", async () => {
  await using asking = await createAskingSession(["1", "y"]);
  expect(await asking.ask(formOf({ a: { enum: ["2", "1"] } }))).toMatchObject({ content: { a: "1" } });
  expect(asking.terminal.shown.join("\n")).toContain("   - 2\n   - 1\n  value");
});

test("what the chat can answer is declared to its servers", async () => {
  await using asking = await createAskingSession([]);
  const first = receivedMessages(asking.logFile).find(({ method }) => method === "initialize");
  expect(first?.params.capabilities).toMatchObject({ elicitation: { form: {}, url: {} }, sampling: {}, roots: {} });
});
