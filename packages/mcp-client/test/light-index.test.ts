import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";
import { expect, test } from "vitest";

test("importing the package loads no SDK, no schema library and no child_process", async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("../src/index.ts", import.meta.url)),
    platform: "node",
    resolve: { conditionNames: ["@toolgate/source", "node", "import", "default"] },
    external: (id) => !/^[./]|^@toolgate\//.test(id),
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const chunks = output.filter((item) => item.type === "chunk");
  // Follows what is imported at once; what is imported later is a chunk of its own.
  const reached = new Set<string>();
  const queue = chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    queue.push(...(chunks.find((chunk) => chunk.fileName === name)?.imports ?? []));
  }
  expect([...reached].filter((name) => !name.endsWith(".js")).toSorted()).toEqual([
    "node:fs",
    "node:path",
    "node:util",
  ]);
  const later = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  expect(later).toContain("@modelcontextprotocol/sdk/client/index.js");
});
