import type { Places } from "../places.ts";

/** The folder of Visual Studio Code's user. */
export function vscodeUserFolder({ applicationData, join }: Places, product = "Code"): string {
  return join(applicationData, product, "User");
}

/** The folder in which Visual Studio Code keeps an extension's files. */
export function vscodeExtensionStorage(places: Places, extension: string): string {
  return places.join(vscodeUserFolder(places), "globalStorage", extension);
}
