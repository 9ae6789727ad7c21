import type { ElicitationResult, UrlElicitation } from "@toolgate/mcp-client";
import { isLoopback } from "@toolgate/mcp-client";

import { isYes } from "../terminal/is-yes.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import type { Style } from "../terminal/style.ts";
import { RequestRefusal } from "./request-refusal.ts";
import type { RequestScene } from "./request-scene.ts";
import { quoteServer } from "./server-words.ts";

/** Characters of an address that a person can still look at. */
const MAX_LENGTH = 4000;

/** What opening a page needs. */
export interface OpenOptions {
  style: Style;
  /** Opens an address in the person's browser; the app itself never asks for it. */
  openPage: (url: string) => Promise<void>;
}

/**
 * Shows a person the page that a server wants to have opened, and opens it when they say so.
 *
 * @throws RequestRefusal for anything but an http or https address; the signal's reason when it aborts
 */
export async function askToOpen(
  { message, url }: UrlElicitation,
  { terminal, server, readLine }: RequestScene,
  { style, openPage }: OpenOptions,
): Promise<ElicitationResult> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !["http:", "https:"].includes(address.protocol)) {
    throw new RequestRefusal("invalid", '"url" is not an http or https address.');
  }
  if (address.href.length > MAX_LENGTH)
    throw new RequestRefusal("invalid", `"url" is longer than ${MAX_LENGTH} characters.`);
  terminal.print(
    [
      `? ${server} wants you to open a page. Its words:`,
      quoteServer(message, { width: terminal.columns }),
      ...describeAddress(address, style),
      "  What you do there is between you and that page; the chat does not see it. Ctrl-C cancels.",
    ].join("\n"),
  );
  const answer = await readLine("Open it in the browser? [y/N] ");
  if (!isYes(answer)) return { action: "decline" };
  await openPage(address.href);
  terminal.print("If no browser opens, open the address yourself.");
  return { action: "accept" };
}

/** The whole address with its host, which decides who gets what is typed there, and what is odd about it. */
function describeAddress(address: URL, style: Style): string[] {
  const { href, host, hostname, protocol, username, password } = address;
  const user = username === "" && password === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  const start = protocol.length + "//".length + user.length;
  const emphasised = `${href.slice(0, start)}${style.bold(host)}${href.slice(start + host.length)}`;
  return [
    `  Address: ${emphasised}`,
    `  Host:    ${style.bold(sanitizeLine(host))}`,
    ...(hostname.split(".").some((label) => label.startsWith("xn--"))
      ? ["  ! The host's name has letters beyond a to z, which may look like others. It is shown as it is looked up."]
      : []),
    ...(user === "" ? [] : ["  ! What stands before the @ is no host."]),
    ...(protocol === "https:" || isLoopback(hostname) ? [] : ["  ! The connection is not encrypted."]),
  ];
}
