/** What the client program does in each family of scenarios. */
import { callTool, connectToServer, disconnectServer, listTools } from "@toolgate/mcp-client";

/**
 * @typedef {{ url: string, revision: string | undefined, context: Record<string, any> }} Task
 */

/** @param {string} scenario @returns {(task: Task) => Promise<void>} */
export function findScenario(scenario) {
  if (scenario === "elicitation-sep1034-client-defaults") return answerWithDefaults;
  return callEveryTool;
}

/** @param {Task} task @param {import("@toolgate/mcp-client").ConnectOptions} [options] */
function connect({ url }, options = {}) {
  return connectToServer("conformance", { type: "http", url }, { env: process.env, ...options });
}

/** Connects, lists, and calls each tool with arguments that fit its schema. @param {Task} task */
async function callEveryTool(task) {
  const connection = await connect(task);
  const { tools } = await listTools(connection);
  for (const { name, inputSchema } of tools) await callTool(connection, name, exampleOf(inputSchema));
  await disconnectServer(connection);
}

/** Accepts a form as it stands, the defaults of its fields filled in. @param {Task} task */
async function answerWithDefaults(task) {
  const connection = await connect(task, {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    requestHandlers: {
      "elicitation/create": (params) => ({ action: "accept", content: defaultsOf(params["requestedSchema"]) }),
    },
  });
  const { tools } = await listTools(connection);
  for (const { name } of tools) await callTool(connection, name);
  await disconnectServer(connection);
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
