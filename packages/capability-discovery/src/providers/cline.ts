import { isRecord } from "@toolgate/contracts";

import type { EntryHook } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";
import { vscodeExtensionStorage } from "./vscode-places.ts";

const SETTINGS_FILE = "cline_mcp_settings.json";

/** Cline in Visual Studio Code and on the command line. What it approves by itself (`autoApprove`) grants nothing here. */
export const clineProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "cline",
  displayName: "Cline",
  priority: 40,
  files: {
    user: (places) => [
      places.join(vscodeExtensionStorage(places, "saoudrizwan.claude-dev"), "settings", SETTINGS_FILE),
      places.join(
        places.variable("CLINE_DIR") ?? places.join(places.home, ".cline"),
        "data",
        "settings",
        SETTINGS_FILE,
      ),
    ],
  },
  references: ["${env:NAME}"],
  prepare: flattenTransport,
  entry: { fields: { type: ["type", "transportType"] }, untypedUrl: "sse", timeoutUnit: "s" },
  writing: {
    transports: { stdio: "stdio", http: "streamableHttp", sse: "sse" },
    fields: { cwd: "cwd", timeout: "timeout" },
    timeoutUnit: "s",
    flag: "disabled",
    reference: "${env:NAME}",
  },
});

/** Newer files keep what describes the connection in an object of its own. */
function flattenTransport(raw: Record<string, unknown>): ReturnType<EntryHook> {
  const { transport, ...rest } = raw;
  return { entry: isRecord(transport) ? { ...rest, ...transport } : raw };
}
