import { expect, test } from "vitest";

import { runReadmeExample } from "../../../tooling/test-support/run-readme-example.mjs";
import * as contracts from "../src/index.ts";

test("the README's example runs", async () => {
  const logged = await runReadmeExample(new URL("../README.md", import.meta.url), {
    modules: { "@toolgate/contracts": contracts },
  });
  expect(logged).toEqual([
    [['"url" must start with http:// or https://']],
    [{ command: "docs-server", env: { TOKEN: "***" } }],
    ["CONFIG_INVALID", "docs"],
  ]);
});
