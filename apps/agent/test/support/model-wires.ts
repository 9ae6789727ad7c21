/** An answer of a model, before it is put in a provider's form. */
export interface WireAnswer {
  reasoning?: string;
  /** In pieces, as they are streamed. */
  text?: string[];
  calls?: { id: string; name: string; arguments: Record<string, unknown> | string }[];
  usage?: { input: number; cached: number; output: number };
  /** Ends the answer at the limit of tokens. */
  isCut?: boolean;
}

/** How a provider streams an answer. */
export interface Wire {
  /** Chunks of a stream of server-sent events. */
  encode(answer: WireAnswer): string[];
  /** Names of the tools in a request's body, in order. */
  toolsOf(body: Json): Json[];
}

/** Parsed JSON, of which a test looks at what it wants. */
export type Json = ReturnType<typeof JSON.parse>;

/** Ids of the wires, which are the ids of providers. */
export type WireName = "anthropic" | "openai" | "google" | "openai-compatible";

const USAGE = { input: 100, cached: 40, output: 7 };

const event = (data: { type?: string } & Record<string, unknown>): string =>
  `${data.type === undefined ? "" : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

const textOf = (args: Record<string, unknown> | string): string =>
  typeof args === "string" ? args : JSON.stringify(args);

/** Anthropic's messages. */
const anthropic: Wire = {
  encode({ reasoning, text = [], calls = [], usage = USAGE, isCut }) {
    const blocks: string[] = [];
    let index = 0;
    const block = (start: object, deltas: object[]): void => {
      blocks.push(
        event({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
        event({ type: "content_block_stop", index }),
      );
      index += 1;
    };
    if (reasoning !== undefined) {
      block({ type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking: reasoning },
        { type: "signature_delta", signature: "signed" },
      ]);
    }
    if (text.length > 0) {
      block(
        { type: "text", text: "" },
        text.map((piece) => ({ type: "text_delta", text: piece })),
      );
    }
    for (const { id, name, arguments: args } of calls) {
      const json = textOf(args);
      const half = Math.ceil(json.length / 2);
      block({ type: "tool_use", id, name, input: {} }, [
        { type: "input_json_delta", partial_json: json.slice(0, half) },
        { type: "input_json_delta", partial_json: json.slice(half) },
      ]);
    }
    const reason = calls.length > 0 ? "tool_use" : isCut === true ? "max_tokens" : "end_turn";
    return [
      event({
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "stand-in",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: usage.input - usage.cached,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: usage.cached,
            output_tokens: 1,
          },
        },
      }),
      event({ type: "ping" }),
      ...blocks,
      event({
        type: "message_delta",
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event({ type: "message_stop" }),
    ];
  },
  toolsOf: (body) => body.tools ?? [],
};

/** OpenAI's responses. */
const openai: Wire = {
  encode({ reasoning, text = [], calls = [], usage = USAGE, isCut }) {
    const items: string[] = [];
    let index = 0;
    const item = (added: object, between: Record<string, unknown>[], done: object): void => {
      items.push(
        event({ type: "response.output_item.added", output_index: index, item: added }),
        ...between.map((data) => event({ output_index: index, ...data })),
        event({ type: "response.output_item.done", output_index: index, item: done }),
      );
      index += 1;
    };
    if (reasoning !== undefined) {
      const summary = [{ type: "summary_text", text: reasoning }];
      const known = { type: "reasoning", id: "rs_1", encrypted_content: "sealed" };
      item(
        { ...known, summary: [] },
        [
          {
            type: "response.reasoning_summary_part.added",
            item_id: "rs_1",
            summary_index: 0,
            part: { type: "summary_text", text: "" },
          },
          { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: reasoning },
          {
            type: "response.reasoning_summary_part.done",
            item_id: "rs_1",
            summary_index: 0,
            part: { type: "summary_text", text: reasoning },
          },
        ],
        { ...known, summary },
      );
    }
    if (text.length > 0) {
      const known = { type: "message", id: "msg_1", role: "assistant" };
      item(
        { ...known, status: "in_progress", content: [] },
        text.map((delta) => ({
          type: "response.output_text.delta",
          item_id: "msg_1",
          content_index: 0,
          delta,
          logprobs: [],
        })),
        {
          ...known,
          status: "completed",
          content: [{ type: "output_text", text: text.join(""), annotations: [], logprobs: [] }],
        },
      );
    }
    for (const { id, name, arguments: args } of calls) {
      const known = { type: "function_call", id: `fc_${id}`, call_id: id, name };
      const json = textOf(args);
      item(
        { ...known, arguments: "", status: "in_progress" },
        [
          { type: "response.function_call_arguments.delta", item_id: `fc_${id}`, delta: json },
          { type: "response.function_call_arguments.done", item_id: `fc_${id}`, arguments: json },
        ],
        { ...known, arguments: json, status: "completed" },
      );
    }
    const response = {
      id: "resp_1",
      object: "response",
      created_at: 1_700_000_000,
      model: "stand-in",
      incomplete_details: isCut === true ? { reason: "max_output_tokens" } : null,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
      },
    };
    return [
      event({ type: "response.created", response: { ...response, usage: null } }),
      ...items,
      event({ type: isCut === true ? "response.incomplete" : "response.completed", response }),
    ];
  },
  toolsOf: (body) => body.tools ?? [],
};

/** Google's streamGenerateContent. */
const google: Wire = {
  encode({ reasoning, text = [], calls = [], usage = USAGE, isCut }) {
    const chunk = (parts: object[], more: object = {}): string =>
      event({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], modelVersion: "stand-in" });
    const usageMetadata = {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    };
    return [
      ...(reasoning === undefined ? [] : [chunk([{ text: reasoning, thought: true }])]),
      ...text.map((piece) => chunk([{ text: piece }])),
      ...(calls.length === 0
        ? []
        : [
            chunk(
              calls.map(({ name, arguments: args }) => ({
                functionCall: { name, args },
                thoughtSignature: `thought of ${name}`,
              })),
            ),
          ]),
      event({
        candidates: [
          { content: { role: "model", parts: [] }, index: 0, finishReason: isCut === true ? "MAX_TOKENS" : "STOP" },
        ],
        usageMetadata,
      }),
    ];
  },
  toolsOf: (body) => body.tools?.[0]?.functionDeclarations ?? [],
};

/** Chat completions, as local servers have them. */
const compatible: Wire = {
  encode({ reasoning, text = [], calls = [], usage = USAGE, isCut }) {
    const chunk = (delta: object, finish: string | null = null): string =>
      event({
        id: "chat_1",
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model: "stand-in",
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
      ...text.map((content) => chunk({ content })),
      ...calls.map(({ id, name, arguments: args }, index) =>
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: textOf(args) } }] }),
      ),
      chunk({}, calls.length > 0 ? "tool_calls" : isCut === true ? "length" : "stop"),
      event({
        id: "chat_1",
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model: "stand-in",
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached },
        },
      }),
      "data: [DONE]\n\n",
    ];
  },
  toolsOf: (body) => body.tools ?? [],
};

/** How each provider streams. */
export const wires: Record<WireName, Wire> = { anthropic, openai, google, "openai-compatible": compatible };

/** The tools of a request's body, byte for byte. */
export function toolBytesOf(text: string): string {
  const start = text.indexOf('"tools":');
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === "[") depth += 1;
    if (text[index] === "]") {
      depth -= 1;
      if (depth === 0) return text.slice(start, index + 1);
    }
  }
  throw new Error("a request without tools");
}
