import { expect, test } from "vitest";

import { runReadmeExample } from "../../../tooling/test-support/run-readme-example.mjs";
import * as exaFilter from "../src/index.ts";

test("the README's example runs", async () => {
  const logged = await runReadmeExample(new URL("../README.md", import.meta.url), {
    modules: { "@toolgate/exa-filter": exaFilter },
  });
  expect(logged).toEqual([[["files"]], [1]]);
});
