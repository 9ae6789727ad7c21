import { createGeminiProvider, geminiForkWriting } from "./gemini-settings.ts";

/** Qwen Code, a relative of Gemini CLI. */
export const qwenProvider: ReturnType<typeof createGeminiProvider> = createGeminiProvider({
  id: "qwen",
  displayName: "Qwen Code",
  priority: 30,
  folder: ".qwen",
  writing: geminiForkWriting,
});
