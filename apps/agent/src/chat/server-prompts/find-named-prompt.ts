/** The longest of the names that stand at the beginning of a text, before a blank or its end; names may hold blanks. */
export function findNamedPrompt<Prompt extends { name: string }>(
  text: string,
  prompts: readonly Prompt[],
): Prompt | undefined {
  return prompts
    .filter(({ name }) => text.startsWith(name) && /^(?:\s|$)/.test(text.slice(name.length)))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}
