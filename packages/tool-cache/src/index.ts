export { createToolCache, toolCacheDirectory } from "./create-tool-cache.ts";
export type { CreateToolCacheOptions } from "./create-tool-cache.ts";
export { DEFAULT_TTL_MS, MCPToolCache } from "./mcp-tool-cache.ts";
export type { MCPToolCacheOptions } from "./mcp-tool-cache.ts";
