import type { ToolgateError } from "@toolgate/contracts";

/** What a person does about an error of a server: one sentence with the command, safe to print after sanitizing. */
export function describeNextStep(server: string, error: ToolgateError, prefix: string): string {
  switch (error.code) {
    case "NOT_TRUSTED":
      return `Look at the entry, then approve it: ${prefix} trust ${server}`;
    case "AUTH_REQUIRED":
      return `Sign in: ${prefix} auth ${server}`;
    case "CONFIG_INVALID":
    case "SUBSTITUTION_FAILED":
    case "SPAWN_FAILED":
      return `See what is wrong with the entry, and how to mend it: ${prefix} doctor`;
    case "TOOL_NOT_FOUND":
      return `See the tools that it has: ${prefix} tools ${server}`;
    default:
      return `See all that it wrote, and how far it came: ${prefix} logs ${server}`;
  }
}
