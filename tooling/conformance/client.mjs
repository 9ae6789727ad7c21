/**
 * The program that the conformance runner starts: `node client.mjs <url>`. What to do is in the environment:
 * MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION and MCP_CONFORMANCE_CONTEXT (JSON).
 */
import { findScenario } from "./client-scenarios.mjs";

const { env } = process;
try {
  await findScenario(env["MCP_CONFORMANCE_SCENARIO"] ?? "")({
    url: process.argv.at(-1) ?? "",
    revision: env["MCP_CONFORMANCE_PROTOCOL_VERSION"],
    context: JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"),
  });
} catch (error) {
  const { code = "", stack } = /** @type {Error & { code?: string }} */ (error);
  // The runner shows it, and the frames of a ToolgateError say nothing that its message does not.
  console.error(code === "" ? stack : `${code}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
