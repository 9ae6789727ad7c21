/** Commands of the chat, for its help and for completion. */
export const CHAT_COMMANDS = [
  { name: "/help", usage: "/help", description: "this list" },
  { name: "/mcp", usage: "/mcp …", description: "look at, call and change MCP servers; /mcp help lists all" },
  {
    name: "/tools",
    usage: "/tools [SERVER], /tools off|on NAME",
    description: "the tools of this session; which of them the model gets",
  },
  { name: "/call", usage: "/call TOOL key=value …", description: "call a tool" },
  { name: "/output", usage: "/output [N]", description: "the last output that was folded, or the Nth last, whole" },
  { name: "/model", usage: "/model [PROVIDER/NAME]", description: "which model answers, or another one from now on" },
  {
    name: "/approval",
    usage: "/approval [MODE]",
    description: "which tools run without a question; ask, read-only, never-ask",
  },
  { name: "/new", usage: "/new", description: "forget the conversation (also /clear); tools and servers stay" },
  { name: "/exit", usage: "/exit", description: "end the servers and leave (also Ctrl-D)" },
] as const;

/** What a line may hold beside commands, and keys, for the help of the chat. */
export const CHAT_FORMS = [
  { usage: "anything else", description: "a prompt to the model" },
  { usage: "@server:uri, @path", description: "within a prompt: a resource, a file or a folder that goes with it" },
  { usage: "/server:prompt key=value …", description: "a prompt of a server, filled in, to the model" },
  { usage: "Tab, Escape, Ctrl-C", description: "complete; end what runs; throw the input away or leave" },
] as const;

/** What is said at the start when the words of a prompt choose a tool, and nobody understands them. */
export const OFFLINE_HINT =
  "No model is configured: the words of a prompt pick a tool. A key in ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, a running Ollama or LM Studio, or /model PROVIDER/NAME gives one.";
