import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { receivedMessages } from "../../../../../tooling/fixture-servers/index.mjs";
import { completeInput } from "../../../src/chat/completion/complete-input.ts";
import type { CompletionSource } from "../../../src/chat/completion/complete-input.ts";
import { ServerOffers } from "../../../src/chat/completion/server-offers.ts";
import { createAgentSession } from "../../../src/session/create-agent-session.ts";
import type { Scratch } from "../../support/scratch.ts";
import { createScratch } from "../../support/scratch.ts";

const full = {
  resources: [
    { uri: "x://alpha", name: "alpha" },
    { uri: "x://alps", name: "alps" },
    { uri: "x://a blank", name: "blank" },
    { uri: "x://\u001b[31mred", name: "escape" },
  ],
  resourceTemplates: [
    { uriTemplate: "notes://{topic}/{page}", name: "notes" },
    { uriTemplate: "alone://here", name: "alone" },
  ],
  prompts: [{ name: "greet", arguments: [{ name: "name", required: true }, { name: "style" }] }, { name: "review it" }],
  completions: { name: ["Ada", "Ada Lovelace", "Grace"], topic: ["ada", "a b"], page: ["1", "2"] },
};

/** What is completed from the live servers of a scratch project. */
async function openSource(scratch: Scratch, timeoutMs?: number) {
  const { session, mcpManager } = await createAgentSession(scratch.session);
  if (mcpManager === undefined) throw new Error("the session has no manager");
  const source: CompletionSource = {
    cwd: scratch.project,
    commands: ["/help", "/mcp"],
    mcpCommands: [],
    clients: [],
    servers: () => mcpManager.describeServers().map(({ name }) => name),
    tools: () => [],
    offers: new ServerOffers(mcpManager, timeoutMs),
  };
  return {
    mcpManager,
    complete: (line: string) => completeInput(line, source),
    [Symbol.asyncDispose]: () => session.dispose(),
  };
}

test("mentions are completed: servers that have resources, URIs, templates and the values of their variables", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: full, "one more": { resources: [] }, tools: {} });
  await using open = await openSource(scratch);
  expect(await open.complete("see (@on")).toEqual([["@one:", "@one more:"], "@on"]);
  expect(await open.complete("@one m")).toEqual([["@one more:"], "@one m"]);
  expect(await open.complete("@to")).toEqual([[], "@to"]);
  expect(await open.complete("see @one:x://al")).toEqual([["@one:x://alpha ", "@one:x://alps "], "@one:x://al"]);
  expect(await open.complete("@one:x://a ")).toEqual([[], "@one:x://a "]);
  // Whatever a server lists, nothing of it moves the cursor.
  expect((await open.complete("@one:x"))[0]).toEqual(["@one:x://alpha ", "@one:x://alps ", '@"one:x://a blank" ']);
  expect((await open.complete("@one:n"))[0]).toEqual(["@one:notes://"]);
  expect((await open.complete("@one:al"))[0]).toEqual(["@one:alone://here "]);
  expect((await open.complete("@one:notes://a"))[0]).toEqual(["@one:notes://ada/", "@one:notes://a%20b/"]);
  expect((await open.complete("@one:notes://ada/"))[0]).toEqual(["@one:notes://ada/1 ", "@one:notes://ada/2 "]);
  expect(await open.complete("mail ada@one:x")).toEqual([[], "mail ada@one:x"]);
});

