/**
 * Loads what the first connection of a process needs, the SDK above all: once, some 200 ms of work. Connections load it by
 * themselves; who starts several servers calls this to know when that work is done.
 */
export async function loadClient(): Promise<void> {
  await Promise.all([
    import("./connection/open-connection.ts"),
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
}
