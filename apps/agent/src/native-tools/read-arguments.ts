/** Reads arguments as a model sent them: each mistake is an error that says what was wanted. */

/** A text that has to be there. */
export function readText(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  if (typeof value === "string") return value;
  throw new Error(value === undefined ? `The argument ${name} is missing.` : `The argument ${name} must be a string.`);
}

/** A text that may be left out. */
export function readOptionalText(args: Record<string, unknown>, name: string): string | undefined {
  return args[name] === undefined || args[name] === null ? undefined : readText(args, name);
}

/** A whole number within bounds; `fallback` when it is left out. */
export function readInteger<T>(
  args: Record<string, unknown>,
  name: string,
  { minimum, maximum, fallback }: { minimum: number; maximum: number; fallback: T },
): number | T {
  const value = args[name];
  if (value === undefined || value === null) return fallback;
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value);
  throw new Error(`The argument ${name} must be a whole number from ${minimum} to ${maximum}.`);
}

/** Yes or no; no when it is left out. */
export function readFlag(args: Record<string, unknown>, name: string): boolean {
  const value = args[name];
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  throw new Error(`The argument ${name} must be true or false.`);
}

/** Texts; undefined when they are left out. */
export function readTexts(args: Record<string, unknown>, name: string): string[] | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new Error(`The argument ${name} must be a list of strings.`);
}
