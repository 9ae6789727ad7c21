import type { FileRules } from "../file-provider.ts";
import type { WriteRules } from "../write-rules.ts";

/** Claude Code's way of writing servers, which `.mcp.json` shares. An address without a type is an error there. */
export const claudeRules: FileRules = {
  servers: "mcpServers",
  references: ["${NAME}", "${NAME:-default}"],
  entry: { untypedUrl: "stdio" },
  prepare: (entry, { warn }) => {
    if (Object.hasOwn(entry, "headersHelper")) {
      warn('"headersHelper" is not supported; the server is used without the headers that it would give');
    }
    return { entry };
  },
};

/** The reverse of {@link claudeRules}. */
export const claudeWriting: WriteRules = {
  transports: { stdio: "stdio", http: "http", sse: "sse" },
  fields: { timeout: "timeout" },
  reference: "${NAME}",
};
