import type { FormField } from "./form-field.ts";

/** Words of names and titles behind which a secret is to be expected; a field is taken apart into words first. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "credential",
  "credentials",
  "cvc",
  "cvv",
  "key",
  "otp",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "pin",
  "pwd",
  "secret",
  "token",
]);

/**
 * Whether a field seems to ask for a secret. The protocol forbids servers to ask for one by a form: what is typed passes
 * through the host, and where the server is a remote one over the network.
 */
export function asksForSecret({ name, title, kind }: FormField): boolean {
  if (kind.type !== "text" && kind.type !== "number" && kind.type !== "json") return false;
  return [name, title].some((text) => wordsOf(text).some((word) => SECRET_WORDS.has(word)));
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .map((word) => (word.endsWith("s") && SECRET_WORDS.has(word.slice(0, -1)) ? word.slice(0, -1) : word));
}
