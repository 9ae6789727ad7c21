/** What the client program does in each family of scenarios. */
import { ToolgateError } from "@toolgate/contracts";
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
 *
 * @typedef {object} Family
 * @property {ConnectOptions} [options]
 * @property {(connection: Connection, task: Task) => Promise<void>} [use] what is done once connected
 * @property {import("@toolgate/contracts").ErrorCode} [refusal] how it has to end
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

/** A sign-in that could be somebody else's. @type {Family} */
const refused = { refusal: "SIGN_IN_FAILED" };

/** @type {Record<string, Family>} */
const families = {
  "elicitation-sep1034-client-defaults": { options: formsAccepted },
  "request-metadata": { options: { ...formsAccepted, roots: [{ uri: "file:///project" }] } },
  "sep-2322-client-request-state": { options: formsAccepted, use: callToolsAtOnce },
  "http-standard-headers": { use: useEverything },
  "http-custom-headers": { use: callAsTold },
  "auth/resource-mismatch": refused,
  "auth/metadata-issuer-mismatch": refused,
  "auth/iss-supported-missing": refused,
  "auth/iss-wrong-issuer": refused,
  "auth/iss-unexpected": refused,
  "auth/iss-normalized": refused,
  "auth/scope-retry-limit": { refusal: "AUTH_REQUIRED" },
  // Its tool cannot be called.
  "json-schema-ref-no-deref": { use: async (connection) => void (await listTools(connection)) },
};

/**
 * Does what a scenario is about, and rejects when it ends otherwise than it should.
 *
 * @param {string} scenario
 * @param {Task} task
 */
export async function runClient(scenario, task) {
  const family = families[scenario] ?? {};
  try {
    await useServer(scenario, task, family);
  } catch (error) {
    if (ToolgateError.isInstance(error) && error.code === family.refusal) return;
    throw error;
  }
  if (family.refusal !== undefined) throw new Error(`It should have ended with ${family.refusal}`);
}

/** @param {string} scenario @param {Task} task @param {Family} family */
async function useServer(scenario, task, { options, use = callEveryTool }) {
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
