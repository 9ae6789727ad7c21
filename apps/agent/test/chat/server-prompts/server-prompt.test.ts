import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createScratch } from "../../support/scratch.ts";
import { openScriptedChat } from "../../support/scripted-chat.ts";

const message = (role: string, text: string) => ({ role, content: { type: "text", text } });
const resource = { type: "resource", resource: { uri: "x://a", text: "text of a" } };

const prompts = [
  { name: "hello" },
  { name: "greet", arguments: [{ name: "name", description: "Whom", required: true }, { name: "style" }] },
  {
    name: "compare",
    arguments: [
      { name: "left", required: true },
      { name: "right", required: true },
    ],
  },
  {
    name: "review it",
    messages: [message("user", "Review this."), { role: "user", content: resource }, message("user", "Be kind.")],
  },
  {
    name: "example",
    messages: [message("user", "1 + 1?"), message("assistant", "2"), { role: "user", content: resource }],
  },
  { name: "only", messages: [{ role: "user", content: resource }] },
  { name: "nothing", messages: [] },
];

test("a prompt of a server is filled in and becomes the person's turn", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { prompts } });
  await writeFile(join(scratch.project, "notes.md"), "my notes");
  await using open = await openScriptedChat(scratch);
  expect(await open.enter('/one:greet name="Ada Lovelace" style=formal and see @notes.md')).toEqual([
    "▸ one:greet (1 message)",
  ]);
  expect(await open.enter("/one:greet Ada Lovelace")).toEqual(["▸ one:greet (1 message)"]);
  expect(await open.enter("/one:hello")).toEqual(["▸ one:hello (1 message)"]);
  expect(open.prompts()).toEqual([
    {
      role: "user",
      content: 'greet {"name":"Ada Lovelace","style":"formal"}\n\nand see @notes.md',
      attachments: [
        { type: "resource", resource: expect.objectContaining({ mimeType: "text/plain", text: "my notes" }) as object },
      ],
    },
    { role: "user", content: 'greet {"name":"Ada Lovelace"}' },
    { role: "user", content: "hello {}" },
  ]);
});

test("texts of several messages are joined, everything else is attached", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { prompts } });
  await using open = await openScriptedChat(scratch);
  expect(await open.enter("/one:review it")).toEqual(["▸ one:review it (3 messages)"]);
  await open.enter("/one:only");
  expect(open.prompts()).toEqual([
    { role: "user", content: "Review this.\n\nBe kind.", attachments: [resource] },
    { role: "user", content: "The prompt one:only:", attachments: [resource] },
  ]);
});

test("a conversation is quoted in its order", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { prompts } });
  await using open = await openScriptedChat(scratch);
  await open.enter("/one:example");
  const content =
    "The prompt one:example gives this conversation as an example; go on where it ends.\n\n" +
    "User:\n1 + 1?\n\nAssistant:\n2\n\nUser:\n[attachment 1: x://a]";
  expect(open.prompts()).toEqual([{ role: "user", content, attachments: [resource] }]);
});

test("required arguments that are missing are asked for, one after the other", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { prompts } });
  await using open = await openScriptedChat(scratch, ["Ada", "red", "blue", "red", ""]);
  await open.enter("/one:greet");
  await open.enter("/one:compare please");
  expect(await open.enter("/one:compare")).toEqual(["one:compare needs right: /one:compare right=…"]);
  expect(open.questions).toEqual([
    "? one:greet needs a value.\n  │ Whom\n  name: ",
    ...["left", "right", "left", "right"].map((name) => `? one:compare needs a value.\n  ${name}: `),
  ]);
  expect(open.prompts().map(({ content }) => content)).toEqual([
    'greet {"name":"Ada"}',
    'compare {"left":"red","right":"blue"}\n\nplease',
  ]);
});

test("what cannot be carried out is told, with the nearest name, and nothing is sent", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { prompts }, bare: {}, broken: { exitAt: "start", exitCode: 3 } });
  await using open = await openScriptedChat(scratch);
  const tell = async (line: string): Promise<string> => (await open.enter(line)).join("\n");
  expect(await tell("/onne:greet")).toBe("There is no server onne. Did you mean one? Servers: bare, broken, one.");
  expect(await tell("/one:gret name=Ada")).toMatch(/^one has no prompt gret\. Did you mean greet\? It has: hello, /);
  expect(await tell("/one:")).toMatch(/^Which prompt of one\? It has: hello, /);
  expect(await tell("/bare:x")).toBe("bare has no prompt x. It has none.");
  expect(await tell("/broken:x")).toMatch(/broken.*3/);
  expect(await tell("/one:greet")).toBe("one:greet needs name: /one:greet name=…");
  expect(await tell("/one:compare")).toBe("one:compare needs left and right: /one:compare left=… right=…");
  expect(await tell("/one:greet nmae=Ada")).toBe("one:greet: There is no argument nmae. Did you mean name?");
  expect(await tell("/one:nothing")).toBe("one:nothing gave no messages.");
  expect(await tell("/one:hello @one:x://none")).toMatch(/^✗ @one:x:\/\/none: /);
  expect(open.prompts()).toEqual([]);
});
