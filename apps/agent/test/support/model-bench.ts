import type { AgentTool } from "@toolgate/contracts";

import { chooseModel } from "../../src/model/choose-model.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import type { ModelServer, ModelStep } from "./model-server.ts";
import { startModelServer } from "./model-server.ts";
import type { WireName } from "./model-wires.ts";
import { plainTool } from "./plain-tool.ts";

/** The key of every provider. */
export const MODEL_KEY = "sk-secret-4711-key";

/** What a bench may have of its own. */
export interface ModelBenchOptions {
  /** @default `add` and `look` */
  tools?: readonly AgentTool[];
  /** More of the setting `model`. */
  setting?: object;
  /** The provider's name of the model. @default "stand-in" */
  name?: string;
  env?: Record<string, string>;
}

/** A model behind a stand-in of its provider, and a session that asks it. */
export interface ModelBench extends AsyncDisposable {
  server: ModelServer;
  session: AgentSession;
  model: AgentModel;
  /** Waits that were asked for, in milliseconds. */
  delays: number[];
}

/** Starts a stand-in that goes through the steps, and makes a model that asks it. */
export async function startModelBench(
  wire: WireName,
  steps: readonly ModelStep[],
  { tools = [plainTool("add"), plainTool("look")], setting = {}, name = "stand-in", env = {} }: ModelBenchOptions = {},
): Promise<ModelBench> {
  const server = await startModelServer(wire, steps);
  const delays: number[] = [];
  const { model } = await chooseModel({
    named: `${wire}/${name}`,
    setting: { baseUrls: { [wire]: server.url }, ...setting },
    env: {
      ANTHROPIC_API_KEY: MODEL_KEY,
      OPENAI_API_KEY: MODEL_KEY,
      GEMINI_API_KEY: MODEL_KEY,
      OPENAI_COMPATIBLE_API_KEY: MODEL_KEY,
      ...env,
    },
    signal: new AbortController().signal,
    delay: (milliseconds) => {
      delays.push(milliseconds);
      return Promise.resolve();
    },
    now: () => Date.parse("2026-01-01T00:00:00Z"),
  });
  const { session } = await createAgentSession({ enableMCP: false, systemPrompt: false, model, tools });
  return {
    server,
    session,
    model,
    delays,
    async [Symbol.asyncDispose]() {
      await session.dispose();
      await server[Symbol.asyncDispose]();
    },
  };
}
