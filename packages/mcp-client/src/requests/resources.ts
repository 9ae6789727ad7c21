import { isRecord } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { listPages } from "./list-pages.ts";

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

/** Lists all resources; a server that offers none is not asked. */
export async function listResources(
  connection: MCPServerConnection,
  options: RequestOptions = {},
): Promise<Resource[]> {
  if (connection.capabilities.resources === undefined) return [];
  const listing = { method: "resources/list", field: "resources", key: "uri", optional: true };
  const items = await listPages(connection, listing, options);
  return items.filter((item) => isRecord(item) && typeof item["uri"] === "string") as Resource[];
}

/** Lists all resource templates; a server that offers none is not asked. */
export async function listResourceTemplates(
  connection: MCPServerConnection,
  options: RequestOptions = {},
): Promise<ResourceTemplate[]> {
  if (connection.capabilities.resources === undefined) return [];
  const listing = {
    method: "resources/templates/list",
    field: "resourceTemplates",
    key: "uriTemplate",
    optional: true,
  };
  const items = await listPages(connection, listing, options);
  return items.filter((item) => isRecord(item) && typeof item["uriTemplate"] === "string") as ResourceTemplate[];
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
