import { isRecord } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { listEntries, type ListOptions } from "./list-entries.ts";

/** A resource as its server lists it. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  [field: string]: unknown;
}

/** A family of resources, named by a URI template (RFC 6570). */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  [field: string]: unknown;
}

/** What a resource holds: `text`, or `blob` in base64. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  [field: string]: unknown;
}

/** Lists all resources; a server that offers none is not asked. One that is listed without a name is called by its URI. */
export async function listResources(connection: MCPServerConnection, options: ListOptions = {}): Promise<Resource[]> {
  if (connection.capabilities.resources === undefined) return [];
  const listing = { kind: "resource", method: "resources/list", field: "resources", key: "uri", optional: true };
  return (await listEntries(connection, listing, options)) as unknown as Resource[];
}

/** Lists all resource templates; a server that offers none is not asked. */
export async function listResourceTemplates(
  connection: MCPServerConnection,
  options: ListOptions = {},
): Promise<ResourceTemplate[]> {
  if (connection.capabilities.resources === undefined) return [];
  const [method, field] = ["resources/templates/list", "resourceTemplates"];
  const listing = { kind: "resource template", method, field, key: "uriTemplate", optional: true };
  return (await listEntries(connection, listing, options)) as unknown as ResourceTemplate[];
}

/** Reads one resource. */
export async function readResource(
  connection: MCPServerConnection,
  uri: string,
  options: RequestOptions = {},
): Promise<{ contents: ResourceContents[] }> {
  const { contents } = await connection.request("resources/read", { uri }, options);
  return { contents: (Array.isArray(contents) ? contents.filter((item) => isRecord(item)) : []) as ResourceContents[] };
}
