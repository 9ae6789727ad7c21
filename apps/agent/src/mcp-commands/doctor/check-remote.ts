import { isSecretName } from "@toolgate/contracts";
import { isLoopback } from "@toolgate/mcp-client";

import type { ConfiguredServer } from "./configured-server.ts";
import { nameEntry, subjectFields } from "./configured-server.ts";
import type { FindingDraft } from "./finding.ts";

/** Whether a remote server gets credentials over a connection that others can read. */
export function checkRemote(server: ConfiguredServer): FindingDraft[] {
  const { name, config, source } = server;
  if (config.type !== "http" && config.type !== "sse") return [];
  const url = URL.canParse(config.url) ? new URL(config.url) : undefined;
  if (url?.protocol !== "http:" || isLoopback(url.hostname)) return [];
  const hasCredentials =
    config.auth !== undefined ||
    config.oauth !== undefined ||
    url.password !== "" ||
    [...Object.keys(config.headers ?? {}), ...url.searchParams.keys()].some(isSecretName);
  if (!hasCredentials) return [];
  const message = `${name}: credentials are sent to ${url.host} without encryption`;
  const fix = `Write https:// in place of http:// in ${nameEntry(name, source?.path)}`;
  return [
    { level: "warning", check: "unencrypted-credentials", message, fix, ...subjectFields(server), field: ["url"] },
  ];
}
