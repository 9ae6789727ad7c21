import { findPlainSecrets } from "../../mcp-commands/doctor/find-plain-secrets.ts";
import { isPlainSecret } from "../../mcp-commands/doctor/secret-texts.ts";
import { splitWords } from "../../mcp-commands/split-words.ts";

/** `name: value` and `name=value` within any text, quoted or not. */
const NAMED_VALUE = /([A-Za-z][\w.-]*)["']?\s*[:=]\s*["']?((?:(?:bearer|basic|token)\s+)?[^\s"']+)/gi;

/**
 * Whether an input goes into the history: one that begins with a blank does not, as in a shell, and neither does one with
 * something that looks like a secret.
 */
export function isRemembered(input: string): boolean {
  return input.trim() !== "" && !/^\s/.test(input) && !holdsSecret(input);
}

function holdsSecret(input: string): boolean {
  const args = splitWords(input) ?? input.split(/\s+/);
  if (findPlainSecrets({ args }).length > 0) return true;
  return [...input.matchAll(NAMED_VALUE)].some(([, name = "", value = ""]) => isPlainSecret(name, value));
}
