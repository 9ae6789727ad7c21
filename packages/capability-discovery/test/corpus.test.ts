import { expect, test } from "vitest";

import { mcpProviders } from "../src/index.ts";
import { describeProvider } from "../src/testing.ts";
import { listCorpusClients, PLATFORMS, readCorpusCases, readCorpusFiles } from "./support/corpus.ts";

// Each client's folder holds files as people have them, and beside them what must be found there.
test("the corpus has every built-in provider and no other", () => {
  expect(listCorpusClients().toSorted()).toEqual(mcpProviders.map(({ id }) => id).toSorted());
});

for (const provider of mcpProviders) {
  describeProvider(test, () => provider, readCorpusCases(provider.id));

  test.each(PLATFORMS)(`${provider.id}: looks where the client does (%s)`, async (platform) => {
    const [home, project] = platform === "win32" ? ["C:\\Users\\ana", "D:\\app"] : ["/home/ana", "/srv/app"];
    const files = await provider.files?.({ cwd: project, home, env: {}, platform });
    const expected = readCorpusFiles(provider.id)[platform];
    expect(files?.map(({ level, path }) => `${level} ${path}`)).toEqual(
      expected.map((line) => line.replaceAll("{home}", home).replaceAll("{project}", project)),
    );
  });
}
