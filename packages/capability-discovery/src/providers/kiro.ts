import { createFileProvider } from "../file-provider.ts";

/** Kiro. `autoApprove` is left out: approving is Toolgate's own matter. */
export const kiroProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "kiro",
  displayName: "Kiro",
  priority: 35,
  files: {
    user: ({ home, join }) => [join(home, ".kiro", "settings", "mcp.json")],
    project: [".kiro/settings/mcp.json"],
  },
  references: ["${NAME}"],
  writing: {
    transports: { stdio: true, http: true },
    fields: { timeout: "timeout", excludeTools: "disabledTools" },
    flag: "disabled",
    reference: "${NAME}",
  },
});
