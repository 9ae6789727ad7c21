/** A host program: connects with a stored sign-in that has to be renewed, once its standard input says so. */
import { once } from "node:events";

import { callTool, connectToServer, createFileCredentialStorage } from "../../src/index.ts";

const [url = "", directory = ""] = process.argv.slice(2);
/** By then every token of the test has ended. */
const MUCH_LATER = 24 * 3_600_000;

process.stdout.write("ready\n");
await once(process.stdin, "data");
const connection = await connectToServer(
  "guarded",
  { type: "http", url },
  {
    authorization: {
      storage: createFileCredentialStorage({ directory }),
      now: () => Date.now() + MUCH_LATER,
    },
  },
);
const { content } = await callTool(connection, "read", {});
process.stdout.write(`${JSON.stringify(content)}\n`);
await connection.close();
process.exit(0);
