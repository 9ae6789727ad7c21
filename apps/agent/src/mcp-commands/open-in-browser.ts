import type { CommandContext } from "./command-context.ts";

/**
 * Opens an address in the person's browser, where there seems to be one: somebody sits at a terminal that is not a
 * remote one, and on Linux there is a display. The address has been shown, so that nothing depends on it.
 */
export async function openInBrowser(
  url: string,
  { env, platform, confirm }: Pick<CommandContext, "env" | "platform" | "confirm">,
): Promise<void> {
  const isRemote = env["SSH_CONNECTION"] !== undefined || env["SSH_TTY"] !== undefined;
  const hasDisplay = platform !== "linux" || Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]);
  if (confirm === undefined || isRemote || !hasDisplay) return;
  try {
    const { default: open } = await import("open");
    const opener = await open(url);
    // An opener that fails says so to nobody.
    opener.on("error", () => {});
  } catch {
    // The person has the address.
  }
}
