import type { ReferenceForm, TextPart, TextReference } from "./interpolate.ts";
import { splitReferences } from "./interpolate.ts";

/** How a client understands references. */
export interface ReferenceTarget {
  /** The client's name, for reasons. */
  displayName: string;
  /** How it refers to an environment variable. Absent: not at all. */
  reference?: ReferenceForm | undefined;
  /** All forms that it expands. */
  forms: readonly ReferenceForm[];
}

/** A text in a client's terms, or why there is none. Reasons never quote literal text: it may be a secret. */
export type Translation = { text: string } | { reason: string };

/**
 * Writes a text with its references in a client's forms. What the client would understand differently is refused, for
 * example a literal text that looks like one of its references.
 */
export function translateReferences(parts: readonly TextPart[], target: ReferenceTarget): Translation {
  let text = "";
  for (const part of parts) {
    const piece = typeof part === "string" ? { text: part } : translateReference(part, target);
    if ("reason" in piece) return piece;
    text += piece.text;
  }
  const understood = splitReferences(text, target.forms);
  if (comparable(understood) === comparable(parts)) return { text };
  return { reason: `holds text that ${target.displayName} would take for something else` };
}

function translateReference(reference: TextReference, target: ReferenceTarget): Translation {
  const { kind, name, form, text, fallback } = reference;
  const { displayName, forms } = target;
  if (kind !== "variable") {
    if (!forms.includes(form)) return { reason: `refers to ${text}, which ${displayName} does not know` };
    const isRelative = kind === "file" && !/^(?:~?[\\/]|[A-Za-z]:[\\/])/.test(name);
    return isRelative ? { reason: `refers to ${text}, whose path is relative to its own file` } : { text };
  }
  if (target.reference === undefined) {
    return { reason: `refers to the environment variable ${name}, and ${displayName} expands none` };
  }
  if (fallback === undefined) return { text: target.reference.replace("NAME", () => name) };
  if (!forms.includes("${NAME:-default}")) {
    return { reason: `has a default for the environment variable ${name}, and ${displayName} knows no defaults` };
  }
  const inner = translateReferences(fallback, target);
  return "reason" in inner ? inner : { text: `\${${name}:-${inner.text}}` };
}

/** Equal for parts that stand for the same; how variables are referred to does not matter. */
function comparable(parts: readonly TextPart[]): string {
  return JSON.stringify(
    parts.reduce<unknown[]>((merged, part) => {
      const last = merged.at(-1);
      if (typeof part !== "string") {
        const form = part.kind === "variable" ? undefined : part.form;
        const fallback = part.fallback === undefined ? undefined : comparable(part.fallback);
        merged.push({ kind: part.kind, name: part.name, form, fallback });
      } else if (typeof last === "string") merged[merged.length - 1] = last + part;
      else merged.push(part);
      return merged;
    }, []),
  );
}
