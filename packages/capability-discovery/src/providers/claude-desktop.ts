import { createFileProvider } from "../file-provider.ts";

/** Claude Desktop. Its file knows programs only; remote servers are connectors of the account. */
export const claudeDesktopProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "claude-desktop",
  displayName: "Claude Desktop",
  priority: 25,
  files: {
    user: ({ applicationData, join }) => [join(applicationData, "Claude", "claude_desktop_config.json")],
  },
  prepare: (entry) =>
    Object.hasOwn(entry, "command")
      ? { entry }
      : { invalid: 'it has no "command", and Claude Desktop starts nothing else from its file' },
  writing: { transports: { stdio: true } },
});
