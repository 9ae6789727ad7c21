/** A host program: connects the entry of its first argument, in the era of its second, and lists its tools. */
import { connectToServer, type ConnectOptions, listTools } from "../../src/index.ts";

const config = JSON.parse(process.argv[2] ?? "{}") as Parameters<typeof connectToServer>[1];
const era = process.argv[3] as "legacy" | "modern" | undefined;

const options: ConnectOptions = { compileCacheDirectory: false, ...(era === undefined ? {} : { era }) };
const connection = await connectToServer("fixture", config, options);
await listTools(connection);
process.stdout.write(connection.era);
await connection.close();
