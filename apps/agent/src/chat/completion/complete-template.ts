/** How far a URI has been typed by a template: up to a literal part, or into the value of a variable. */
export type TemplatePosition =
  /** The URI up to the next variable. */
  | { kind: "literal"; uri: string }
  | {
      kind: "variable";
      name: string;
      /** What is typed of its value, decoded. */
      value: string;
      /** Values of the variables before. */
      known: Record<string, string>;
      /** Makes the URI with a whole value, up to the next variable. */
      fill: (value: string) => string;
      /** Whether nothing is missing behind the value. */
      isLast: boolean;
    };

/**
 * Finds out how far a URI has come by a URI template. Expressions with one variable, plain or `{+reserved}`, can be
 * completed, which are nearly all that servers have.
 *
 * @returns undefined when the URI is no beginning of the template's, or nothing can be said about what comes next
 */
export function findTemplatePosition(template: string, typed: string): TemplatePosition | undefined {
  const parts = template.split(/\{([^{}]*)\}/);
  const known: Record<string, string> = {};
  let position = 0;
  for (const [index, part] of parts.entries()) {
    const rest = typed.slice(position);
    if (index % 2 === 0) {
      if (!rest.startsWith(part)) {
        return part.startsWith(rest) ? { kind: "literal", uri: typed.slice(0, position) + part } : undefined;
      }
      position += part.length;
      continue;
    }
    const [, operator = "", name = ""] = /^(\+?)([\w.%]+)$/.exec(part) ?? [];
    if (name === "") return undefined;
    const { [index + 1]: next = "" } = parts;
    const end = next === "" ? -1 : rest.indexOf(next.charAt(0));
    if (end === -1) {
      const encode = operator === "+" ? encodeURI : encodeURIComponent;
      const fill = (value: string): string => `${typed.slice(0, position)}${encode(value)}${next}`;
      return { kind: "variable", name, value: decode(rest), known, fill, isLast: index + 2 >= parts.length };
    }
    known[name] = decode(rest.slice(0, end));
    position += end;
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
