import { isRecord, validateServerConfig } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

/** Names of an entry's fields as we call them. */
export type EntryField =
  | "type"
  | "command"
  | "args"
  | "env"
  | "cwd"
  | "url"
  | "headers"
  | "timeout"
  | "startupTimeout"
  | "enabled"
  | "disabled"
  | "includeTools"
  | "excludeTools"
  | "auth"
  | "oauth"
  | "protocol"
  | "envFile";

/** How a client writes an entry, where it differs from the common form. */
export interface EntryRules {
  /** The client's names of fields; several are alternatives of which the first present counts. */
  fields?: Partial<Record<EntryField, string | readonly string[]>>;
  /** What an entry with an address and without a type is. `stdio` makes it an error, as in Claude Code. @default "http" */
  untypedUrl?: "http" | "sse" | "stdio";
  /** Unit of `timeout` and `startupTimeout`. @default "ms" */
  timeoutUnit?: "ms" | "s";
  /** Names that the client allows. @default any that is not blank */
  name?: RegExp;
  /** Whether `envFile` is read. @default false */
  envFile?: boolean;
}

/** An entry in our form; strings may still hold references. */
export type ConvertedEntry =
  | { kind: "server"; config: MCPServerConfig; envFile?: string }
  | { kind: "unsupported"; config: MCPServerConfig; reason: string }
  | { kind: "invalid"; problems: string[] };

const DEFAULT_FIELDS: Readonly<Record<EntryField, readonly string[]>> = {
  type: ["type"],
  command: ["command"],
  args: ["args"],
  env: ["env"],
  cwd: ["cwd"],
  url: ["url", "serverUrl", "httpUrl", "uri", "baseUrl"],
  headers: ["headers"],
  timeout: ["timeout"],
  startupTimeout: ["startupTimeout"],
  enabled: ["enabled"],
  disabled: ["disabled"],
  includeTools: ["includeTools", "enabledTools", "enabled_tools"],
  excludeTools: ["excludeTools", "disabledTools", "disabled_tools"],
  auth: ["auth"],
  oauth: ["oauth"],
  protocol: ["protocol"],
  envFile: ["envFile"],
};

const TYPE_SYNONYMS: ReadonlyMap<string, "stdio" | "http" | "sse"> = new Map([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamablehttp", "http"],
  ["streamable_http", "http"],
  ["remote", "http"],
  ["sse", "sse"],
]);

const LACKING_TYPES: ReadonlySet<string> = new Set([
  "ws",
  "websocket",
  "sdk",
  "in-process",
  "inprocess",
  "builtin",
  "platform",
  "frontend",
  "inline_python",
  "extension",
]);

/**
 * Converts one entry of a client's file. Fields that mean nothing to us are left out, scalars among strings become
 * strings, `null` among `env` and `headers` means absent.
 */
export function convertEntry(name: string, raw: unknown, rules: EntryRules): ConvertedEntry {
  if (!isRecord(raw)) return { kind: "invalid", problems: ["the entry is not an object"] };
  if (rules.name !== undefined && !rules.name.test(name)) {
    return { kind: "invalid", problems: [`the name must match ${rules.name.source}`] };
  }
  const read = createFieldReader(raw, rules);
  const url = read("url");
  const written = read("type");
  const type = readType(written, { hasUrl: url !== undefined, hasCommand: read("command") !== undefined }, rules);
  const common = readCommon(read, rules, raw);
  if (typeof type === "object") {
    const config = { ...placeholder(read), enabled: false } as MCPServerConfig;
    return { kind: "unsupported", config, reason: type.lacking };
  }
  const config: Record<string, unknown> =
    type === "http" || type === "sse"
      ? compact({ type, url, command: read("command"), headers: toStringMap(read("headers")), ...common })
      : compact({
          type: type ?? written,
          ...readCommand(read("command"), read("args")),
          url,
          env: toStringMap(read("env")),
          cwd: read("cwd"),
          ...common,
        });
  if (written === undefined && type === "stdio") delete config["type"];
  const problems = validateServerConfig(name, withoutReferences(config));
  if (problems.length > 0) return { kind: "invalid", problems };
  const envFile = rules.envFile === true ? read("envFile") : undefined;
  if (envFile !== undefined && typeof envFile !== "string") {
    return { kind: "invalid", problems: ['"envFile" must be a string'] };
  }
  const server: ConvertedEntry = { kind: "server", config: config as unknown as MCPServerConfig };
  return envFile === undefined || envFile === "" ? server : { ...server, envFile };
}

type FieldReader = (field: EntryField) => unknown;

function createFieldReader(raw: Record<string, unknown>, rules: EntryRules): FieldReader {
  return (field) => {
    const names = fieldNames(field, rules);
    // A key such as "constructor" must be the file's own.
    const found = names.find((candidate) => Object.hasOwn(raw, candidate) && raw[candidate] !== null);
    return found === undefined ? undefined : raw[found];
  };
}

