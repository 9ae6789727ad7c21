import { readFile } from "node:fs/promises";

const IMPORT = /^import \{([^}]*)\} from "([^"]+)";$/gm;

/**
 * Runs the first `ts` example of a README as it stands there, so that a README cannot promise what is not so.
 *
 * @param {URL} readme
 * @param {{ modules: Record<string, object>, replace?: [string, string][] }} options - what the imports give, and texts
 *   that are replaced before, such as a path that exists on no other machine
 * @returns {Promise<unknown[][]>} what it handed to `console.log`, call by call
 */
export async function runReadmeExample(readme, { modules, replace = [] }) {
  const text = await readFile(readme, "utf8");
  const [, example] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  if (example === undefined) throw new Error(`${readme.pathname} has no ts example`);
  const code = replace.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`${readme.pathname}: the example does not contain ${from}`);
    return result.replaceAll(from, to);
  }, example);
  const body = code.replace(
    IMPORT,
    (_line, names, specifier) => `const {${names}} = modules[${JSON.stringify(specifier)}];`,
  );
  /** @type {unknown[][]} */
  const logged = [];
  // oxlint-disable-next-line typescript/no-implied-eval -- the example is the program under test
  const run = new Function("modules", "console", `return (async () => { ${body} })();`);
  await run(modules, { log: (/** @type {unknown[]} */ ...parts) => logged.push(parts) });
  return logged;
}
