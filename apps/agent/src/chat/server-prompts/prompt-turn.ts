import type { ContentBlock } from "@toolgate/contracts";

/** A message of a server's prompt. */
export interface PromptMessage {
  role: "user" | "assistant";
  content: Record<string, unknown>;
}

/** What a person says: a text, and what goes with it. */
export interface UserTurn {
  text: string;
  attachments: ContentBlock[];
}

const SPEAKERS = { user: "User", assistant: "Assistant" } as const;

/**
 * Makes one turn of a person out of the messages of a prompt. Texts are joined and everything else is attached; where the
 * assistant speaks too, the whole is quoted as a conversation, in its order.
 *
 * @param name - Of the prompt, as people write it.
 */
export function toUserTurn(messages: readonly PromptMessage[], name: string): UserTurn {
  const attachments: ContentBlock[] = [];
  const isConversation = messages.some(({ role }) => role === "assistant");
  const texts = messages.flatMap(({ role, content }) => {
    const block = content as unknown as ContentBlock;
    const isText = block.type === "text";
    if (!isText) attachments.push(block);
    if (!isConversation) return isText ? [block.text] : [];
    return [`${SPEAKERS[role]}:\n${isText ? block.text : `[attachment ${attachments.length}: ${describe(block)}]`}`];
  });
  if (isConversation) texts.unshift(`The prompt ${name} gives this conversation as an example; go on where it ends.`);
  // A turn without any text is refused by providers.
  return { text: texts.join("\n\n") || `The prompt ${name}:`, attachments };
}

function describe(block: ContentBlock): string {
  if (block.type === "resource") return block.resource.uri;
  return block.type === "resource_link" ? block.uri : block.type;
}
