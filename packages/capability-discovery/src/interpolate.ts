/**
 * The forms of reference that configuration files use. A client's syntax is the list of those that it understands;
 * everything else stays as it is written.
 */
export type ReferenceForm =
  | "${NAME}"
  | "${NAME:-default}"
  | "${env:NAME}"
  | "$env:NAME"
  | "$NAME"
  | "%NAME%"
  | "{env:NAME}"
  | "{file:PATH}"
  | "${file:PATH}"
  | "${input:ID}"
  | "${{ secrets.NAME }}"
  | "${{ inputs.NAME }}"
  | "${userHome}"
  | "${workspaceFolder}"
  | "${workspaceFolderBasename}"
  | "${pathSeparator}"
  | "${/}";

/** What references stand for. */
export interface ReferenceScope {
  /** An environment variable; `undefined` when it is not set. */
  variable(name: string): string | undefined;
  /** The answer to an input that the file declares; `undefined` when there is none. */
  input?(id: string): string | undefined;
  /** The text of a file that was read before; `undefined` when it cannot be read. */
  file?(path: string): string | undefined;
  /** Values of the named references, such as `userHome`. */
  names?: Readonly<Partial<Record<string, string>>>;
}

/** A reference that stands for nothing. */
export interface UnresolvedReference {
  /** As it is written, for example `${TOKEN}`. */
  text: string;
  kind: "variable" | "input" | "file";
  name: string;
}

/** A text after expansion. */
export interface Expansion {
  value: string;
  unresolved: UnresolvedReference[];
}

/** How an expansion works. */
export interface ExpansionRules {
  forms: readonly ReferenceForm[];
  /** What an unset reference becomes: itself, or nothing. @default "literal" */
  unset?: "literal" | "empty";
}

/** A reference within a text that is not expanded. */
export interface TextReference {
  /** As it is written. What a default holds may be secret. */
  text: string;
  form: ReferenceForm;
  kind: "variable" | "input" | "file" | "place";
  name: string;
  /** The parts of the default, where the form has one. */
  fallback?: readonly TextPart[];
}

/** A piece of a text: literal, or a reference. */
export type TextPart = string | TextReference;

/** A reference found at a position of a text. */
interface Match {
  text: string;
  form: ReferenceForm;
  kind: UnresolvedReference["kind"];
  name: string;
  value: string | undefined;
  /** Used when there is no value; may hold references itself. */
  fallback?: string;
}

type Matcher = (text: string, position: number) => Match | undefined;

type Resolver = (name: string) => Pick<Match, "kind" | "value">;

const NAMED_FORMS: ReadonlySet<string> = new Set<ReferenceForm>([
  "${userHome}",
  "${workspaceFolder}",
  "${workspaceFolderBasename}",
  "${pathSeparator}",
  "${/}",
]);

/**
 * Expands the references of a text, from left to right. What a reference stands for is never expanded again. A reference
 * of a form that is not declared, such as the shell's `${_R%/}`, is ordinary text.
 */
