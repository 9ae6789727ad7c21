import { listWritableProviders, mcpProviders } from "@toolgate/capability-discovery";
import type { SourceFile } from "@toolgate/capability-discovery";
import { expect, test } from "vitest";

const PLATFORMS = ["linux", "darwin", "win32"] as const;
const HOMES = { linux: "/home/ana", darwin: "/Users/ana", win32: "C:\\Users\\ana" };
const PROJECT = { linux: "/app", darwin: "/app", win32: "D:\\app" };

const INTRODUCTION = `# Clients

Where Toolgate looks for the MCP servers of other clients, in the order in which their providers win. This page is written by a test from what the providers say of themselves: \`npx vitest run --project workspace tests/clients-document.test.ts -u\`.

\`~\` is the home directory and \`.\` a folder of the project, from the working directory up to the root of its repository. Where macOS or Windows differ, they are named. Relocating variables of the clients (\`CODEX_HOME\`, \`XDG_CONFIG_HOME\`, \`APPDATA\` …) are followed.
`;

/** Paths of one level as a person writes them, with forward slashes. */
async function pathsOf(provider: (typeof mcpProviders)[number], level: SourceFile["level"]): Promise<string> {
  const lists = await Promise.all(
    PLATFORMS.map(async (platform) => {
      const [home, cwd] = [HOMES[platform], PROJECT[platform]];
      const files = (await provider.files?.({ cwd, home, env: {}, platform })) ?? [];
      return files
        .filter((file) => file.level === level)
        .map(({ path }) => path.replace(home, "~").replace(cwd, ".").replaceAll("\\", "/"))
        .map((path) => `\`${path}\``)
        .join(", ");
    }),
  );
  const [linux = "", darwin = "", win32 = ""] = lists;
  const others = [
    ["macOS", darwin],
    ["Windows", win32],
  ].flatMap(([name, text]) => (text === linux ? [] : [`${name}: ${text}`]));
  return [linux, ...others].filter((part) => part !== "").join("; ");
}

test("docs/clients.md says what the providers say of themselves", async () => {
  const context = { cwd: "/app", home: "/home/ana", env: {}, platform: "linux" } as const;
  const writable = new Map(listWritableProviders({ context }).map(({ id, levels }) => [id, levels.join(", ")]));
  const sections = await Promise.all(
    [...mcpProviders]
      .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
      .map(async (provider) => {
        const { id, displayName, priority, references = [] } = provider;
        const [user, project, system] = await Promise.all(
          (["user", "project", "system"] as const).map((level) => pathsOf(provider, level)),
        );
        const rows = [
          ["user", user],
          ["project", project],
          ["system", system],
          ["variables", references.map((form) => `\`${form}\``).join(" ")],
          ["written by Toolgate", writable.get(id)],
        ].filter(([, text]) => text !== undefined && text !== "");
        const table = rows.map(([name, text]) => `- ${name}: ${text}`).join("\n");
        return `## ${displayName}\n\n\`${id}\`, priority ${priority}\n\n${table}\n`;
      }),
  );
  await expect(`${INTRODUCTION}\n${sections.join("\n")}`).toMatchFileSnapshot("../docs/clients.md");
});
