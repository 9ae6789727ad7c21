import type { MCPServerConfig } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

// Filters run before validation, so a field may hold anything.

/** The command and the arguments of an entry, as far as they are text. */
export function commandLineOf(config: MCPServerConfig): string[] {
  const fields: Record<string, unknown> = { ...config };
  const args = Array.isArray(fields["args"]) ? fields["args"] : [];
  return [fields["command"], ...args].filter((item) => typeof item === "string");
}

/** Every http(s) URL of an entry: its own, and those in its command line, also inside longer arguments. */
export function urlsOf(config: MCPServerConfig): URL[] {
  const fields: Record<string, unknown> = { ...config };
  const texts = typeof fields["url"] === "string" ? [fields["url"], ...commandLineOf(config)] : commandLineOf(config);
  return texts.flatMap(urlsIn);
}

/** The http(s) URLs in a text, in their order. */
export function urlsIn(text: string): URL[] {
  const found = text.match(/https?:\/\/[^\s"'<>`]+/gi) ?? [];
  return found.filter((candidate) => URL.canParse(candidate)).map((candidate) => new URL(candidate));
}

/** The pairs of a map field such as `env` or `headers`, as far as they are text. */
export function textPairsOf(config: MCPServerConfig, field: "env" | "headers"): [name: string, value: string][] {
  const map = (config as unknown as Record<string, unknown>)[field];
  if (!isRecord(map)) return [];
  return Object.entries(map).filter((pair): pair is [string, string] => typeof pair[1] === "string");
}
