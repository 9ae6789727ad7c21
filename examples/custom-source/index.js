import { createFileProvider, definePlugin } from "@toolgate/capability-discovery";
import { parse } from "ini";

/** Servers from `servers.ini` of the project and of the user: a section for each server, its fields as keys. */
export const serversIniProvider = createFileProvider({
  id: "servers-ini",
  displayName: "servers.ini",
  priority: 10,
  files: {
    user: ({ configHome, join }) => [join(configHome, "servers.ini")],
    project: ["servers.ini"],
  },
  format: parse,
  servers: (document) => [{ servers: document }],
  references: ["${NAME}"],
});

// oxlint-disable-next-line import/no-default-export -- what a host imports of a plugin
export default definePlugin({ name: "toolgate-example-custom-source", providers: [serversIniProvider] });
