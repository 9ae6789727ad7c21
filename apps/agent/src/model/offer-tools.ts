import { isDeepStrictEqual } from "node:util";

import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { AgentTool, ToolParameters } from "@toolgate/contracts";
import { isServerTool } from "@toolgate/mcp-manager";

import { ModelError } from "./model-error.ts";
import type { Provider } from "./providers.ts";
import { translateSchema } from "./translate-schema.ts";
import type { WireNames } from "./wire-names.ts";

/** Tools in a provider's form. */
export interface OfferedTools {
  tools: LanguageModelV3FunctionTool[];
  /** Why a tool is not among them, one text each. */
  leftOut: string[];
}

const MAX_LISTED_SERVERS = 8;
/** What stands for a server where a tool is of none. */
const HOST = "this session itself";

/**
 * Puts tools in the form that a provider takes, in the order of their names: the same tools are the same bytes in each
 * request, which is what the provider's cache goes by. One that cannot be said there is left out.
 *
 * @param sent - Schemas of earlier requests by names of tools, kept up to date here: servers exist that list the same
 *   schema with its keys in another order each time.
 * @throws ModelError when there are more than the provider takes: which ones go is the user's choice
 */
export function offerTools(
  active: readonly AgentTool[],
  provider: Provider,
  { names, sent }: { names: WireNames; sent: Map<string, ToolParameters> },
): OfferedTools {
  const offered: OfferedTools = { tools: [], leftOut: [] };
  for (const tool of active.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const translated = translateSchema(tool.parameters, provider.dialect);
    if (!translated.ok) {
      offered.leftOut.push(`${provider.displayName} does not get ${tool.name}: its schema ${translated.problem}.`);
      continue;
    }
    const before = sent.get(tool.name);
    const schema = before !== undefined && isDeepStrictEqual(before, translated.schema) ? before : translated.schema;
    sent.set(tool.name, schema);
    offered.tools.push({
      type: "function",
      name: names.toWire(tool.name),
      description: tool.description,
      inputSchema: schema as LanguageModelV3FunctionTool["inputSchema"],
      // OpenAI takes a schema for a strict one unless it is told otherwise, and strict ones have no optional parameters.
      ...(provider.id === "openai" ? { strict: false } : {}),
    });
  }
  checkCount(active, offered.tools.length, provider);
  markForCache(offered.tools, provider);
  return offered;
}

function checkCount(active: readonly AgentTool[], count: number, { displayName, maxTools }: Provider): void {
  if (maxTools === undefined || count <= maxTools) return;
  const perServer = new Map<string, number>();
  for (const tool of active) {
    const server = isServerTool(tool) ? tool.server : HOST;
    perServer.set(server, (perServer.get(server) ?? 0) + 1);
  }
  const sorted = [...perServer].toSorted(([, a], [, b]) => b - a);
  const listed = sorted.slice(0, MAX_LISTED_SERVERS).map(([server, tools]) => `${server} ${tools}`);
  const others = sorted.length > listed.length ? `, and ${sorted.length - listed.length} more servers` : "";
  const largest = sorted.find(([server]) => server !== HOST)?.[0] ?? "NAME";
  throw new ModelError(
    `${displayName} takes at most ${maxTools} tools and ${count} are active, ${count - maxTools} too many: ` +
      `${listed.join(", ")}${others}. Choose which ones go: \`/tools off ${largest}\` keeps them from ` +
      `the model in this session of the chat, \`/mcp disable ${largest}\` (outside of the chat \`toolgate mcp disable ` +
      `${largest}\`) switches a server off, \`includeTools\` in its entry names the tools that you ` +
      `need of it, and \`--tools '${largest}.*'\`, which can be given several times, offers nothing else. ` +
      "`/model` takes another model.",
  );
}

/** The tools are the first part of a request. */
function markForCache(tools: readonly LanguageModelV3FunctionTool[], { cacheMark }: Provider): void {
  const last = tools.at(-1);
  if (last !== undefined && cacheMark !== undefined) last.providerOptions = cacheMark;
}