function toList(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

function readType(
  written: unknown,
  { hasUrl, hasCommand }: { hasUrl: boolean; hasCommand: boolean },
  rules: EntryRules,
): "stdio" | "http" | "sse" | { lacking: string } | undefined {
  if (written === undefined) return hasUrl && !hasCommand ? (rules.untypedUrl ?? "http") : "stdio";
  if (typeof written !== "string") return undefined;
  const known = written.toLowerCase();
  if (LACKING_TYPES.has(known)) return { lacking: `the transport ${JSON.stringify(written)}` };
  return TYPE_SYNONYMS.get(known);
}

function readCommand(command: unknown, args: unknown): Record<string, unknown> {
  const further = toStrings(args);
  if (!Array.isArray(command)) return { command, args: further };
  // opencode and its relatives write the program and its arguments as one array.
  const [program, ...rest] = toStrings(command) as unknown[];
  return { command: program, args: Array.isArray(further) ? [...rest, ...(further as unknown[])] : rest };
}

function readCommon(read: FieldReader, rules: EntryRules, raw: Record<string, unknown>): Record<string, unknown> {
  const { auth, oauth } = readAuthorization(read("auth"), read("oauth"));
  return {
    enabled: readEnabled(read("enabled"), read("disabled")),
    timeout: toMilliseconds(read("timeout"), rules),
    startupTimeout: toMilliseconds(read("startupTimeout"), rules),
    includeTools: combineLists(fieldNames("includeTools", rules), raw, intersect),
    excludeTools: combineLists(fieldNames("excludeTools", rules), raw, unite),
    auth,
    oauth,
    protocol: read("protocol"),
  };
}

/** The names that a client has for a field, the preferred one first. */
export function fieldNames(field: EntryField, rules: EntryRules): readonly string[] {
  const declared = rules.fields?.[field];
  return declared === undefined ? DEFAULT_FIELDS[field] : toList(declared);
}

function readEnabled(enabled: unknown, disabled: unknown): unknown {
  if (disabled === true) return false;
  if (disabled !== undefined && disabled !== false) return disabled;
  return enabled;
}

function toMilliseconds(value: unknown, rules: EntryRules): unknown {
  return rules.timeoutUnit === "s" && typeof value === "number" ? Math.round(value * 1000) : value;
}

function combineLists(
  names: readonly string[],
  raw: Record<string, unknown>,
  combine: (a: string[], b: string[]) => string[],
): unknown {
  const present = names.filter((name) => Object.hasOwn(raw, name) && raw[name] !== null && raw[name] !== undefined);
  const lists = present.map((name) => raw[name]);
  const wrong = lists.find((list) => !isStringList(list));
  if (wrong !== undefined) return wrong;
  const [first, ...rest] = lists.filter(isStringList);
  return first === undefined ? undefined : rest.reduce(combine, first);
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function intersect(a: string[], b: string[]): string[] {
  return a.filter((item) => b.includes(item));
}

function unite(a: string[], b: string[]): string[] {
  return [...new Set([...a, ...b])];
}

/** Reads `oauth` in its spellings; some clients write it, in capitals, as `auth`. */
function readAuthorization(auth: unknown, oauth: unknown): { auth?: unknown; oauth?: unknown } {
  const registration = isRecord(auth) && auth["type"] === undefined ? readOAuth(auth) : undefined;
  return {
    auth: registration === undefined ? auth : undefined,
    oauth: isRecord(oauth) ? (readOAuth(oauth) ?? registration) : registration,
  };
}

function readOAuth(raw: Record<string, unknown>): Record<string, unknown> | undefined {
  const pick = (...names: string[]): unknown => {
    const found = names.find((name) => Object.hasOwn(raw, name));
    return found === undefined ? undefined : raw[found];
  };
  const scope = pick("scope", "scopes");
  const port = pick("callbackPort", "callback_port");
  const result = compact({
    clientId: textOnly(pick("clientId", "client_id", "CLIENT_ID")),
    clientSecret: textOnly(pick("clientSecret", "client_secret", "CLIENT_SECRET")),
    scope: isStringList(scope) ? scope.join(" ") : textOnly(scope),
    callbackPort: typeof port === "number" ? port : undefined,
  });
  return Object.keys(result).length === 0 ? undefined : result;
}

function textOnly(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function toStrings(value: unknown): unknown {
  return Array.isArray(value) ? value.map(scalarToString) : value;
}

function toStringMap(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, scalarToString(item)]),
  );
}

function scalarToString(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" ? String(value) : value;
}

function placeholder(read: FieldReader): Record<string, unknown> {
  const url = read("url");
  if (typeof url === "string") return { type: "http", url };
  const command = read("command");
  return { command: typeof command === "string" ? command : "" };
}

function compact(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

/**
 * The entry with a harmless stand-in for an address that is not one yet: whether it is right shows after expansion.
 */
function withoutReferences(config: Record<string, unknown>): Record<string, unknown> {
  const url = config["url"];
  const pending = typeof url === "string" && config["type"] !== undefined && /[$%{]/.test(url) && url.trim() !== "";
  return pending ? { ...config, url: "http://reference.invalid/" } : config;
}
