import { posix, win32 } from "node:path";

import { MARKER_VARIABLE } from "../process/process-marker.ts";

const COMMON = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "LANG",
  "TZ",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
  "AWS_CA_BUNDLE",
  "NODE_USE_SYSTEM_CA",
  "NODE_COMPILE_CACHE",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "NODE_USE_ENV_PROXY",
];

const WINDOWS = [
  "PATHEXT",
  "COMSPEC",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "TEMP",
  "TMP",
  "OS",
  "NUMBER_OF_PROCESSORS",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "USERNAME",
  "USERDOMAIN",
  "HOMEDRIVE",
  "HOMEPATH",
  "PUBLIC",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "PROGRAMDATA",
  "ALLUSERSPROFILE",
  "COMMONPROGRAMFILES",
  "COMMONPROGRAMFILES(X86)",
  "COMMONPROGRAMW6432",
  "PROCESSOR_ARCHITECTURE",
  "PROCESSOR_ARCHITEW6432",
  "PSMODULEPATH",
];

/** What a child's environment is made from. */
export interface ChildEnvironmentInput {
  /** The host's environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** The entry's own variables; they win. */
  entry?: Readonly<Record<string, string>>;
  platform: NodeJS.Platform;
  /** Value of the marker variable. @default none */
  marker?: string;
  /** See `ConnectOptions.compileCacheDirectory`. */
  compileCacheDirectory?: string | false | undefined;
}

/**
 * Builds the environment of a server: the entry's own variables over an allow-list of the host's.
 *
 * The list: PATH, HOME, USER, LOGNAME, SHELL, TERM, LANG, LC_*, TZ, TMPDIR, XDG_*, proxy variables in both cases,
 * certificate variables, NODE_COMPILE_CACHE, and on Windows the counterparts (PATHEXT, COMSPEC, SYSTEMROOT, APPDATA,
 * USERPROFILE, PROGRAMFILES, TEMP …) in any case. Nothing else of the host reaches a server: its keys and tokens stay.
 */
export function buildChildEnvironment(input: ChildEnvironmentInput): Record<string, string> {
  const windows = input.platform === "win32";
  const allowed = new Set(windows ? [...COMMON, ...WINDOWS].map((name) => name.toUpperCase()) : COMMON);
  const built: Record<string, string> = {};
  for (const [name, value] of Object.entries(input.env)) {
    // A value of this form is an exported shell function: code, not data.
    if (value === undefined || value.startsWith("()")) continue;
    const compared = windows ? name.toUpperCase() : name;
    if (allowed.has(compared) || compared.startsWith("LC_") || compared.startsWith("XDG_")) built[name] = value;
  }
  for (const [name, value] of Object.entries(input.entry ?? {})) {
    // Windows knows one variable where the entry and the host spell it differently.
    if (windows) for (const old of Object.keys(built)) if (sameName(old, name)) delete built[old];
    built[name] = value;
  }
  if (readVariable(built, "NODE_COMPILE_CACHE", input.platform) === undefined) {
    const directory = input.compileCacheDirectory ?? defaultCompileCache(input.env, input.platform);
    if (directory !== undefined && directory !== false) built["NODE_COMPILE_CACHE"] = directory;
  }
  if (input.marker !== undefined) built[MARKER_VARIABLE] = input.marker;
  return built;
}

/** Reads a variable; on Windows in any case. */
export function readVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (env[name] !== undefined || platform !== "win32") return env[name];
  const key = Object.keys(env).find((candidate) => sameName(candidate, name));
  return key === undefined ? undefined : env[key];
}

function defaultCompileCache(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  const base = userCacheDirectory(env, platform);
  return base === undefined
    ? undefined
    : (platform === "win32" ? win32 : posix).join(base, "toolgate", "compile-cache");
}

function userCacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === "win32") return readVariable(env, "LOCALAPPDATA", platform);
  const configured = env["XDG_CACHE_HOME"];
  if (configured !== undefined && posix.isAbsolute(configured)) return configured;
  const home = env["HOME"];
  if (home === undefined || home === "") return undefined;
  return platform === "darwin" ? posix.join(home, "Library", "Caches") : posix.join(home, ".cache");
}

function sameName(left: string, right: string): boolean {
  return left.toUpperCase() === right.toUpperCase();
}
