import { isRecord } from "@toolgate/contracts";

import type { NativeMCPSettings, NativeSettings } from "./native-settings.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTextList: Check = (value) => Array.isArray(value) && value.every(isText);
const isOneOf =
  (...choices: string[]): Check =>
  (value) =>
    typeof value === "string" && choices.includes(value);

const SETTINGS: ReadonlyMap<string, { check: Check; expected: string }> = new Map([
  ["mcp", { check: isRecord, expected: "an object" }],
  ["providers", { check: isTextList, expected: "a list of provider ids" }],
  ["disabledProviders", { check: isTextList, expected: "a list of provider ids" }],
  ["disabledServers", { check: isTextList, expected: "a list of server names" }],
  ["enabledServers", { check: isTextList, expected: "a list of server names" }],
  ["plugins", { check: Array.isArray, expected: "a list" }],
  ["model", { check: (value) => isText(value) || isRecord(value), expected: "a string or an object" }],
  ["approval", { check: (value) => isText(value) || isRecord(value), expected: "a string or an object" }],
  ["tools", { check: isToolSettings, expected: "an object whose native is true or false" }],
  ["exa", { check: isExaSettings, expected: "an object whose baseUrl is a string" }],
]);

const MCP_SETTINGS: ReadonlyMap<string, { check: Check; expected: string }> = new Map([
  ["enableProjectConfig", { check: (value) => typeof value === "boolean", expected: "true or false" }],
  [
    "startupTimeoutMs",
    {
      check: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
      expected: "a number of milliseconds, 0 or more",
    },
  ],
  ["reconnect", { check: isOneOf("manual", "on-call", "background"), expected: '"manual", "on-call" or "background"' }],
  ["reload", { check: isOneOf("manual", "watch"), expected: '"manual" or "watch"' }],
]);

/** Keeps the settings of the right type; the others become warnings. Servers and unknown keys are left alone. */
export function checkSettings(value: unknown, warn: (message: string) => void): Partial<NativeSettings> {
  // That a file holds no object is reported with its servers.
  if (!isRecord(value)) return {};
  const settings: Record<string, unknown> = {};
  for (const [key, { check, expected }] of SETTINGS) {
    if (!Object.hasOwn(value, key)) continue;
    if (check(value[key])) settings[key] = value[key];
    else warn(`The setting "${key}" must be ${expected}; it is ignored.`);
  }
  if (isRecord(settings["mcp"])) settings["mcp"] = checkMcpSettings(settings["mcp"], warn);
  return settings;
}

function checkMcpSettings(value: Record<string, unknown>, warn: (message: string) => void): NativeMCPSettings {
  const entries = Object.entries(value).filter(([key, item]) => {
    const rule = MCP_SETTINGS.get(key);
    if (rule === undefined || rule.check(item)) return true;
    warn(`The setting "mcp.${key}" must be ${rule.expected}; it is ignored.`);
    return false;
  });
  return Object.fromEntries(entries);
}

function isToolSettings(value: unknown): boolean {
  return isRecord(value) && (value["native"] === undefined || typeof value["native"] === "boolean");
}

function isExaSettings(value: unknown): boolean {
  return isRecord(value) && (value["baseUrl"] === undefined || isText(value["baseUrl"]));
}
