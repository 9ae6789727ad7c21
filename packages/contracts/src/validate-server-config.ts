import { isRecord } from "./is-record.ts";

/**
 * Checks one entry before anything is started.
 *
 * Written by hand: it runs on the way of every start, where a schema library would cost more than the start itself.
 *
 * @param name - The server's name, quoted in the problems.
 * @param config - Anything, typically parsed JSON.
 * @returns One sentence per problem; an empty array means that the entry can be started. Never throws.
 */
export function validateServerConfig(name: string, config: unknown): string[] {
  const problems: string[] = [];
  if (typeof name !== "string" || name.trim() === "") problems.push("the server has an empty name");
  if (!isRecord(config)) return [...problems, "the entry is not an object"];
  const type = config["type"];
  if (type === undefined || type === "stdio") checkStdio(config, problems);
  else if (type === "http" || type === "sse") checkRemote(config, type, problems);
  else problems.push(`unknown type ${quote(type)}: use "stdio", "http" or "sse"`);
  checkCommon(config, problems);
  return problems;
}

function checkStdio(config: Record<string, unknown>, problems: string[]): void {
  const command = config["command"];
  if (command === undefined && config["url"] !== undefined) {
    problems.push('"url" without "type": add "type": "http" (or "sse")');
    return;
  }
  if (typeof command !== "string" || command.trim() === "") problems.push('"command" must be a non-empty string');
  else if (command.includes("\0")) problems.push('"command" holds a NUL character');
  if (config["url"] !== undefined) problems.push('"command" and "url" exclude each other');
  checkStrings(config, "args", problems);
  checkStringMap(config, "env", problems);
  const cwd = config["cwd"];
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) problems.push('"cwd" must be a non-empty string');
}

function checkRemote(config: Record<string, unknown>, type: string, problems: string[]): void {
  if (config["command"] !== undefined) problems.push(`"command" does not go with type "${type}"`);
  const url = config["url"];
  if (typeof url !== "string" || url === "") problems.push('"url" must be a non-empty string');
  else if (!URL.canParse(url)) problems.push('"url" is not a URL');
  else if (!/^https?:$/.test(new URL(url).protocol)) problems.push('"url" must start with http:// or https://');
  checkStringMap(config, "headers", problems);
  const headers = config["headers"];
  if (!isRecord(headers)) return;
  for (const [header, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header))
      problems.push(`"headers": ${quote(header)} is not a header name`);
    // The value is a secret, so the problem names the header only.
    if (typeof value === "string" && /[\r\n\0]/.test(value))
      problems.push(`"headers": the value of ${quote(header)} holds a line break`);
  }
}

function checkCommon(config: Record<string, unknown>, problems: string[]): void {
  if (config["enabled"] !== undefined && typeof config["enabled"] !== "boolean")
    problems.push('"enabled" must be true or false');
  for (const field of ["timeout", "startupTimeout"]) {
    const value = config[field];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
      problems.push(`"${field}" must be a number of milliseconds, 0 or more`);
  }
  checkStrings(config, "includeTools", problems);
  checkStrings(config, "excludeTools", problems);
  const protocol = config["protocol"];
  if (protocol !== undefined && protocol !== "auto" && protocol !== "legacy" && protocol !== "modern") {
    problems.push('"protocol" must be "auto", "legacy" or "modern"');
  }
  checkAuth(config["auth"], problems);
  if (config["oauth"] !== undefined && !isRecord(config["oauth"])) problems.push('"oauth" must be an object');
}

function checkAuth(auth: unknown, problems: string[]): void {
  if (auth === undefined) return;
  if (!isRecord(auth) || auth["type"] !== "bearer" || typeof auth["token"] !== "string") {
    problems.push('"auth" must be { "type": "bearer", "token": "…" }');
  }
}

function checkStrings(config: Record<string, unknown>, field: string, problems: string[]): void {
  const value = config[field];
  if (value === undefined) return;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    problems.push(`"${field}" must be an array of strings`);
}

function checkStringMap(config: Record<string, unknown>, field: string, problems: string[]): void {
  const value = config[field];
  if (value === undefined) return;
  if (!isRecord(value)) {
    problems.push(`"${field}" must be an object of strings`);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== "string") problems.push(`"${field}": the value of ${quote(key)} must be a string`);
  }
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
