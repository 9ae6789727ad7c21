/** The command that sets a variable in the shell that people of a platform have. */
export function setVariable(name: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `$env:${name} = "…"` : `export ${name}=…`;
}
