/** HTML that is safe to put into a page. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template may contain; everything but {@link Markup} is escaped. */
type MarkupValue = Markup | string | number | readonly (Markup | string | number)[];

/** Puts HTML together: names and errors of servers are text in it, whatever characters they contain. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  const texts = values.map((value) => (Array.isArray(value) ? value.map(escapeValue).join("") : escapeValue(value)));
  return new Markup(parts.map((part, index) => part + (texts[index] ?? "")).join(""));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeValue(value: unknown): string {
  if (value instanceof Markup) return value.toString();
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
