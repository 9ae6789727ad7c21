/**
 * Names a test after the requirements it proves, so that the requirements gate can find it.
 *
 * @param {string} ids - one id or several, separated by spaces, as in `docs/requirements.md`
 * @param {string} behaviour - a sentence about what is seen
 * @returns {string} the test's name
 */
export function verifies(ids, behaviour) {
  return `[${ids}] ${behaviour}`;
}
