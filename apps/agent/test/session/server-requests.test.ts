import { expect, test } from "vitest";

import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { createScratch } from "../support/scratch.ts";

test("functions of a host answer its servers, who learn what there is", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { asks: true } });
  const asked: unknown[] = [];
  await using made = await sessionWith({
    elicitation: {
      form: ({ message }, { server }) => {
        asked.push([server, message]);
        return { action: "accept", content: { colour: "red" } };
      },
    },
  });
  const call = async (tool: string, params: object): Promise<unknown> =>
    (await made.session.tools.get(`mcp_one_${tool}`)?.execute({ ...params }))?.content[0];
  expect(await call("ask", { message: "Which?", requestedSchema: {} })).toMatchObject({
    text: '{"action":"accept","content":{"colour":"red"}}',
  });
  expect(asked).toEqual([["one", "Which?"]]);
  expect(await call("sample", { maxTokens: 1, messages: [] })).toMatchObject({
    text: expect.stringContaining("-32601"),
  });

  async function sessionWith(mcp: NonNullable<NonNullable<Parameters<typeof createAgentSession>[0]>["mcp"]>) {
    const { session } = await createAgentSession({ ...scratch.session, mcp: { ...mcp, startupTimeoutMs: 30_000 } });
    return { session, [Symbol.asyncDispose]: () => session.dispose() };
  }
});
