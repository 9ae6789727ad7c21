/** Which package may depend on which; siblings see each other through ports only. */
const ALLOWED = {
  "@toolgate/contracts": [],
  "@toolgate/capability-discovery": ["@toolgate/contracts"],
  "@toolgate/mcp-client": ["@toolgate/contracts"],
  "@toolgate/exa-filter": ["@toolgate/contracts"],
  "@toolgate/tool-cache": ["@toolgate/contracts"],
  "@toolgate/mcp-manager": [
    "@toolgate/contracts",
    "@toolgate/capability-discovery",
    "@toolgate/mcp-client",
    "@toolgate/exa-filter",
  ],
  "@toolgate/agent": [
    "@toolgate/contracts",
    "@toolgate/capability-discovery",
    "@toolgate/mcp-client",
    "@toolgate/mcp-manager",
    "@toolgate/tool-cache",
    "@toolgate/exa-filter",
  ],
};

/** Outside packages that only one of ours may import. */
const OWNERS = [
  { pattern: /^@modelcontextprotocol\//, owner: "@toolgate/mcp-client" },
  { pattern: /^@?keyv(\/|$)/, owner: "@toolgate/tool-cache" },
  { pattern: /^cosmiconfig(\/|$)/, owner: "@toolgate/capability-discovery" },
];

/**
 * @param {import("./read-workspace.mjs").Workspace} workspace
 * @returns {string[]} problems
 */
export function checkEdges({ packages }) {
  return packages.flatMap(({ directory, manifest, sources }) => {
    const name = manifest["name"];
    /** @type {string[] | undefined} */
    const allowed = Reflect.get(ALLOWED, name);
    if (allowed === undefined) return [`${directory}: ${name} has no entry in the table of allowed edges`];
    const declared = Object.keys({ ...manifest["dependencies"], ...manifest["peerDependencies"] });
    const imported = sources.flatMap(({ path, text }) => importsOf(text).map((specifier) => ({ path, specifier })));
    return [
      ...declared
        .filter((dependency) => isForbidden(dependency, name, allowed))
        .map((dependency) => `${directory}/package.json: must not depend on ${dependency}`),
      ...imported
        .filter(({ specifier }) => isForbidden(specifier, name, allowed))
        .map(({ path, specifier }) => `${path}: must not import ${specifier}`),
    ];
  });
}

/**
 * Specifiers of static and dynamic imports and of re-exports, relative ones left out.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function importsOf(text) {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+)["']([^"'.][^"']*)["']/gm;
  return [...text.matchAll(pattern)].map(([, specifier = ""]) => specifier);
}

/** @param {string} specifier @param {string} name @param {string[]} allowed */
function isForbidden(specifier, name, allowed) {
  if (specifier.startsWith("@toolgate/")) {
    const target = specifier.split("/").slice(0, 2).join("/");
    return target !== name && !allowed.includes(target);
  }
  return OWNERS.some(({ pattern, owner }) => pattern.test(specifier) && owner !== name);
}
