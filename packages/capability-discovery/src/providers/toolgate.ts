import { createFileProvider, readPath } from "../file-provider.ts";
import { nativeProjectFiles, nativeUserFiles } from "../native-files.ts";

/** Toolgate's own configuration. */
export const toolgateProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "toolgate",
  displayName: "Toolgate",
  priority: 100,
  files: {
    user: (places) => nativeUserFiles(places).map((path) => ({ path })),
    project: nativeProjectFiles.map(({ path, format, key }) => ({
      path,
      ...(format === undefined ? {} : { format }),
      ...(key === undefined
        ? {}
        : {
            servers: (document) => {
              const keys = [key, "mcpServers"];
              return [{ servers: readPath(document, keys), origin: key, keys }];
            },
          }),
    })),
  },
  references: ["${NAME}", "${NAME:-default}", "${env:NAME}"],
  entry: { envFile: true },
  writing: {
    transports: { stdio: true, http: "http", sse: "sse" },
    fields: {
      cwd: "cwd",
      envFile: "envFile",
      timeout: "timeout",
      startupTimeout: "startupTimeout",
      includeTools: "includeTools",
      excludeTools: "excludeTools",
      auth: "auth",
      oauth: "oauth",
      protocol: "protocol",
    },
    flag: "enabled",
    reference: "${NAME}",
  },
});