export function expandReferences(text: string, rules: ExpansionRules, scope: ReferenceScope): Expansion {
  if (!/[$%{]/.test(text)) return { value: text, unresolved: [] };
  return expand(text, rules, createMatchers(rules, scope));
}

function expand(text: string, rules: ExpansionRules, matchers: readonly Matcher[]): Expansion {
  const unresolved: UnresolvedReference[] = [];
  let value = "";
  let position = 0;
  while (position < text.length) {
    const match = findMatch(text, position, matchers);
    if (match === undefined) {
      value += text[position];
      position += 1;
      continue;
    }
    position += match.text.length;
    if (match.value !== undefined) {
      value += match.value;
    } else if (match.fallback !== undefined) {
      const inner = expand(match.fallback, rules, matchers);
      value += inner.value;
      unresolved.push(...inner.unresolved);
    } else {
      unresolved.push({ text: match.text, kind: match.kind, name: match.name });
      if (rules.unset !== "empty" || match.kind !== "variable") value += match.text;
    }
  }
  return { value, unresolved };
}

/** Splits a text into its literal parts and its references, of which none is expanded. */
export function splitReferences(text: string, forms: readonly ReferenceForm[]): TextPart[] {
  return split(text, createMatchers({ forms }, { variable: () => undefined }));
}

function split(text: string, matchers: readonly Matcher[]): TextPart[] {
  const parts: TextPart[] = [];
  let literal = "";
  for (let position = 0; position < text.length;) {
    const match = findMatch(text, position, matchers);
    if (match === undefined) {
      literal += text[position];
      position += 1;
      continue;
    }
    if (literal !== "") parts.push(literal);
    literal = "";
    position += match.text.length;
    const { form, name, fallback } = match;
    parts.push({
      text: match.text,
      form,
      kind: NAMED_FORMS.has(form) ? "place" : match.kind,
      name,
      ...(fallback === undefined ? {} : { fallback: split(fallback, matchers) }),
    });
  }
  if (literal !== "") parts.push(literal);
  return parts;
}

function findMatch(text: string, position: number, matchers: readonly Matcher[]): Match | undefined {
  const character = text[position];
  if (character !== "$" && character !== "%" && character !== "{") return undefined;
  for (const matcher of matchers) {
    const match = matcher(text, position);
    if (match !== undefined) return match;
  }
  return undefined;
}

function createMatchers(rules: ExpansionRules, scope: ReferenceScope): Matcher[] {
  const declared = new Set<ReferenceForm>(rules.forms);
  const variable: Resolver = (name) => ({ kind: "variable", value: scope.variable(name) });
  const input: Resolver = (name) => ({ kind: "input", value: scope.input?.(name) });
  const file: Resolver = (name) => ({ kind: "file", value: scope.file?.(name) });
  // Longer forms first: `${env:NAME}` before `${NAME}`, `$env:NAME` before `$NAME`.
  const known: [ReferenceForm, RegExp, Resolver][] = [
    ["${{ secrets.NAME }}", /\$\{\{\s*secrets\.([\w.-]+)\s*\}\}/y, variable],
    ["${{ inputs.NAME }}", /\$\{\{\s*inputs\.([\w.-]+)\s*\}\}/y, input],
    ["${env:NAME}", /\$\{env:([^}\s]+)\}/y, variable],
    ["${input:ID}", /\$\{input:([^}]+)\}/y, input],
    ["${file:PATH}", /\$\{file:([^}]+)\}/y, file],
    ["${NAME:-default}", /\$\{([A-Za-z_]\w*):-/y, variable],
    ["${NAME}", /\$\{([A-Za-z_]\w*)\}/y, variable],
    ["{env:NAME}", /\{env:([^}\s]+)\}/y, variable],
    ["{file:PATH}", /\{file:([^}]+)\}/y, file],
    ["$env:NAME", /\$env:([A-Za-z_]\w*)/y, variable],
    ["$NAME", /\$([A-Za-z_]\w*)/y, variable],
    ["%NAME%", /%([A-Za-z_][\w()]*)%/y, variable],
  ];
  const matchers = known
    .filter(([form]) => declared.has(form))
    .map(([form, pattern, resolve]) =>
      form === "${NAME:-default}" ? matchDefault(form, pattern, resolve) : matchPattern(form, pattern, resolve),
    );
  const named = [...declared].filter((form) => NAMED_FORMS.has(form));
  return named.length === 0 ? matchers : [matchNamed(named, scope), ...matchers];
}

function matchPattern(form: ReferenceForm, pattern: RegExp, resolve: Resolver): Matcher {
  return (text, position) => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    const name = found?.[1];
    return found === null || name === undefined ? undefined : { text: found[0], form, name, ...resolve(name) };
  };
}

function matchNamed(forms: readonly ReferenceForm[], scope: ReferenceScope): Matcher {
  return (text, position) => {
    const form = forms.find((candidate) => text.startsWith(candidate, position));
    if (form === undefined) return undefined;
    const name = form.slice(2, -1);
    const names = scope.names ?? {};
    return { text: form, form, kind: "variable", name, value: Object.hasOwn(names, name) ? names[name] : undefined };
  };
}

/** `${NAME:-default}`, whose default may hold references with braces of their own. */
function matchDefault(form: ReferenceForm, start: RegExp, resolve: Resolver): Matcher {
  return (text, position) => {
    start.lastIndex = position;
    const name = start.exec(text)?.[1];
    if (name === undefined) return undefined;
    const from = start.lastIndex;
    const end = findClosingBrace(text, from);
    if (end === undefined) return undefined;
    const fallback = text.slice(from, end);
    return { text: text.slice(position, end + 1), form, name, ...resolve(name), fallback };
  };
}

function findClosingBrace(text: string, from: number): number | undefined {
  let depth = 0;
  for (let position = from; position < text.length; position += 1) {
    if (text.startsWith("${", position)) {
      depth += 1;
      position += 1;
    } else if (text[position] === "}") {
      if (depth === 0) return position;
      depth -= 1;
    }
  }
  return undefined;
}
