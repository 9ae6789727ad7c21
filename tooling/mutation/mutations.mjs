/**
 * What `check-mutations.mjs` breaks: for each requirement, the behaviours that its tests must miss when they are gone.
 *
 * @typedef {object} Mutation
 * @property {string} id of the requirement in docs/requirements.md
 * @property {string} breaks what is seen once the mutation is in
 * @property {string} file path from the root
 * @property {string} find a text that the file holds exactly once
 * @property {string} replace
 */
import { beyondMutations } from "./beyond-mutations.mjs";
import { connectingMutations } from "./connecting-mutations.mjs";
import { signInMutations } from "./sign-in-mutations.mjs";
import { startupMutations } from "./startup-mutations.mjs";
import { teardownMutations } from "./teardown-mutations.mjs";
import { toolsMutations } from "./tools-mutations.mjs";

/** @type {readonly Mutation[]} */
export const mutations = [
  ...startupMutations,
  ...connectingMutations,
  ...toolsMutations,
  ...teardownMutations,
  ...signInMutations,
  ...beyondMutations,
];
