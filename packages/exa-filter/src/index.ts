export { exaFilter, filterExaServers } from "./exa-filter.ts";
export type { ExaFilterResult } from "./exa-filter.ts";
export { extractExaApiKey } from "./extract-exa-api-key.ts";
export { isExaServer } from "./is-exa-server.ts";
