import { join } from "node:path";

/** Names that every child gets from its host, by exact name. */
const NAMES = [
  "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR",
  // Proxies, in both cases since programs differ.
  "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
  // Certificates.
  "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
  "NODE_COMPILE_CACHE",
];

/** What a process needs on Windows, where names have no case. */
const WINDOWS_NAMES = [
  "PATHEXT", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP", "USERNAME", "USERPROFILE", "USERDOMAIN",
  "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)",
  "PROGRAMW6432", "COMMONPROGRAMFILES", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS", "OS",
];

const PREFIXES = ["LC_", "XDG_"];

/** What the environment of a child is made of. */
export interface ChildEnvironmentOptions {
  /** The host's environment. */
  host: Record<string, string | undefined>;
  /** The entry's own `env`; wins over everything but the marker. */
  entry?: Record<string, string>;
  /** @default process.platform */
  platform?: NodeJS.Platform;
  /** See {@link ConnectOptions.compileCacheDirectory}. */
  compileCacheDirectory?: string | false;
}

/**
 * The environment of a child: an allow-listed part of the host's and what the entry says. Keys, tokens and everything
 * else of the host's environment stay with the host.
 */
export function buildChildEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const isWindows = (options.platform ?? process.platform) === "win32";
  const allowed = new Set(isWindows ? [...NAMES, ...WINDOWS_NAMES].map((name) => name.toUpperCase()) : NAMES);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.host)) {
    const key = isWindows ? name.toUpperCase() : name;
    if (value === undefined || !(allowed.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix)))) continue;
    // A function that a shell exported would be run by the next shell that reads it.
    if (value.startsWith("()")) continue;
    environment[name] = value;
  }
  const compileCache = options.compileCacheDirectory ?? defaultCompileCache(options.host);
  if (compileCache !== false && compileCache !== undefined) environment["NODE_COMPILE_CACHE"] ??= compileCache;
  for (const [name, value] of Object.entries(options.entry ?? {})) {
    // On Windows "Path" of the entry has to replace "PATH" of the host rather than stand beside it.
    if (isWindows) {
      for (const other of Object.keys(environment)) if (other.toUpperCase() === name.toUpperCase()) delete environment[other];
    }
    environment[name] = value;
  }
  return environment;
}

function defaultCompileCache(host: Record<string, string | undefined>): string | undefined {
  const home = host["HOME"] ?? host["USERPROFILE"];
  const base = host["XDG_CACHE_HOME"] || (home === undefined ? undefined : join(home, ".cache"));
  return base === undefined ? undefined : join(base, "toolgate", "compile-cache");
}
