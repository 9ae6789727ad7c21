import type { MCPServerConfig, ProtocolEra } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { callTool, connectToServer } from "../../src/index.ts";
import { npmServer, startEverything } from "../support/npm-servers.ts";
import { connect, failureOf } from "../support/scripted.ts";

/** A server made with the SDK 1.x, by its transport; that over HTTP has sessions. */
async function olderServer(transport: "stdio" | "http"): Promise<MCPServerConfig> {
  if (transport === "stdio") return npmServer("server-everything", "stdio");
  const { port } = await startEverything("streamableHttp");
  return { type: "http", url: `http://127.0.0.1:${port}/mcp` };
}

const remembered: readonly (ProtocolEra | undefined)[] = [undefined, "legacy", "modern"];

for (const transport of ["stdio", "http"] as const) {
  test(verifies("X04", `an older server (${transport}) is served, whatever is remembered of it`), async () => {
    const config = await olderServer(transport);
    for (const era of remembered) {
      const connection = await connect(config, era === undefined ? {} : { era });
      expect(connection.era).toBe("legacy");
      const { content } = await callTool(connection, "echo", { message: "hello" });
      expect(content).toMatchObject([{ type: "text" }]);
    }
  });

  test(`an older server (${transport}) whose entry asks for the modern era is refused`, async () => {
    const config = { ...(await olderServer(transport)), protocol: "modern" as const };
    const failure = await failureOf(connectToServer("old", config, { compileCacheDirectory: false }));
    expect(failure).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  });
}
