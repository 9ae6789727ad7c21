import { expect, test } from "vitest";

import { createAskingSession } from "../support/asking-session.ts";
import { untilWithdrawn } from "../support/scripted-terminal.ts";

const page = (url: string): object => ({ mode: "url", message: "Sign in there.", url, elicitationId: "1" });

test("a page is shown with its whole address, and opened after a yes", async () => {
  await using asking = await createAskingSession(["y"]);
  expect(await asking.ask(page("https://id.example.com/a?b=c"))).toEqual({ action: "accept" });
  expect(asking.opened).toEqual(["https://id.example.com/a?b=c"]);
  const shown = asking.terminal.shown.join("\n");
  expect(shown).toContain("? one wants you to open a page. Its words:\n  │ Sign in there.\n");
  expect(shown).toContain("  Address: https://id.example.com/a?b=c\n  Host:    id.example.com\n");
  expect(shown).not.toContain("  ! ");
});

test.each([
  ["", "decline"],
  ["n", "decline"],
  ["!", "decline"],
])("the answer %j opens nothing", async (answer, action) => {
  await using asking = await createAskingSession([answer]);
  expect(await asking.ask(page("https://example.com/"))).toEqual({ action });
  expect(asking.opened).toEqual([]);
});

test("a question about a page can be cancelled, and the end of the input cancels it too", async () => {
  const asking = await createAskingSession([untilWithdrawn(() => void asking.requests.cancelCurrent())]);
  await using _ = asking;
  expect(await asking.ask(page("https://example.com/"))).toEqual({ action: "cancel" });
  expect(await asking.ask(page("https://example.com/"))).toEqual({ action: "cancel" });
  expect(asking.opened).toEqual([]);
});

test("what is odd about an address is said", async () => {
  await using asking = await createAskingSession(["n", "n", "n"]);
  await asking.ask(page("https://bank.example@evil.example/"));
  await asking.ask(page("https://аpple.example/"));
  await asking.ask(page("http://example.com/"));
  const shown = asking.terminal.shown.join("\n");
  expect(shown).toContain("Host:    evil.example\n  ! What stands before the @ is no host.");
  expect(shown).toMatch(/Host: {4}xn--pple-\S*\.example\n {2}! The host's name has letters beyond a to z/);
  expect(shown).toContain("Host:    example.com\n  ! The connection is not encrypted.");
});

test.each(["javascript:alert(1)", "file:///etc/passwd", "https://", `https://example.com/${"a".repeat(4000)}`])(
  "%.30s is not asked about",
  async (url) => {
    await using asking = await createAskingSession([]);
    expect(await asking.ask(page(url))).toMatchObject({ error: { code: -32_602 } });
    expect(asking.terminal.asked).toEqual([]);
  },
);