test("prompts of servers are completed: their names, arguments and values", async () => {
  await using scratch = await createScratch();
  const logFile = scratch.file("log");
  await scratch.userServers({ one: { ...full, logFile }, tools: {} });
  await using open = await openSource(scratch);
  expect(await open.complete("/")).toEqual([["/help ", "/mcp ", "/one:"], "/"]);
  expect(await open.complete("/one:")).toEqual([["/one:greet ", "/one:review it "], "/one:"]);
  expect(await open.complete("/one:g")).toEqual([["/one:greet "], "/one:g"]);
  expect(await open.complete("/one:review i")).toEqual([["/one:review it "], "/one:review i"]);
  expect(await open.complete("/one:greet ")).toEqual([["name=", "style="], ""]);
  expect(await open.complete("/one:greet name=A")).toEqual([["name=Ada ", 'name="Ada Lovelace" '], "name=A"]);
  expect(await open.complete('/one:greet name="Ada L')).toEqual([['name="Ada Lovelace" '], 'name="Ada L']);
  expect(await open.complete("/one:greet name=Ada ")).toEqual([["style="], ""]);
  expect(await open.complete("/one:greet name=Ada style=")).toEqual([[], "/one:greet name=Ada style="]);
  expect(await open.complete("/one:greet name=Ada see @one:x://alph")).toEqual([["@one:x://alpha "], "@one:x://alph"]);
  const asked = receivedMessages(logFile).filter(({ method }) => method === "completion/complete");
  expect(asked.at(-1)?.params).toMatchObject({
    ref: { type: "ref/prompt", name: "greet" },
    argument: { name: "style", value: "" },
    context: { arguments: { name: "Ada" } },
  });
});

test("a list is asked for once, until its server says that it has changed", async () => {
  await using scratch = await createScratch();
  const logFile = scratch.file("log");
  await scratch.userServers({ one: { ...full, logFile } });
  await using open = await openSource(scratch);
  const lists = (): number => receivedMessages(logFile).filter(({ method }) => method === "resources/list").length;
  await open.complete("@one:");
  await open.complete("@one:x");
  expect(lists()).toBe(1);
  const changed = new Promise<void>((resolve) => {
    open.mcpManager.subscribe(({ type }) => (type === "resources-changed" ? resolve() : undefined));
  });
  const connection = await open.mcpManager.waitForConnection("one");
  await connection.request("fixture/notify", { method: "notifications/resources/list_changed" });
  await changed;
  await open.complete("@one:x");
  expect(lists()).toBe(2);
});

test("a server that is slow or broken has nothing to offer, and keeps nobody waiting", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({
    slow: { ...full, neverAnswer: ["resources/list", "resources/templates/list", "prompts/list"] },
    broken: { ...full, failMethods: { "resources/list": { code: -32000, message: "no" } } },
    gone: { exitAt: "start" },
  });
  await using open = await openSource(scratch, 20);
  for (const line of ["@slow:", "/slow:", "@broken:x", "@gone:", "/gone:"]) {
    // One after the other, as a person asks.
    // oxlint-disable-next-line no-await-in-loop
    expect((await open.complete(line))[0]).toEqual([]);
  }
});

test("paths are completed within the working directory, without what .gitignore leaves out", async () => {
  await using scratch = await createScratch();
  const { project } = scratch;
  await mkdir(join(project, ".git"));
  await mkdir(join(project, "src", "deep"), { recursive: true });
  await mkdir(join(project, "build"));
  await Promise.all(
    [".gitignore", "src/index.ts", "src/index.test.ts", "src/.hidden", "read me.md"].map((path) =>
      writeFile(join(project, path), path === ".gitignore" ? "build\n" : ""),
    ),
  );
  await scratch.userServers({});
  await using open = await openSource(scratch);
  expect(await open.complete("see @")).toEqual([['@"read me.md" ', "@src/"], "@"]);
  expect(await open.complete("@b")).toEqual([[], "@b"]);
  expect((await open.complete("@src/"))[0]).toEqual(["@src/deep/", "@src/index.test.ts ", "@src/index.ts "]);
  expect((await open.complete("@src/."))[0]).toEqual(["@src/.hidden "]);
  expect((await open.complete("@.giti"))[0]).toEqual(["@.gitignore "]);
  expect(await open.complete("@../")).toEqual([[], "@../"]);
  expect(await open.complete("@nowhere/x")).toEqual([[], "@nowhere/x"]);
});
