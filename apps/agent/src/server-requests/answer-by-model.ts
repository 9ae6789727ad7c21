import { messageOf } from "@toolgate/contracts";
import type { SamplingRequest, SamplingResult } from "@toolgate/mcp-client";

import { parseApproval } from "../approval/approval-question.ts";
import { OFFLINE_NAME } from "../model/model-reference.ts";
import { UsageTotal } from "../model/usage-total.ts";
import type { AgentModel } from "../session/agent-model.ts";
import { formatCount } from "../terminal/format.ts";
import { isYes } from "../terminal/is-yes.ts";
import { renderContent } from "../terminal/render-content.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";
import { RequestRefusal } from "./request-refusal.ts";
import type { RequestScene } from "./request-scene.ts";
import type { SamplingMessage } from "./sampling-messages.ts";
import { readSamplingMessages, toModelMessages } from "./sampling-messages.ts";
import { quoteServer } from "./server-words.ts";

/** What an answer by the model needs. */
export interface SamplingOptions {
  /** What answers at the moment. */
  model: () => AgentModel | undefined;
  /** Whether the person lets this server ask without a question until the chat ends. */
  isAllowed: () => boolean;
  /** Lets it from now on. */
  allow: () => void;
}

/**
 * Lets the model of the session answer a server: a person sees the request before it costs anything, and the answer
 * before it is sent. No mode of approval for tools stands in for that.
 *
 * @throws RequestRefusal when the person says no, no model is configured, the model fails, or the request is too large;
 * the signal's reason when it aborts
 */
export async function answerByModel(
  request: SamplingRequest,
  scene: RequestScene,
  { model: currentModel, isAllowed, allow }: SamplingOptions,
): Promise<SamplingResult> {
  const messages = readSamplingMessages(request);
  const model = currentModel();
  if (model === undefined || isOffline(model)) {
    scene.terminal.print(`! ${scene.server} asked for an answer of a model; there is none here, and it was told so.`);
    throw new RequestRefusal("rejected", "No model is configured.");
  }
  const question = { request, messages, model };
  if (isAllowed())
    scene.terminal.print(`● ${scene.server} asks ${sanitizeLine(model.id)}, as you allow it in this session.`);
  else if ((await askBefore(question, scene)) === "always") allow();
  const { text, stopReason } = await requestAnswer(question, scene);
  if (!isAllowed()) await askAfter(text, scene);
  return { role: "assistant", content: { type: "text", text }, model: model.id, stopReason };
}

/** A provider's models are named `provider/name`; what stands in for one cannot answer anything. */
function isOffline({ id }: AgentModel): boolean {
  return id === OFFLINE_NAME || id.startsWith(`${OFFLINE_NAME} `);
}

interface Question {
  request: SamplingRequest;
  messages: readonly SamplingMessage[];
  model: AgentModel;
}

async function askBefore(
  { request, messages, model }: Question,
  { terminal, server, readLine }: RequestScene,
): Promise<"once" | "always"> {
  const { columns: width } = terminal;
  const limit = formatCount(request.maxTokens, "token");
  terminal.print(
    [
      `? ${server} wants ${sanitizeLine(model.id)} to answer with at most ${limit}, at your cost. Its words:`,
      ...(request.systemPrompt === undefined ? [] : ["  system:", quoteServer(request.systemPrompt, { width })]),
      ...messages.flatMap((message) => describeMessage(message, width)),
    ].join("\n"),
  );
  const line = await readLine("Answer it? [y]es once, [a]lways for this server in this session, [N]o: ");
  const { answer } = parseApproval(line);
  if (answer !== "no") return answer;
  throw new RequestRefusal("rejected", "The person declined the request.");
}

function describeMessage({ role, content }: SamplingMessage, width: number): string[] {
  return [`  ${role}:`, quoteServer(renderContent(content), { width })];
}

interface ModelAnswer {
  text: string;
  stopReason: "endTurn" | "maxTokens";
}

async function requestAnswer(
  { request, messages, model }: Question,
  { terminal, signal }: RequestScene,
): Promise<ModelAnswer> {
  const { systemPrompt, maxTokens, temperature, stopSequences } = request;
  const usage = new UsageTotal();
  const answer: ModelAnswer = { text: "", stopReason: "endTurn" };
  try {
    const events = model.respond({
      messages: toModelMessages(messages),
      tools: [],
      signal,
      maxOutputTokens: maxTokens,
      ...(systemPrompt === undefined ? {} : { system: systemPrompt }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences === undefined ? {} : { stopSequences }),
    });
    for await (const event of events) {
      if (event.type === "text") answer.text += event.text;
      else if (event.type === "usage") usage.add(event.usage);
      else if (event.type === "warning") terminal.print(`! ${sanitizeText(event.message)}`);
      else if (event.type === "finish" && event.reason === "length") answer.stopReason = "maxTokens";
    }
  } catch (error) {
    signal.throwIfAborted();
    // The reason is for the person: it may name addresses and accounts, which are none of the server's business.
    terminal.print(`✗ ${sanitizeText(messageOf(error))}`);
    throw new RequestRefusal("failed", "The model failed.");
  }
  terminal.print(usage.describe() ?? "");
  return answer;
}

async function askAfter(text: string, { terminal, server, readLine }: RequestScene): Promise<void> {
  terminal.print(`The answer:\n${quoteServer(text === "" ? "(nothing)" : text, { width: terminal.columns })}`);
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- the same question until it is answered
    const line = (await readLine(`Send it to ${server}? [Y/n] `)).trim();
    if (line === "" || isYes(line)) return;
    if (/^(?:n|no|!)$/i.test(line)) throw new RequestRefusal("rejected", "The person declined to send the answer.");
    terminal.print("  ✗ y sends it, n does not.");
  }
}
