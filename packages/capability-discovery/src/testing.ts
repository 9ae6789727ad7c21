export { describeProvider } from "./provider-contract.ts";
export type { ExpectedServer, ProviderCase, TestFunction } from "./provider-contract.ts";
