/**
 * What the cache needs of a store. Every `Keyv` instance fits, and so does every Keyv storage adapter.
 *
 * Contract: values are JSON; `get` gives back an equal value or `undefined`; a `set` that has resolved is seen by every
 * later `get`; concurrent `set`s of different keys, also by several processes, do not lose one another. Whoever made the
 * store owns it: `MCPToolCache.disconnect` passes the call on and nothing else ends it.
 */
export interface ToolCacheStore {
  get(key: string): Promise<unknown>;
  /** Resolves to `false` when the store knows that the write was lost. */
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  clear(): Promise<unknown>;
  /** Answers in the order of the keys. */
  getMany?(keys: string[]): Promise<unknown[]>;
  disconnect?(): Promise<unknown>;
  /** Keyv reports failures of its adapter as `error` events; without a listener they would be thrown. */
  on?(event: "error", listener: (error: unknown) => void): unknown;
}
