import { createFileProvider } from "../file-provider.ts";

/** Factory's Droid. */
export const factoryProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "factory",
  displayName: "Factory Droid",
  priority: 28,
  files: {
    user: ({ home, join }) => [join(home, ".factory", "mcp.json")],
    project: [".factory/mcp.json"],
  },
  references: ["${NAME}"],
  writing: { transports: { stdio: "stdio", http: "http" }, flag: "disabled", reference: "${NAME}" },
});
