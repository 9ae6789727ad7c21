import type { MCPServerConfig } from "@toolgate/contracts";

const PARAMETER = "exaApiKey";
const VARIABLE = "EXA_API_KEY";
// What stands where a key should be: an unexpanded variable, a shell command, or a sample from a README.
const PLACEHOLDER = /^(?:\$|!|\{|<|your[-_ ]|x{3,}$|\*+$)|[{}<>]|\s/i;

/**
 * Finds the API key of an Exa server: `exaApiKey` in its URL or arguments, `EXA_API_KEY` in its `env`, `x-api-key` or a
 * bearer token in its headers. Placeholders are no keys. The key is returned and goes nowhere else.
 */
export function extractExaApiKey(config: MCPServerConfig): string | undefined {
  return candidates(config).find((value) => value !== "" && !PLACEHOLDER.test(value));
}

function candidates(config: MCPServerConfig): string[] {
  if (config.type === "http" || config.type === "sse") {
    return [...keysInText(config.url), ...keysInHeaders(config.headers ?? {}), config.auth?.token ?? ""];
  }
  const args = Array.isArray(config.args) ? config.args.filter((item) => typeof item === "string") : [];
  return [...args.flatMap(keysInText), ...keysAfterFlag(args), ...keysInEnvironment(config.env ?? {})];
}

// In a URL, in `exaApiKey=…` alone, and in `--exaApiKey=…`.
function keysInText(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...text.matchAll(new RegExp(`(?:^|[?&\\s]|--)${PARAMETER}=([^&#\\s]*)`, "gi"))].map(([, value = ""]) =>
    decode(value),
  );
}

function keysAfterFlag(args: readonly string[]): string[] {
  return args.flatMap((argument, index) =>
    argument.toLowerCase() === `--${PARAMETER.toLowerCase()}` ? [args[index + 1] ?? ""] : [],
  );
}

function keysInEnvironment(env: Record<string, string>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    [VARIABLE, PARAMETER.toUpperCase()].includes(name.toUpperCase()) && typeof value === "string" ? [value] : [],
  );
}

function keysInHeaders(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([header, value]) => {
    if (typeof value !== "string") return [];
    if (header.toLowerCase() === "x-api-key") return [value];
    const [, token] = /^Bearer\s+(\S+)$/i.exec(value) ?? [];
    return header.toLowerCase() === "authorization" && token !== undefined ? [token] : [];
  });
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not encoded after all: a percent sign of the key's own.
    return value;
  }
}
