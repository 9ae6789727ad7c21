export { toolCacheDirectory } from "./cache-directory.ts";
export type { CacheDirectoryOptions } from "./cache-directory.ts";
export { createToolCache } from "./create-tool-cache.ts";
export type { CreateToolCacheOptions } from "./create-tool-cache.ts";
export { FileStore } from "./file-store.ts";
export type { FileStoreOptions } from "./file-store.ts";
export { MCPToolCache } from "./mcp-tool-cache.ts";
export type { MCPToolCacheOptions } from "./mcp-tool-cache.ts";
export type { ToolCacheStore } from "./tool-cache-store.ts";
