import { expect, test } from "vitest";

import { requestLimits } from "../../src/connection/request-limits.ts";

test.each([
  [undefined, {}, 60_000, 600_000],
  [5000, {}, 5000, 600_000],
  [3_600_000, {}, 3_600_000, 3_600_000],
  [0, {}, 2_147_483_647, 2_147_483_647],
  [5000, { timeout: 70 }, 70, 600_000],
  [5000, { maxTotalTimeout: 7000 }, 5000, 7000],
])("an entry's timeout of %s and a call's %j give %s ms idle and %s ms in all", (configured, options, idle, total) => {
  expect(requestLimits(configured, options)).toEqual({ idle, total });
});
