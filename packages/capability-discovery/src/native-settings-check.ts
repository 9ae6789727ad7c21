import { isAbsolute } from "node:path";

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
  [
    "outputLimits",
    {
      check: isOutputLimits,
      expected: "false, or an object of numbers, 0 or more, and a directory with its full path",
    },
  ],
  ["reconnect", { check: isOneOf("manual", "on-call", "background"), expected: '"manual", "on-call" or "background"' }],
  ["reload", { check: isOneOf("manual", "diff", "watch"), expected: '"manual", "diff" or "watch"' }],
  [
    "maxConcurrentStarts",
    {
      check: (value) => typeof value === "number" && Number.isInteger(value) && value >= 1,
      expected: "a whole number, 1 or more",
    },
  ],
  ["logs", { check: isOneOf("off", "messages", "protocol"), expected: '"off", "messages" or "protocol"' }],
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

function isOutputLimits(value: unknown): boolean {
  if (!isRecord(value)) return value === false;
  const { directory, ...numbers } = value;
  if (directory !== undefined && !(typeof directory === "string" && isAbsolute(directory))) return false;
  return Object.values(numbers).every((item) => typeof item === "number" && item >= 0);
}
