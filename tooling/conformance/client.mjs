/**
 * The program that the conformance runner starts: `node client.mjs <url>`. What to do is in the environment:
 * MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION and MCP_CONFORMANCE_CONTEXT (JSON).
 */
import { messageOf, ToolgateError } from "@toolgate/contracts";

import { runClient } from "./client-scenarios.mjs";

const { env } = process;
try {
  await runClient(env["MCP_CONFORMANCE_SCENARIO"] ?? "", {
    url: process.argv.at(-1) ?? "",
    revision: env["MCP_CONFORMANCE_PROTOCOL_VERSION"],
    context: JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"),
  });
} catch (error) {
  // The runner shows what is printed; the frames of a ToolgateError say nothing that its message does not.
  console.error(ToolgateError.isInstance(error) ? `${error.code}: ${messageOf(error)}` : error);
  process.exitCode = 1;
}
