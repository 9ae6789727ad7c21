/** node index.js PROMPT: a model that knows one thing, to call the tool that the prompt names. */
import { createAgentSession } from "@toolgate/agent";

/** @type {import("@toolgate/agent").AgentModel} */
const model = {
  id: "example/caller",
  async *respond({ messages, tools, signal }) {
    signal.throwIfAborted();
    const last = messages.at(-1);
    if (last?.role === "tool") {
      // The results of the tools come back as messages; a real model makes something of them.
      const [block] = last.result.content;
      yield { type: "text", text: `It says: ${block?.type === "text" ? block.text : "nothing"}` };
      return;
    }
    const prompt = last?.content ?? "";
    const tool = tools.find(({ name }) => prompt.includes(name));
    if (tool === undefined) yield { type: "text", text: `I see ${tools.length} tools, and none that you name.` };
    else yield { type: "tool-call", call: { id: "1", name: tool.name, arguments: { text: prompt } } };
  },
};

const { session } = await createAgentSession({ model, mcp: { startupTimeoutMs: Number.POSITIVE_INFINITY } });
try {
  for await (const event of session.prompt(process.argv.slice(2).join(" "), {
    // Whether a tool may run is the host's to say. Here: everything that does not call itself destructive.
    mayRun: ({ annotations }) => annotations?.destructiveHint !== true,
  })) {
    if (event.type === "text") console.log(event.text);
    if (event.type === "tool-call") console.log(`calls ${event.call.name}`);
    if (event.type === "error") console.error(event.message);
  }
} finally {
  await session.dispose();
}
