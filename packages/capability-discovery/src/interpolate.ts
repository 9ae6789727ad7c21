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

/** A reference found at a position of a text. */
interface Match {
  text: string;
  kind: UnresolvedReference["kind"];
  name: string;
  value: string | undefined;
  /** Used when there is no value; may hold references itself. */
  fallback?: string;
}

type Matcher = (text: string, position: number) => Match | undefined;

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
  const variable = (pattern: RegExp): Matcher =>
    matchPattern(pattern, (name) => ({ kind: "variable", value: scope.variable(name) }));
  const input = (pattern: RegExp): Matcher =>
    matchPattern(pattern, (name) => ({ kind: "input", value: scope.input?.(name) }));
  const file = (pattern: RegExp): Matcher =>
    matchPattern(pattern, (name) => ({ kind: "file", value: scope.file?.(name) }));
  // Longer forms first: `${env:NAME}` before `${NAME}`, `$env:NAME` before `$NAME`.
  const known: [ReferenceForm, Matcher][] = [
    ["${{ secrets.NAME }}", variable(/\$\{\{\s*secrets\.([\w.-]+)\s*\}\}/y)],
    ["${{ inputs.NAME }}", input(/\$\{\{\s*inputs\.([\w.-]+)\s*\}\}/y)],
    ["${env:NAME}", variable(/\$\{env:([^}\s]+)\}/y)],
    ["${input:ID}", input(/\$\{input:([^}]+)\}/y)],
    ["${file:PATH}", file(/\$\{file:([^}]+)\}/y)],
    ["${NAME:-default}", matchDefault(scope)],
    ["${NAME}", variable(/\$\{([A-Za-z_]\w*)\}/y)],
    ["{env:NAME}", variable(/\{env:([^}\s]+)\}/y)],
    ["{file:PATH}", file(/\{file:([^}]+)\}/y)],
    ["$env:NAME", variable(/\$env:([A-Za-z_]\w*)/y)],
    ["$NAME", variable(/\$([A-Za-z_]\w*)/y)],
    ["%NAME%", variable(/%([A-Za-z_][\w()]*)%/y)],
  ];
  const matchers = known.filter(([form]) => declared.has(form)).map(([, matcher]) => matcher);
  const named = [...declared].filter((form) => NAMED_FORMS.has(form));
  return named.length === 0 ? matchers : [matchNamed(named, scope), ...matchers];
}

function matchPattern(pattern: RegExp, resolve: (name: string) => Pick<Match, "kind" | "value">): Matcher {
  return (text, position) => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    const name = found?.[1];
    return found === null || name === undefined ? undefined : { text: found[0], name, ...resolve(name) };
  };
}

function matchNamed(forms: readonly ReferenceForm[], scope: ReferenceScope): Matcher {
  return (text, position) => {
    const form = forms.find((candidate) => text.startsWith(candidate, position));
    if (form === undefined) return undefined;
    const name = form.slice(2, -1);
    const names = scope.names ?? {};
    return { text: form, kind: "variable", name, value: Object.hasOwn(names, name) ? names[name] : undefined };
  };
}

/** `${NAME:-default}`, whose default may hold references with braces of their own. */
function matchDefault(scope: ReferenceScope): Matcher {
  const start = /\$\{([A-Za-z_]\w*):-/y;
  return (text, position) => {
    start.lastIndex = position;
    const found = start.exec(text);
    const name = found?.[1];
    if (name === undefined) return undefined;
    const from = start.lastIndex;
    const end = findClosingBrace(text, from);
    if (end === undefined) return undefined;
    const fallback = text.slice(from, end);
    return { text: text.slice(position, end + 1), kind: "variable", name, value: scope.variable(name), fallback };
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
