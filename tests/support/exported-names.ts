import { readFileSync } from "node:fs";

import ts from "typescript";

const root = new URL("../../", import.meta.url);

/** What a package lets others import. */
export interface PackageSurface {
  /** Its export map as JSON: the order of the conditions counts. */
  exports: string;
  /** Names of an entry, types marked as such, in the order of the alphabet. */
  names: (entry?: string) => string[];
}

/** Reads the surface of a package from its sources. */
export function readSurface(folder: string): PackageSurface {
  const read = (path: string): string => readFileSync(new URL(`${folder}/${path}`, root), "utf8");
  return {
    exports: JSON.stringify((JSON.parse(read("package.json")) as { exports: unknown }).exports, null, 2),
    names: (entry = "index") => namesOf(read(`src/${entry}.ts`)),
  };
}

function namesOf(source: string): string[] {
  const file = ts.createSourceFile("entry.ts", source, ts.ScriptTarget.Latest);
  return file.statements
    .flatMap((statement) => {
      if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
        const { isTypeOnly, exportClause } = statement;
        return exportClause.elements.map((element) => mark(element.name.text, isTypeOnly || element.isTypeOnly));
      }
      return declaredName(statement);
    })
    .toSorted();
}

function declaredName(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [mark(statement.name.text, true)];
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name?.text ?? ""];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : ""));
}

function mark(name: string, isType: boolean): string {
  return isType ? `type ${name}` : name;
}
