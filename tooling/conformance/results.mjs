/** What the runner's checks say, in a few lines. */

/**
 * @typedef {{ id: string, name?: string, description?: string, status: string, errorMessage?: string,
 *   details?: Record<string, unknown> }} Check
 * @typedef {{ exitCode: number | null, checks: Check[], output: string }} Run
 */

/**
 * Gives the problems of one run; none means that it passed. The runner decides by its exit status, but it also ends with
 * 0 when it skips a scenario: a run without a successful check proves nothing.
 *
 * @param {Run} run
 * @returns {string[]}
 */
export function findProblems({ exitCode, checks, output }) {
  const problems = checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map((check) => `${check.id}: ${messageOf(check)}`);
  if (exitCode === 0 && !checks.some(({ status }) => status === "SUCCESS")) problems.push("No check succeeded");
  if (exitCode !== 0 || problems.length > 0) problems.push(...explain(output, exitCode));
  return problems;
}

/** @param {Check} check */
function messageOf({ description, errorMessage, details }) {
  const detail = details?.["message"] ?? details?.["error"];
  const said = errorMessage ?? (typeof detail === "string" ? detail : undefined);
  return [description, said].filter((text) => text !== undefined && text !== "").join(" - ");
}

/** @param {string} output @param {number | null} exitCode @returns {string[]} why the client or the runner ended badly */
function explain(output, exitCode) {
  const lines = output.split(/\r?\n/);
  const from = lines.findIndex((line) => /^Client (?:exited with code|timed out)/.test(line));
  if (from < 0) return exitCode === 0 || output.includes("Failed Checks") ? [] : lines.slice(-20);
  const to = lines.findIndex((line, index) => index > from && /^(?:Results saved to|Checks:)/.test(line));
  return lines.slice(from, to < 0 ? undefined : to).filter((line) => line.trim() !== "");
}
