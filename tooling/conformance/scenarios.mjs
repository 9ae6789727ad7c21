/** Which scenarios there are: the runner says so itself, and its numbers must not shrink. */

/**
 * @typedef {object} ScenarioSet
 * @property {string} name how the set is called here
 * @property {string} runner the alias in runner/package.json
 * @property {string} [revision] what is spoken on the wire; the set is the runner's frozen one of that revision
 * @property {number} atLeast how many scenarios are known to be in it
 *
 * @typedef {{ set: ScenarioSet, name: string, label: string }} Scenario
 */

/** @type {readonly ScenarioSet[]} */
export const scenarioSets = [
  { name: "2025-11-25", runner: "conformance-0.2", revision: "2025-11-25", atLeast: 18 },
  { name: "2026-07-28", runner: "conformance-0.2", revision: "2026-07-28", atLeast: 32 },
  // Every scenario of the stable line, those of extensions and of older revisions included.
  { name: "stable", runner: "conformance-0.1", atLeast: 26 },
];

/** @param {ScenarioSet} set @returns {string[]} the runner's arguments that list it */
export function listArguments({ revision }) {
  return ["list", "--client", ...(revision === undefined ? [] : ["--requirements", revision])];
}

/**
 * Reads what the runner lists. Of a frozen set only the scored scenarios belong to it.
 *
 * @param {ScenarioSet} set
 * @param {string} listing what the runner printed
 * @returns {Scenario[]}
 * @throws Error when there are fewer than there were
 */
export function readListing(set, listing) {
  const names = [];
  let isWanted = false;
  for (const line of listing.split(/\r?\n/)) {
    const [, name] = /^ {2}- (\S+)/.exec(line) ?? [];
    if (name === undefined) isWanted = line === "" ? isWanted : line.startsWith("Client scenarios");
    else if (isWanted) names.push(name);
  }
  if (names.length < set.atLeast) {
    throw new Error(
      `The runner lists ${names.length} scenarios of ${set.name}; there were ${set.atLeast}.\n${listing}`,
    );
  }
  return names.map((name) => ({ set, name, label: `${set.name} ${name}` }));
}

/** @param {Scenario[]} scenarios @param {string[]} parts @returns {Scenario[]} those whose label has one of the parts */
export function selectScenarios(scenarios, parts) {
  if (parts.length === 0) return scenarios;
  return scenarios.filter(({ label }) => parts.some((part) => label.includes(part)));
}
