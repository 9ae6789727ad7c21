/** node index.js [TOOL [JSON]]: the tools of all configured MCP servers, or what one of them answers. */
import { createAgentSession } from "@toolgate/agent";

const [name, json = "{}"] = process.argv.slice(2);

// Finds and starts what is configured for any client.
const { session, mcpErrors } = await createAgentSession({ mcp: { startupTimeoutMs: Number.POSITIVE_INFINITY } });
try {
  for (const { path, error } of mcpErrors) console.error(`${path}: ${error}`);
  if (name === undefined) {
    for (const tool of session.tools.active()) console.log(tool.name);
  } else {
    const result = await session.tools.get(name)?.execute(JSON.parse(json));
    for (const block of result?.content ?? []) console.log(block.type === "text" ? block.text : `(${block.type})`);
    if (result?.isError !== false) process.exitCode = 1;
  }
} finally {
  // Ends all servers, with everything that they started.
  await session.dispose();
}
