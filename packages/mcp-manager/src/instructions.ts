import { byCodeUnits } from "./by-code-units.ts";
import { cutCharacters } from "./cut-text.ts";

/** Characters of one server's instructions, in UTF-16 code units, that are handed over. */
export const MAX_INSTRUCTIONS_CHARACTERS = 4000;

/** What one server wants the model to know. */
export interface ServerInstructions {
  server: string;
  /** As the server gave it, but no longer than the limit; what is cut says so. */
  instructions: string;
}

/** What all servers whose tools are listed want the model to know. */
export interface MergedInstructions {
  /** Sorted by the server's name in code unit order. */
  servers: ServerInstructions[];
  /** All of them under headings with the servers' names, for a system prompt; empty when no server gave any. */
  text: string;
}

/**
 * Puts the instructions of servers together. Each has a limit of its own, so that a long-winded server never crowds out
 * the others, and the same servers always give the same text.
 *
 * @param limit - Characters per server, in UTF-16 code units.
 */
export function mergeInstructions(
  given: readonly { server: string; instructions?: string | undefined }[],
  limit: number,
): MergedInstructions {
  const servers = given
    .map(({ server, instructions = "" }) => ({ server, instructions: shorten(instructions.trim(), limit) }))
    .filter(({ instructions }) => instructions !== "")
    .toSorted((a, b) => byCodeUnits(a.server, b.server));
  const text = servers.map(({ server, instructions }) => `## ${heading(server)}\n\n${instructions}`).join("\n\n");
  return { servers, text };
}

function shorten(text: string, limit: number): string {
  const shown = cutCharacters(text, limit);
  if (shown.length === text.length) return text;
  return `${shown}\n[Cut: ${text.length - shown.length} of ${text.length} characters are left out.]`;
}

// A name with line breaks could begin a section of its own.
function heading(server: string): string {
  return server.replace(/\s+/g, " ");
}
