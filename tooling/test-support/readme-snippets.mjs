/** Type-checks the `ts` fences of a README as a reader would write them into a file of the package. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "typescript";

/**
 * @param {URL} readme
 * @returns {string[]} one line per problem; empty when every snippet compiles
 */
export function compileReadmeSnippets(readme) {
  const text = readFileSync(readme, "utf8");
  const snippets = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  if (snippets.length === 0) return ["there is no ts snippet"];
  const base = ts.readConfigFile(
    fileURLToPath(new URL("../../tsconfig.base.json", import.meta.url)),
    ts.sys.readFile,
  ).config;
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...base.compilerOptions,
      noEmit: true,
      noUnusedLocals: false,
      isolatedDeclarations: false,
      declaration: false,
      customConditions: ["@toolgate/source"],
    },
    fileURLToPath(new URL("../..", import.meta.url)),
  );
  const files = new Map(
    snippets.map((snippet, index) => [fileURLToPath(new URL(`test/readme-snippet-${index}.ts`, readme)), snippet]),
  );
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const snippet = files.get(file);
    // As a module, also where a snippet imports nothing.
    return snippet === undefined
      ? getSourceFile(file, languageVersion, ...rest)
      : ts.createSourceFile(file, `${snippet}\nexport {};`, languageVersion, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
    return `${diagnostic.file?.fileName.split("/").at(-1) ?? ""}:${line + 1} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
  });
}
