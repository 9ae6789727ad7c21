import type { AppContext } from "../cli/app-context.ts";
import { writeText } from "../cli/command-line-io.ts";

/**
 * The chat in the terminal.
 *
 * @returns the exit status
 */
export async function runChat({ io }: AppContext): Promise<number> {
  await writeText(io.stderr, "The chat is not part of this build; the commands are: toolgate --help\n");
  return 1;
}
