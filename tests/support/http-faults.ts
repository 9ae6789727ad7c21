import { onTestFinished } from "vitest";

import { startHttpServer } from "../../tooling/fault-servers/index.mjs";

/** An HTTP server that misbehaves as it is told, gone when the test is over. */
export async function serveHttp(
  faults: Parameters<typeof startHttpServer>[0] = {},
): Promise<Awaited<ReturnType<typeof startHttpServer>>> {
  const server = await startHttpServer(faults);
  onTestFinished(() => server.close());
  return server;
}
