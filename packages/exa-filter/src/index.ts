export { extractExaApiKey } from "./extract-exa-api-key.ts";
export { exaFilter, filterExaServers } from "./filter-exa-servers.ts";
export type { ExaFilterResult } from "./filter-exa-servers.ts";
export { isExaServer } from "./is-exa-server.ts";
