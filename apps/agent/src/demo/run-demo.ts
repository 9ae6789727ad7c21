import type { AppContext } from "../cli/app-context.ts";
import { writeText } from "../cli/command-line-io.ts";
import { createStyle } from "../terminal/style.ts";
import { readVersion } from "../version.ts";
import { createScratchProject, missingTourServers } from "./scratch-project.ts";
import { TourPrinter } from "./tour-printer.ts";
import { runTour } from "./tour.ts";

const DEFAULT_WIDTH = 80;
const WIDEST = 120;

/**
 * The tour with real servers, in a home and a project of its own; on a terminal it ends in the chat.
 *
 * @returns the exit status: 0 when everything was as it should be
 */
export async function runDemo(context: AppContext): Promise<number> {
  const { io, signal } = context;
  const missing = missingTourServers();
  if (missing.length > 0) {
    await writeText(
      io.stderr,
      `The tour starts servers that are not installed here. Install them with:\n  npm install ${missing.join(" ")}\n`,
    );
    return 1;
  }
  await using scratch = await createScratchProject(io.env);
  const printer = new TourPrinter(io.stdout, {
    style: createStyle({ env: io.env, isTTY: io.stdout.isTTY }),
    width: Math.min(io.stdout.columns ?? DEFAULT_WIDTH, WIDEST),
  });
  await printer.title(`Toolgate ${await readVersion()} · a tour with six MCP servers · no key, no network`);
  const asExpected = await runTour({ scratch, printer, signal });
  signal.throwIfAborted();
  if (io.stdin.isTTY && io.stdout.isTTY) {
    await writeText(
      io.stdout,
      "\nThe chat works in the tour's scratch project. /help shows what it can do, /exit leaves it.\n\n",
    );
    const { runChat } = await import("../chat/run-chat.ts");
    // Awaited here: the scratch project goes when this function returns.
    return await runChat({
      ...context,
      options: { ...context.options, cwd: scratch.project },
      io: { ...io, env: scratch.env },
      // The scratch project is ours, and so are its servers.
      trustsProject: true,
    });
  }
  return asExpected ? 0 : 1;
}
