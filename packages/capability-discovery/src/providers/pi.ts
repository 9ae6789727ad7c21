import { createFileProvider } from "../file-provider.ts";
import { prepareBearerToken } from "./bearer-token.ts";

/** Pi and its adapter. */
export const piProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "pi",
  displayName: "Pi",
  priority: 28,
  files: {
    user: ({ home, join }) => [join(home, ".pi", "agent", "mcp.json")],
    project: [".pi/mcp.json"],
  },
  references: ["${NAME}"],
  entry: { fields: { type: ["type", "transport"] } },
  prepare: prepareBearerToken,
  writing: { transports: { stdio: true, http: true }, reference: "${NAME}" },
});
