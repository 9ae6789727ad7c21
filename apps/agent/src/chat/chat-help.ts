/** Commands of the chat, for its help and for completion. */
export const CHAT_COMMANDS = [
  { name: "/help", usage: "/help", description: "this list" },
  { name: "/mcp", usage: "/mcp …", description: "look at, call and change MCP servers; /mcp help lists all" },
  { name: "/tools", usage: "/tools [server]", description: "the tools of this session" },
  { name: "/call", usage: "/call TOOL key=value …", description: "call a tool" },
  { name: "/model", usage: "/model", description: "which model answers" },
  {
    name: "/approval",
    usage: "/approval [MODE]",
    description: "which tools run without a question; ask, read-only, never-ask",
  },
  { name: "/exit", usage: "/exit", description: "end the servers and leave (also Ctrl-D)" },
] as const;

/** What is said to a prompt when nobody can answer it. */
export const NO_MODEL_HINT =
  "No model is configured, so nobody answers prompts; this is a shell for tools. Try /tools and /call.";
