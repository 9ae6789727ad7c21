import type { MCPServerConfig } from "@toolgate/contracts";

import { commandLineOf, textPairsOf, urlsIn, urlsOf } from "./config-texts.ts";

const NAME = /^-{0,2}exa[-_]?api[-_]?key$/i;

/**
 * The API key that an Exa entry holds. Looked for in this order: the `exaApiKey` parameter of its URLs, its arguments,
 * its environment, its headers, its bearer token. Placeholders such as `${EXA_API_KEY}` are no keys.
 *
 * @returns The key, a secret; `undefined` when there is none.
 */
export function extractExaApiKey(config: MCPServerConfig): string | undefined {
  return listExaApiKeys(config)[0];
}

/** All keys of an entry in the order of {@link extractExaApiKey}, each once. */
export function listExaApiKeys(config: MCPServerConfig): string[] {
  const candidates = [
    ...urlsOf(config).flatMap((url) => [...url.searchParams].filter(([name]) => NAME.test(name)).map(([, key]) => key)),
    ...keysOfArguments(commandLineOf(config)),
    ...textPairsOf(config, "env")
      .filter(([name]) => NAME.test(name))
      .map(([, key]) => key),
    ...textPairsOf(config, "headers").flatMap(([name, value]) => keyOfHeader(name, value)),
    ...(typeof config.auth?.token === "string" ? [config.auth.token] : []),
  ];
  return [...new Set(candidates.map((key) => key.trim()))].filter((key) => !isPlaceholder(key));
}

function keysOfArguments(texts: string[]): string[] {
  return texts.flatMap((text, index) => {
    if (NAME.test(text)) return texts.slice(index + 1, index + 2).filter((next) => !next.startsWith("-"));
    // The parameters of a URL have been read, and decoded, as such.
    if (urlsIn(text).length > 0) return [];
    const header = /^([\w-]+)\s*:\s*(.*)$/s.exec(text);
    if (header !== null) return keyOfHeader(header[1] ?? "", header[2] ?? "");
    return [...text.matchAll(/(?:^|[\s"'?&-])exa[-_]?api[-_]?key=("[^"]*"|'[^']*'|[^\s&"']+)/gi)].map((match) =>
      (match[1] ?? "").replace(/^(["'])(.*)\1$/, "$2"),
    );
  });
}

function keyOfHeader(name: string, value: string): string[] {
  const lower = name.toLowerCase();
  if (lower === "x-api-key" || NAME.test(lower)) return [value];
  if (lower !== "authorization") return [];
  const [, token] = /^bearer\s+(\S+)\s*$/i.exec(value.trim()) ?? [];
  return token === undefined ? [] : [token];
}

/** What stands where a person, a variable or a command is to put a key. */
function isPlaceholder(key: string): boolean {
  return (
    key === "" ||
    NAME.test(key) ||
    // ${VAR}, ${input:id}, $VAR, %VAR%, {env:VAR}, {{VAR}}, <key>, [key], !command
    /[<>{}[\]\s]|^\$|^%.*%$|^!/.test(key) ||
    /^(?:your|my|insert|enter|replace|paste|put|change|add|some|the)(?:[-_.].*)?$/i.test(key) ||
    /^(?:your|my)(?:exa)?(?:api)?(?:key|token)/i.test(key) ||
    /^(?:x+|\*+|\.+|-+|_+|…+|todo|changeme|placeholder|none|null|undefined)$/i.test(key)
  );
}
