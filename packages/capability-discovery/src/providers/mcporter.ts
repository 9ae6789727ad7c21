import { createFileProvider } from "../file-provider.ts";
import { prepareBearerToken } from "./bearer-token.ts";

const NAMES = ["mcporter.json", "mcporter.jsonc"] as const;

/** mcporter. Its `imports` name other clients, which have providers of their own. */
export const mcporterProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "mcporter",
  displayName: "mcporter",
  priority: 28,
  files: {
    user: ({ configHome, home, join }) =>
      [join(home, ".mcporter"), join(configHome, "mcporter")].flatMap((folder) =>
        NAMES.map((name) => join(folder, name)),
      ),
    project: NAMES.map((name) => `config/${name}`),
  },
  references: ["${NAME}", "${NAME:-default}", "$env:NAME"],
  entry: {
    fields: {
      type: ["type", "transport"],
      includeTools: ["includeTools", "allowedTools"],
      excludeTools: ["excludeTools", "blockedTools"],
    },
  },
  prepare: prepareBearerToken,
  writing: { transports: { stdio: true, http: true }, fields: { url: "baseUrl" }, reference: "${NAME}" },
});
