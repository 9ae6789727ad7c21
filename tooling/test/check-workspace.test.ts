import { expect, test } from "vitest";

import { checkEdges, importsOf } from "../check-workspace/check-edges.mjs";
import { checkRequirements } from "../check-workspace/check-requirements.mjs";
import { checkSkeleton } from "../check-workspace/check-skeleton.mjs";
import { checkTexts } from "../check-workspace/check-texts.mjs";

const manifest = {
  name: "@toolgate/contracts",
  description: "Types",
  type: "module",
  sideEffects: false,
  license: "MIT",
  engines: { node: ">=20.19.0" },
  files: ["dist", "README.md", "CHANGELOG.md", "LICENSE"],
  exports: {
    ".": { "@toolgate/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  },
};
const entries = "CHANGELOG.md LICENSE README.md package.json src test tsconfig.build.json tsconfig.json".split(" ");

/** A workspace of one package, described as `readWorkspace` reads it. */
function workspaceOf(changes: {
  name?: string;
  manifest?: object;
  entries?: string[];
  source?: string;
  readme?: string;
}) {
  const directory = "packages/contracts";
  const name = changes.name ?? manifest.name;
  return {
    packages: [
      {
        directory,
        manifest: { ...manifest, name, ...changes.manifest },
        entries: changes.entries ?? entries,
        sources: [{ path: `${directory}/src/index.ts`, text: changes.source ?? "export {};" }],
      },
    ],
    files: [{ path: `${directory}/README.md`, text: changes.readme ?? "# contracts" }],
  };
}

test("a package that keeps the rules has no problems", () => {
  const workspace = workspaceOf({ source: 'import { join } from "node:path";\nimport { a } from "./a.ts";' });
  expect([checkEdges, checkSkeleton, checkTexts].flatMap((check) => check(workspace))).toEqual([]);
});

test.each([
  ["a static import", 'import { a } from "@toolgate/mcp-client";'],
  ["an import over several lines", 'import type {\n  A,\n} from "@toolgate/mcp-client";'],
  ["a re-export", 'export { a } from "@toolgate/mcp-client";'],
  ["a dynamic import", 'const module = await import("@toolgate/mcp-client");'],
  ["an import for its effects", 'import "@toolgate/mcp-client/testing";'],
])("an edge that is not allowed is found in %s", (_, source) => {
  const problems = checkEdges(workspaceOf({ name: "@toolgate/tool-cache", source }));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("packages/contracts/src/index.ts: must not import @toolgate/mcp-client");
});

test("an edge that is not allowed is found in a manifest", () => {
  for (const field of ["dependencies", "peerDependencies"]) {
    const problems = checkEdges(workspaceOf({ manifest: { [field]: { "@toolgate/mcp-manager": "0.0.0" } } }));
    expect(problems).toEqual(["packages/contracts/package.json: must not depend on @toolgate/mcp-manager"]);
  }
});

test.each([
  ["@modelcontextprotocol/sdk/client/index.js", "@toolgate/mcp-client"],
  ["keyv", "@toolgate/tool-cache"],
  ["@keyv/redis", "@toolgate/tool-cache"],
  ["cosmiconfig", "@toolgate/capability-discovery"],
])("%s belongs to %s alone", (specifier, owner) => {
  const source = `import x from "${specifier}";`;
  expect(checkEdges(workspaceOf({ name: owner, source }))).toEqual([]);
  expect(checkEdges(workspaceOf({ name: "@toolgate/mcp-manager", source }))).toHaveLength(1);
});

test("a package that nobody has placed is a problem", () => {
  expect(checkEdges(workspaceOf({ name: "@toolgate/new" }))).toHaveLength(1);
});

test("relative imports are no edges", () => {
  expect(importsOf('import { a } from "./a.ts";\nexport * from "../b.ts";\nawait import("./c.ts");')).toEqual([]);
});

test.each<[string, Parameters<typeof workspaceOf>[0], string]>([
  ["a missing file", { entries: entries.filter((name) => name !== "LICENSE") }, "LICENSE is missing"],
  ["a file too many", { entries: [...entries, "notes.txt"] }, "notes.txt is not part"],
  ["another module system", { manifest: { type: "commonjs" } }, '"type"'],
  ["side effects", { manifest: { sideEffects: true } }, '"sideEffects"'],
  ["another license", { manifest: { license: "ISC" } }, '"license"'],
  ["no engines", { manifest: { engines: undefined } }, '"engines.node"'],
  ["no description", { manifest: { description: "" } }, '"description"'],
  ["files that lack the build", { manifest: { files: manifest.files.slice(1) } }, '"files" lacks "dist"'],
  ["an export map without the manifest", { manifest: { exports: { ".": manifest.exports["."] } } }, "./package.json"],
  [
    "conditions in another order",
    {
      manifest: {
        exports: { ...manifest.exports, ".": Object.fromEntries(Object.entries(manifest.exports["."]).toReversed()) },
      },
    },
    "in this order",
  ],
  ["a README that is too long", { readme: "line\n".repeat(151) }, "more than 150 lines"],
])("%s is a problem of the package's shape", (_, changes, part) => {
  const problems = checkSkeleton(workspaceOf(changes));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(part);
});

test.each([
  ["a path of a machine", ["see ", "/work", "/tree/file"].join("")],
  ["a path of root's home", [`cd "`, "/root", `/.npm"`].join("")],
  ["a registry host", ["https://registry", "npmjs", "org/x"].join(".")],
])("%s in a text is a problem with its line", (_, line) => {
  const [problem = "", ...others] = checkTexts(workspaceOf({ readme: `# title\n${line}` }));
  expect(others).toEqual([]);
  expect(problem).toContain("packages/contracts/README.md:2: ");
});

test.each(["https://example.com/work/items", "src/root/file.ts", "/home/ada/notes", "~/work/x"])(
  "%s in a text is fine",
  (line) => {
    expect(checkTexts(workspaceOf({ readme: line }))).toEqual([]);
  },
);

test("a requirement without a test and a test without its requirement are problems", () => {
  // Put together here, so that the gate does not take this file's samples for citations.
  const cite = (ids: string) => ["test(verif", `ies(\n  "${ids}",\n  "something"), () => {});`].join("");
  const files = [
    { path: "docs/requirements.md", text: "- **L01** one\n- **L02** two\n- **L03** three" },
    { path: "packages/a/test/a.test.ts", text: cite("L01 L09") },
    { path: "packages/a/test/b.test.ts", text: cite("L03") },
    { path: "packages/a/src/c.ts", text: cite("L02") },
  ];
  expect(checkRequirements({ packages: [], files })).toEqual([
    "docs/requirements.md: no test cites L02",
    "packages/a/test/a.test.ts: cites L09, which is not in docs/requirements.md",
  ]);
});
