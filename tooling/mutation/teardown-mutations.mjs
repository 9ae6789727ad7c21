/** Mutations of the requirements L60 to L66: runtime and teardown. */
const MANAGER = "packages/mcp-manager/src";
const CLIENT = "packages/mcp-client/src";
const AGENT = "apps/agent/src";

/** @type {readonly import("./mutations.mjs").Mutation[]} */
export const teardownMutations = [
  {
    id: "L60",
    breaks: "a dropped server is started again by itself",
    file: `${MANAGER}/server-lifecycle.ts`,
    find: "registry.connected(start, connection);",
    replace:
      "registry.connected(start, connection);\n        void connection.closed.then(() => registry.isCurrent(start) && this.begin(start, undefined));",
  },
  {
    id: "L60",
    breaks: "the tools of a dropped server do not say what to do",
    file: `${MANAGER}/connection-errors.ts`,
    find: "return `Start it again with /mcp reconnect ${server} or /mcp reload`;",
    replace: "return server;",
  },
  {
    id: "L60",
    breaks: "the tools of a dropped server do not say what happened",
    file: `${MANAGER}/connection-errors.ts`,
    find: "`${server} is not connected any more: ${describeReason(reason)}`",
    replace: "`${server} is not connected any more.`",
  },
  {
    id: "L61",
    breaks: "a start with an error has no tools",
    file: `${MANAGER}/manager.ts`,
    find: "return { tools: this.getTools(), errors,",
    replace: "return { tools: errors.size === 0 ? this.getTools() : [], errors,",
  },
  {
    id: "L61",
    breaks: "disconnecting one server removes all tools",
    file: `${MANAGER}/tool-catalog.ts`,
    find: "if (removed) this.#merged = undefined;",
    replace: "if (removed) this.clear();",
  },
  {
    id: "L62",
    breaks: "a cache that cannot be written is not told of",
    file: `${MANAGER}/cache-access.ts`,
    find: "this.#logger.warn(`The tools of ${start.name} could not be cached: ${messageOf(error)}`);",
    replace: "void error;",
  },
  {
    id: "L62",
    breaks: "a cache that cannot be read fails the server",
    file: `${MANAGER}/server-lifecycle.ts`,
    find: ".then(() => mayProceed)",
    replace:
      ".then(() => mayProceed)\n      .then(() => this.#context.options.toolCache?.get(start.name, start.config, { clientCapabilities: {} }))",
  },
  {
    id: "L63",
    breaks: "the tools of a removed server stay",
    file: `${MANAGER}/manager.ts`,
    find: "const hadTools = this.#catalog.removeServer(name);",
    replace: "const hadTools = this.getTools().length > 0;",
  },
  {
    id: "L63",
    breaks: "the source of a removed server stays",
    file: `${MANAGER}/server-registry.ts`,
    find: "this.pendingToolLoads, this.sources]) {",
    replace: "this.pendingToolLoads]) {",
  },
  {
    id: "L63",
    breaks: "the end of the process is not awaited",
    file: `${MANAGER}/manager.ts`,
    find: 'status: "disconnected" });\n    await this.#lifecycle.end(start, connection);',
    replace: 'status: "disconnected" });\n    void this.#lifecycle.end(start, connection);',
  },
  {
    id: "L63",
    breaks: "a late result brings a removed server back",
    file: `${MANAGER}/server-lifecycle.ts`,
    find: "if (!registry.isCurrent(start)) throw closedError(start.name);",
    replace: "",
  },
  {
    id: "L64",
    breaks: "the end of the process trees is not awaited",
    file: `${CLIENT}/connect-to-server.ts`,
    find: "await connection.close();",
    replace: "void connection.close();",
  },
  {
    id: "L64",
    breaks: "nobody gets SIGKILL",
    file: `${CLIENT}/process/end-process-tree.ts`,
    find: "if (await tree.endsWithin(TERMINATE_GRACE)) return;",
    replace: "await tree.endsWithin(TERMINATE_GRACE);\n  return;",
  },
  {
    id: "L64",
    breaks: "grandchildren outside of the group survive",
    file: `${CLIENT}/process/end-process-tree.ts`,
    find: "for (const pid of members) if (table.get(pid)?.group !== this.child.pid) sendSignal(pid, signal);",
    replace: "void members;",
  },
  {
    id: "L65",
    breaks: "await using ends nothing",
    file: `${MANAGER}/manager.ts`,
    find: "async [Symbol.asyncDispose](): Promise<void> {\n    await this.disconnectAll();",
    replace: "async [Symbol.asyncDispose](): Promise<void> {",
  },
  {
    id: "L65",
    breaks: "a session leaves its own manager connected",
    file: `${AGENT}/session/agent-session.ts`,
    find: "if (this.#parts.ownsManager) await this.mcpManager?.disconnectAll();",
    replace: "",
  },
  {
    id: "L65",
    breaks: "a session ends the manager that it was given",
    file: `${AGENT}/session/agent-session.ts`,
    find: "if (this.#parts.ownsManager) await",
    replace: "await",
  },
  {
    id: "L65",
    breaks: "/mcp disable leaves the server running",
    file: `${AGENT}/mcp-commands/commands/enable.ts`,
    find: "const wasRunning = await endInSession(server, context);",
    replace: "const wasRunning = endInSession.length > 0;",
  },
  {
    id: "L65",
    breaks: "/mcp remove leaves the server running",
    file: `${AGENT}/mcp-commands/commands/remove.ts`,
    find: "const wasRunning = await endInSession(server, context);",
    replace: "const wasRunning = endInSession.length > 0;",
  },
  {
    id: "L66",
    breaks: "there is no exit hook",
    file: `${CLIENT}/process/child-registry.ts`,
    find: 'process.on("exit", killAllChildren);',
    replace: "",
  },
  {
    id: "L66",
    breaks: "signals are handled without being told to",
    file: `${MANAGER}/manager.ts`,
    find: "if (this.#options.handleSignals !== true || this.#stopHandlingSignals !== undefined) return;",
    replace: "if (this.#stopHandlingSignals !== undefined) return;",
  },
];
