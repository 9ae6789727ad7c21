import { isRecord } from "./is-record.ts";
import type { MCPServerConfig } from "./server-config.ts";

/** What stands in place of a secret. */
export const SECRET_MASK = "***";

// Shorter values ("1", "on") are too common in ordinary text: replacing them would garble messages and hide nothing.
const SHORTEST_SECRET = 4;
const HARMLESS_VALUES = new Set(["true", "false", "null", "none"]);
const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|signature|session|bearer|cookie/i;

/** Whether a name (of a query parameter, a variable, a field) says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * All values of an entry that must not be seen: env and header values (also the part after an authentication scheme),
 * auth and oauth secrets, secret-looking query parameters and passwords of URLs, also of URLs among the arguments.
 */
export function collectSecrets(config: MCPServerConfig): string[] {
  const values: string[] = [];
  if (config.type === "http" || config.type === "sse") {
    for (const value of Object.values(config.headers ?? {})) {
      values.push(value);
      const [, credentials] = /^\w+\s+(\S.*)$/.exec(value) ?? [];
      if (credentials !== undefined) values.push(credentials);
    }
    values.push(...urlSecrets(config.url));
  } else {
    values.push(...Object.values(config.env ?? {}));
    for (const argument of config.args ?? []) values.push(...urlSecrets(argument));
  }
  if (config.auth !== undefined) values.push(config.auth.token);
  if (config.oauth?.clientSecret !== undefined) values.push(config.oauth.clientSecret);
  return [...new Set(values)].filter(isWorthMasking);
}

/** Makes a function that replaces every occurrence of the given secrets, plain or URL-encoded, by `***`. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const needles = new Set<string>();
  for (const secret of secrets) {
    if (!isWorthMasking(secret)) continue;
    needles.add(secret);
    needles.add(encodeURIComponent(secret));
    // As it stands inside a JSON string, where quotes and line breaks are escaped.
    needles.add(JSON.stringify(secret).slice(1, -1));
  }
  // Longest first: a secret that contains another one is replaced whole.
  const ordered = [...needles].toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, needle) => masked.replaceAll(needle, SECRET_MASK), text);
}

/**
 * A copy of an entry that can be shown: every env and header value, auth and oauth secret and secret-looking query
 * parameter is `***` with its key kept; command, arguments, cwd and URL paths stay.
 */
export function maskServerConfig(config: MCPServerConfig): MCPServerConfig {
  const masked: Record<string, unknown> = { ...config };
  if (isRecord(masked["env"])) masked["env"] = maskValues(masked["env"]);
  if (isRecord(masked["headers"])) masked["headers"] = maskValues(masked["headers"]);
  if (Array.isArray(masked["args"]))
    masked["args"] = masked["args"].map((item) => (typeof item === "string" ? maskUrl(item) : item));
  if (typeof masked["url"] === "string") masked["url"] = maskUrl(masked["url"]);
  if (isRecord(masked["auth"])) masked["auth"] = { ...masked["auth"], token: SECRET_MASK };
  if (isRecord(masked["oauth"]) && masked["oauth"]["clientSecret"] !== undefined) {
    masked["oauth"] = { ...masked["oauth"], clientSecret: SECRET_MASK };
  }
  return masked as unknown as MCPServerConfig;
}

/** A URL with its password and secret-looking query parameters masked; other text is returned as it is. */
export function maskUrl(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*:)[^/?#@]*@/i, `$1${SECRET_MASK}@`)
    .replace(/([?&])([^=&#]+)=([^&#]*)/g, (whole, separator: string, name: string) =>
      isSecretName(name) ? `${separator}${name}=${SECRET_MASK}` : whole,
    );
}

function urlSecrets(text: string): string[] {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  const values = [...url.searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  if (url.password !== "") values.push(decodeURIComponent(url.password));
  return values;
}

function maskValues(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((key) => [key, SECRET_MASK]));
}

function isWorthMasking(value: string): boolean {
  return value.length >= SHORTEST_SECRET && !HARMLESS_VALUES.has(value.toLowerCase());
}
