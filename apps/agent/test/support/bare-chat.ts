import { createApproval } from "../../src/approval/create-approval.ts";
import type { ChatParts } from "../../src/chat/chat.ts";
import { Chat } from "../../src/chat/chat.ts";
import { ModelSwitch } from "../../src/chat/model-switch.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import { plainStyle } from "../../src/terminal/style.ts";

/** What a chat of a test is made of; what is not given is refused when it is needed. */
export type BareChatParts = Pick<ChatParts, "session" | "terminal"> & Partial<ChatParts> & { model: AgentModel };

/** Makes a chat without colour, with a model that cannot be changed. */
export function createBareChat({ model, ...parts }: BareChatParts): Chat {
  return new Chat({
    approval: createApproval({ rules: { allow: [], ask: [], deny: [] } }),
    createContext: () => {
      throw new Error("no commands here");
    },
    style: plainStyle,
    models: new ModelSwitch(
      { model, reason: "for a test", isOffline: false },
      {
        session: parts.session,
        choose: () => Promise.reject(new Error("no other model here")),
        tools: undefined,
      },
    ),
    ...parts,
  });
}
