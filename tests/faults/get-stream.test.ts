import { listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { connect } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveHttp } from "../support/http-faults.ts";

test.each([404, 400, 405, 406])(
  "a server that answers GET with %i and POST as it should is fine",
  async (getStatus) => {
    const { url } = await serveHttp({ getStatus });
    const connection = await connect({ type: "http", url });
    expect((await listTools(connection)).tools).toHaveLength(1);
    expect(connection.closeReason).toBeUndefined();
  },
);
