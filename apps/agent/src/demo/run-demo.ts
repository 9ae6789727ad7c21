import type { AppContext } from "../cli/app-context.ts";
import { writeText } from "../cli/command-line-io.ts";

/**
 * The tour with real servers.
 *
 * @returns the exit status
 */
export async function runDemo({ io }: AppContext): Promise<number> {
  await writeText(io.stderr, "The tour is not part of this build; the commands are: toolgate --help\n");
  return 1;
}
