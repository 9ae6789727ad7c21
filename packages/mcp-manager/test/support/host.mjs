/** A host program for tests of how hosts end: connects the given servers, says so, and ends as it is told. */
import { MCPManager } from "@toolgate/mcp-manager";

const [configs = "{}", how = "exit"] = process.argv.slice(2);
const manager = new MCPManager(process.cwd(), { handleSignals: how === "SIGTERM" });
await manager.connectServers(JSON.parse(configs));
// The supervisor is started in a later turn than the one in which the start returns.
await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
process.stdout.write("ready\n");
if (how === "exit") process.exit(0);
if (how === "crash") {
  setImmediate(() => {
    throw new Error("a crash on purpose");
  });
}
