import type { ElicitationResult, FormElicitation } from "@toolgate/mcp-client";

import { isYes } from "../terminal/is-yes.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import { describeField, describeValue } from "./describe-field.ts";
import type { FieldValue, FormField } from "./form-field.ts";
import { readFormFields } from "./form-field.ts";
import { isValidValue, readAnswer } from "./read-answer.ts";
import type { RequestScene } from "./request-scene.ts";
import { asksForSecret } from "./secret-field.ts";
import { labelOf, quoteServer } from "./server-words.ts";

/** What was answered so far, by fields; a field that is left out is not in it. */
type Answers = ReadonlyMap<FormField, FieldValue>;

/** The person wants to give the server nothing. */
const DECLINED = Symbol("declined");

const SECRET_WARNING =
  "  ! This looks like a secret. A server must not ask for one this way: it can read and keep what you type.";

/**
 * Asks a person for what a server wants to know, field by field, and at the end whether it may be sent.
 *
 * @throws RequestRefusal when the schema describes no form; the signal's reason when it aborts
 */
export async function askForm(
  { message, requestedSchema }: FormElicitation,
  scene: RequestScene,
): Promise<ElicitationResult> {
  const fields = readFormFields(requestedSchema);
  const { terminal, server } = scene;
  terminal.print(`? ${server} asks you. Its words:\n${quoteServer(message, { width: terminal.columns })}`);
  terminal.print('  "!" declines, Ctrl-C cancels.');
  let answers = defaultsOf(fields);
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const filled = await askFields(fields, answers, scene);
    if (filled === DECLINED) return { action: "decline" };
    answers = filled;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const decision = await askWhetherToSend(fields, answers, scene);
    if (decision === "decline") return { action: "decline" };
    if (decision === "send") return { action: "accept", content: contentOf(fields, answers) };
  }
}

/** A default that would not be taken as an answer is none. */
function defaultsOf(fields: readonly FormField[]): Answers {
  const presets = new Map<FormField, FieldValue>();
  for (const field of fields) {
    if (field.default !== undefined && isValidValue(field.default, field.kind)) presets.set(field, field.default);
  }
  return presets;
}

async function askFields(
  fields: readonly FormField[],
  presets: Answers,
  scene: RequestScene,
): Promise<Answers | typeof DECLINED> {
  const answers = new Map<FormField, FieldValue>();
  for (const [index, field] of fields.entries()) {
    const place = { position: index + 1, count: fields.length, preset: presets.get(field) };
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answer = await askField(field, place, scene);
    if (answer === DECLINED) return DECLINED;
    if (answer !== undefined) answers.set(field, answer);
  }
  return answers;
}

/** Asks until there is an answer; undefined when the field is left out. */
async function askField(
  field: FormField,
  { position, count, preset }: { position: number; count: number; preset: FieldValue | undefined },
  { terminal, readLine }: RequestScene,
): Promise<FieldValue | undefined | typeof DECLINED> {
  const isSecret = asksForSecret(field);
  let question = describeField(field, {
    position,
    count,
    ...(preset === undefined ? {} : { preset }),
    isSecret,
    width: terminal.columns,
  });
  if (isSecret) terminal.print(SECRET_WARNING);
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- the same question until it is answered
    const typed = await readLine(question, { secret: isSecret });
    const line = isSecret ? typed : typed.trim();
    if (line === "!" || line === "/decline") return DECLINED;
    if (line === "" && (preset !== undefined || !field.isRequired)) return preset;
    if (line === "-" && preset !== undefined && !field.isRequired) return undefined;
    // No text is an answer to a choice of which none is enough, and to nothing else.
    const answer =
      line === "" && field.kind.type !== "choices"
        ? ({ ok: false, problem: "This field needs an answer." } as const)
        : readAnswer(line, field.kind);
    if (answer.ok) return answer.value;
    terminal.print(`  ✗ ${sanitizeText(answer.problem)}`);
    // The choices and the rest still stand above.
    question = question.slice(question.lastIndexOf("\n") + 1);
  }
}

async function askWhetherToSend(
  fields: readonly FormField[],
  answers: Answers,
  { terminal, server, readLine }: RequestScene,
): Promise<"send" | "edit" | "decline"> {
  const isEmpty = fields.length === 0;
  if (!isEmpty) terminal.print(`${server} would get:\n${summarize(fields, answers).join("\n")}`);
  // With nothing to fill in, the answer itself is what the server is told: it is not given by a mere Enter.
  const question = isEmpty ? "Agree? [y/N] " : "Send it? [Y/n/e] ";
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- the same question until it is answered
    const line = (await readLine(question)).trim();
    if (isYes(line) || (line === "" && !isEmpty)) return "send";
    if (/^(?:n|no|!|\/decline)$/i.test(line) || line === "") return "decline";
    if (/^(?:e|edit)$/i.test(line) && !isEmpty) return "edit";
    terminal.print(isEmpty ? "  ✗ y agrees, n declines." : "  ✗ y sends it, n declines, e asks again.");
  }
}

function summarize(fields: readonly FormField[], answers: Answers): string[] {
  return fields.map((field) => {
    const value = answers.get(field);
    const shown = asksForSecret(field) ? "(not shown)" : value === undefined ? "" : describeValue(value, field.kind);
    return `  ${labelOf(field.title)}: ${value === undefined ? "(left out)" : shown}`;
  });
}

function contentOf(fields: readonly FormField[], answers: Answers): NonNullable<ElicitationResult["content"]> {
  const entries = fields.flatMap((field): [string, FieldValue][] => {
    const value = answers.get(field);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries);
}
