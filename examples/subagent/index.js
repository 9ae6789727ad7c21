/** node index.js TOOL: a session gives a subagent the one tool, and the subagent calls it. */
import { createAgentSession } from "@toolgate/agent";

const [wanted = ""] = process.argv.slice(2);

/**
 * Stands for a language model, and answers by what it is asked: the session's conversation begins with "main", the
 * subagent's with the prompt of its task.
 *
 * @type {import("@toolgate/agent").AgentModel}
 */
const model = {
  id: "example/two-roles",
  async *respond({ messages, tools }) {
    const [first] = messages;
    const last = messages.at(-1);
    const isMain = first?.role === "user" && first.content === "main";
    if (last?.role === "tool") {
      const [block] = last.result.content;
      yield {
        type: "text",
        text: `${isMain ? "The subagent" : wanted} says: ${block?.type === "text" ? block.text : ""}`,
      };
    } else if (isMain) {
      const task = { prompt: `Call ${wanted}.`, tools: [wanted] };
      yield { type: "tool-call", call: { id: "1", name: "task", arguments: task } };
    } else {
      console.log(`the subagent has: ${tools.map(({ name }) => name).join(", ")}`);
      yield { type: "tool-call", call: { id: "1", name: wanted, arguments: {} } };
    }
  },
};

const { session } = await createAgentSession({
  model,
  // Brings `task`, which runs a subagent over the connections that the session has.
  nativeTools: true,
  mcp: { startupTimeoutMs: Number.POSITIVE_INFINITY },
});
try {
  for await (const event of session.prompt("main")) {
    if (event.type === "text") console.log(event.text);
    if (event.type === "tool-progress") console.log(`progress: ${event.progress.message}`);
  }
} finally {
  await session.dispose();
}
