/** What the client program does in each family of scenarios. */
import {
  callTool,
  connectToServer,
  disconnectServer,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  readResource,
} from "@toolgate/mcp-client";

import { authorizationFor, oauthFor } from "./client-authorization.mjs";

/**
 * @typedef {import("@toolgate/mcp-client").MCPServerConnection} Connection
 * @typedef {import("@toolgate/mcp-client").ConnectOptions} ConnectOptions
 * @typedef {{ url: string, revision: string | undefined, context: Record<string, any> }} Task
 * @typedef {{ options?: ConnectOptions, use?: (connection: Connection, task: Task) => Promise<void> }} Family
 */

/** A host with a user who accepts each form as it stands. */
const formsAccepted = {
  capabilities: { elicitation: { form: { applyDefaults: true } } },
  requestHandlers: {
    "elicitation/create": (/** @type {Record<string, unknown>} */ params) => ({
      action: "accept",
      content: defaultsOf(params["requestedSchema"]),
    }),
  },
};

/** @type {Record<string, Family>} */
const families = {
  "elicitation-sep1034-client-defaults": { options: formsAccepted },
  "request-metadata": { options: { ...formsAccepted, roots: [{ uri: "file:///project" }] } },
  "sep-2322-client-request-state": { options: formsAccepted, use: callToolsAtOnce },
  "http-standard-headers": { use: useEverything },
  "http-custom-headers": { use: callAsTold },
  // Its tool cannot be called.
  "json-schema-ref-no-deref": { use: async (connection) => void (await listTools(connection)) },
};

/** Connects, does what the scenario is about, disconnects. @param {string} scenario @param {Task} task */
export async function runClient(scenario, task) {
  const { options, use = callEveryTool } = families[scenario] ?? {};
  /** @type {import("@toolgate/contracts").HttpServerConfig} */
  const config = { type: "http", url: task.url, ...oauthFor(task) };
  // Several of the servers answer `initialize` as well, which would be enough.
  if (task.revision === "2026-07-28") config.protocol = "modern";
  const authorization = scenario.startsWith("auth/") ? { authorization: authorizationFor(scenario, task) } : {};
  const connection = await connectToServer("conformance", config, { ...options, ...authorization });
  try {
    await use(connection, task);
  } finally {
    await disconnectServer(connection);
  }
}

/** @param {Connection} connection */
async function callEveryTool(connection) {
  const { tools } = await listTools(connection);
  for (const { name, inputSchema } of tools) await callTool(connection, name, exampleOf(inputSchema));
}

/** @param {Connection} connection */
async function callToolsAtOnce(connection) {
  const { tools } = await listTools(connection);
  await Promise.all(tools.map(({ name }) => callTool(connection, name)));
}

/** @param {Connection} connection @param {Task} task whose context says what to call */
async function callAsTold(connection, { context }) {
  await listTools(connection);
  for (const call of context["toolCalls"]) await callTool(connection, call.name, call.arguments);
}

/** @param {Connection} connection */
async function useEverything(connection) {
  await callEveryTool(connection);
  for (const { uri } of await listResources(connection)) await readResource(connection, uri);
  for (const { name } of await listPrompts(connection)) await getPrompt(connection, name);
}

/** @param {any} schema @returns {Record<string, unknown>} the fields of a form that have a default */
function defaultsOf(schema) {
  const fields = Object.entries(schema?.properties ?? {}).filter(([, field]) => "default" in field);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}

/** @param {any} schema @returns {Record<string, unknown>} a value for each property */
function exampleOf(schema) {
  /** @type {Record<string, unknown>} */
  const examples = { number: 1, integer: 1, boolean: true, array: [], object: {} };
  const properties = Object.entries(schema?.properties ?? {});
  return Object.fromEntries(properties.map(([name, { type }]) => [name, examples[type] ?? "text"]));
}
