import { createGeminiProvider, geminiForkWriting } from "./gemini-settings.ts";

/** Tabnine, a relative of Gemini CLI. */
export const tabnineProvider: ReturnType<typeof createGeminiProvider> = createGeminiProvider({
  id: "tabnine",
  displayName: "Tabnine",
  priority: 28,
  folder: ".tabnine/agent",
  writing: geminiForkWriting,
});
