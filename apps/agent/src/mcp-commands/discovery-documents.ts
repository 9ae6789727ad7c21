import type { DiscoveryWarning, SourceMeta } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { sanitizeLine } from "../terminal/sanitize-text.ts";

/** A source as documents carry it. */
export function sourceDocument(source: SourceMeta): SourceMeta {
  const { provider, providerName, path, level, origin } = source;
  return { provider, providerName, path, level, ...(origin === undefined ? {} : { origin }) };
}

/** A shadowed entry as documents carry it: which one, and what is used instead. */
export function shadowedDocument(shadowed: LoadedConfigs["shadowed"][number]): {
  name: string;
  source: SourceMeta;
  shadowedBy: SourceMeta;
  note?: string;
} {
  const { _source: source } = shadowed;
  const note: unknown = Reflect.get(shadowed, "note");
  return {
    name: shadowed.name,
    source: sourceDocument(source),
    shadowedBy: sourceDocument(shadowed.shadowedBy),
    ...(typeof note === "string" ? { note } : {}),
  };
}

/** A warning as documents carry it. */
export function warningDocument(warning: DiscoveryWarning): DiscoveryWarning {
  const { path, message, line, column, provider, server, kind, subject, expected } = warning;
  return {
    path,
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(provider === undefined ? {} : { provider }),
    ...(server === undefined ? {} : { server }),
    ...(kind === undefined ? {} : { kind }),
    ...(subject === undefined ? {} : { subject }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/** A warning for people, with its place. */
export function renderWarning(
  { path, message, line, column }: DiscoveryWarning,
  show: (path: string) => string,
): string {
  const place = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
  return sanitizeLine(`${show(path)}${place}: ${message}`);
}
