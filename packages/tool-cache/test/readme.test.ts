import { expect, test } from "vitest";

import { runReadmeExample } from "../../../tooling/test-support/run-readme-example.mjs";
import * as toolCache from "../src/index.ts";

test("the README's example runs", async () => {
  const logged = await runReadmeExample(new URL("../README.md", import.meta.url), {
    modules: { "@toolgate/tool-cache": toolCache },
    // The reader's own cache directory stays as it is.
    replace: [["createToolCache()", 'createToolCache({ uri: "memory:" })']],
  });
  expect(logged).toEqual([[["read_graph"]]]);
});
