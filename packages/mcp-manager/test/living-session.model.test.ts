import fc from "fast-check";
import { test } from "vitest";

import { anyAction, anyOptions, anyPause, anyVersions, ModelSession } from "./support/session-model.ts";

// Thousands of them: npm run test:model -- --runs 5000
const RUNS = Number(process.env["TOOLGATE_MODEL_RUNS"] ?? 300);

test(
  `whatever happens in whatever order, a manager's state holds together (${RUNS} runs)`,
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        anyOptions,
        anyVersions,
        fc.array(fc.tuple(anyAction, anyPause), { size: "max", maxLength: 60 }),
        async (chosen, first, actions) => {
          const session = new ModelSession(chosen);
          await session.perform({ do: "connect", versions: first }, "settle");
          for (const [next, rest] of actions) await session.perform(next, rest);
          await session.finish();
        },
      ),
      { numRuns: RUNS },
    );
  },
);
