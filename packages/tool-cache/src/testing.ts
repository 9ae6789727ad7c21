export { describeToolCacheStore } from "./store-contract.ts";
export type { TestFunction } from "./store-contract.ts";
