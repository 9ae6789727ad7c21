import { resolvePath } from "../places.ts";
import type { Places } from "../places.ts";
import { createGeminiProvider } from "./gemini-settings.ts";

/** Gemini CLI. */
export const geminiProvider: ReturnType<typeof createGeminiProvider> = createGeminiProvider({
  id: "gemini",
  displayName: "Gemini CLI",
  priority: 60,
  folder: ".gemini",
  system: findSystemFiles,
  writing: {
    transports: { stdio: true, http: "http", sse: "sse" },
    fields: { cwd: "cwd", timeout: "timeout", includeTools: "includeTools", excludeTools: "excludeTools" },
    reference: "${NAME}",
  },
});

function findSystemFiles({ cwd, join, machineData, platform, variable }: Places): [string, string] {
  const folder = join(machineData, platform === "darwin" ? "GeminiCli" : "gemini-cli");
  const settings = resolvePath(cwd, variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH") ?? join(folder, "settings.json"));
  const defaults = variable("GEMINI_CLI_SYSTEM_DEFAULTS_PATH") ?? join(settings, "..", "system-defaults.json");
  return [settings, resolvePath(cwd, defaults)];
}
