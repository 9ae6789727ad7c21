import { createGeminiProvider, geminiForkWriting } from "./gemini-settings.ts";

/** LLxprt Code, a relative of Gemini CLI. */
export const llxprtProvider: ReturnType<typeof createGeminiProvider> = createGeminiProvider({
  id: "llxprt",
  displayName: "LLxprt Code",
  priority: 28,
  folder: ".llxprt",
  writing: geminiForkWriting,
});
