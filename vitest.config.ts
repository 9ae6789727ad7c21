import { defineConfig } from "vitest/config";

// Sources are run directly: a test never depends on an earlier build, except the end-to-end ones of the built bin.
const conditions = ["@toolgate/source", "node", "import", "module", "default"];

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: "node" as const,
    pool: "forks" as const,
    // Tests wait on events; this bound only ends a run that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: [new URL("tooling/test-support/no-process-left.mjs", import.meta.url).pathname],
  },
};

function project(name: string, root: string) {
  return { ...shared, root, test: { ...shared.test, name, include: ["test/**/*.test.ts"] } };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("contracts", "packages/contracts"),
      project("capability-discovery", "packages/capability-discovery"),
      project("mcp-client", "packages/mcp-client"),
      project("mcp-manager", "packages/mcp-manager"),
      project("tool-cache", "packages/tool-cache"),
      project("exa-filter", "packages/exa-filter"),
      project("agent", "apps/agent"),
      project("tooling", "tooling"),
      project("custom-source", "examples/custom-source"),
      { ...shared, root: ".", test: { ...shared.test, name: "workspace", include: ["tests/**/*.test.ts"] } },
    ],
  },
});
