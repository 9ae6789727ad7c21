import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { receivedMessages, waitFor } from "../../../../../tooling/fixture-servers/index.mjs";
import { readMentions } from "../../../src/chat/mentions/read-mentions.ts";
import { createAgentSession } from "../../../src/session/create-agent-session.ts";
import { createScratch } from "../../support/scratch.ts";
import { openScriptedChat } from "../../support/scripted-chat.ts";

const PIXEL = Buffer.from("\u0089PNG\r\n", "latin1").toString("base64");

const resources = [
  { uri: "x://a.md", name: "a", text: "text of a" },
  { uri: "x://odd.", name: "odd", text: "text of odd" },
  { uri: "x://pixel", name: "pixel", mimeType: "image/png", blob: PIXEL },
  { uri: "x://data", name: "data", mimeType: "application/zip", blob: "UEs=" },
];

/** A resource block as a model gets it. */
const textOf = (uri: string, text: string) => ({ type: "resource", resource: { uri, mimeType: "text/plain", text } });

test("a resource that a prompt mentions goes with it, and the text keeps the mention", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ docs: { resources } });
  await using open = await openScriptedChat(scratch);
  expect(await open.enter("what is in @docs:x://a.md, and in (@docs:x://pixel)?")).toEqual([]);
  expect(open.prompts()).toEqual([
    {
      role: "user",
      content: "what is in @docs:x://a.md, and in (@docs:x://pixel)?",
      attachments: [textOf("x://a.md", "text of a"), { type: "image", data: PIXEL, mimeType: "image/png" }],
    },
  ]);
});

test("the longest URI that the server knows is meant, where a sentence may have ended", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ docs: { resources } });
  await using open = await openScriptedChat(scratch);
  await open.enter("see @docs:x://odd. And @docs:x://a.md.");
  expect(open.prompts()[0]?.attachments).toEqual([textOf("x://odd.", "text of odd"), textOf("x://a.md", "text of a")]);
});

test("what is mentioned twice is read once", async () => {
  await using scratch = await createScratch();
  const logFile = scratch.file("log");
  await scratch.userServers({ docs: { resources, logFile } });
  await using open = await openScriptedChat(scratch);
  await open.enter("@docs:x://a.md @docs:x://a.md and (@docs:x://a.md)");
  expect(open.prompts()[0]?.attachments).toHaveLength(1);
  expect(receivedMessages(logFile).filter(({ method }) => method === "resources/read")).toHaveLength(1);
});

test("what is long is cut with a note, and what is binary stays what it is", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ docs: { resources } });
  await using open = await openScriptedChat(scratch);
  await writeFile(join(scratch.project, "long.txt"), "ä".repeat(100_000));
  await open.enter("@long.txt @docs:x://data");
  expect(open.prompts()[0]?.attachments).toEqual([
    textOf(
      pathToFileURL(join(scratch.project, "long.txt")).href,
      `${"ä".repeat(50_000)}\n[Cut: 100000 of 200000 bytes are here]`,
    ),
    { type: "resource", resource: { uri: "x://data", mimeType: "application/zip", blob: "UEs=" } },
  ]);
});

test("a mention that cannot be read is told in one line, and the prompt is not sent", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ docs: { resources }, broken: { exitAt: "start", exitCode: 3 } });
  await using open = await openScriptedChat(scratch);
  const shown = await open.enter("@docs:x://a.md @docs:x://none @broken:x://b");
  expect(shown.join("\n").split("\n")).toEqual([
    expect.stringMatching(/^✗ @docs:x:\/\/none: .*Resource not found: x:\/\/none/),
    expect.stringMatching(/^✗ @broken:x:\/\/b: .*3/),
  ]);
  expect(open.prompts()).toEqual([]);
});

test("a server that still starts is waited for, until the person interrupts", async () => {
  await using scratch = await createScratch();
  const gate = scratch.file("gate");
  const logFile = scratch.file("log");
  await scratch.userServers({ slow: { resources, waitForFile: { initialize: gate }, logFile } });
  const { session } = await createAgentSession({ ...scratch.session, mcp: { uncachedPending: "defer" } });
  try {
    const scope = { cwd: scratch.project, manager: session.mcpManager };
    const interruption = new AbortController();
    const interrupted = readMentions("@slow:x://a.md.", { ...scope, signal: interruption.signal });
    interruption.abort(new DOMException("Interrupted.", "AbortError"));
    await expect(interrupted).rejects.toThrow("Interrupted.");
    const signal = new AbortController().signal;
    expect(await readMentions("@slow:x://a.md", { ...scope, signal, timeoutMs: 1 })).toEqual({
      attachments: [],
      problems: ["✗ @slow:x://a.md: it was not there within 1 ms"],
    });
    const read = readMentions("@slow:x://a.md.", { ...scope, signal });
    await waitFor(() => receivedMessages(logFile).some(({ method }) => method === "initialize"), "the start");
    await writeFile(gate, "");
    expect((await read).attachments).toEqual([textOf("x://a.md", "text of a")]);
  } finally {
    await session.dispose();
  }
});

test("paths within the working directory go with a prompt: texts, images and what a folder lists", async () => {
  await using scratch = await createScratch();
  const { project } = scratch;
  await mkdir(join(project, "src", "ignored"), { recursive: true });
  await writeFile(join(project, "src", ".gitignore"), "ignored\n");
  await writeFile(join(project, "src", "index.ts"), "export {};\n");
  await writeFile(join(project, "my file.md"), "with a blank");
  await writeFile(join(project, "pixel.png"), Buffer.from(PIXEL, "base64"));
  await writeFile(scratch.file("secret.txt"), "outside");
  await symlink(scratch.file("secret.txt"), join(project, "way-out"));
  await using open = await openScriptedChat(scratch);
  const uriOf = (path: string): string => pathToFileURL(join(project, path)).href;
  const line = '@src/index.ts, @"my file.md" @pixel.png @src. @./src/index.ts @way-out @../secret.txt @nothing ada@src';
  expect(await open.enter(line)).toEqual([]);
  expect(open.prompts()[0]).toEqual({
    role: "user",
    content: line,
    attachments: [
      textOf(uriOf("src/index.ts"), "export {};\n"),
      textOf(uriOf("my file.md"), "with a blank"),
      { type: "image", data: PIXEL, mimeType: "image/png" },
      { type: "resource", resource: { uri: uriOf("src"), text: ".gitignore  8\nindex.ts  11" } },
    ],
  });
});

test("a file that is neither text nor an image is told of", async () => {
  await using scratch = await createScratch();
  await writeFile(join(scratch.project, "data.bin"), Buffer.from([0, 1, 2]));
  await using open = await openScriptedChat(scratch);
  expect(await open.enter("see @data.bin.")).toEqual(["✗ @data.bin: it is a binary file of 3 bytes"]);
  expect(open.prompts()).toEqual([]);
});
