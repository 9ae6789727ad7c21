/** A word as it can be pasted into a shell; what a file says must not become a command of its own there. */
export function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command that sets a variable in the shell that people of a platform have. */
export function setVariable(name: string, platform: NodeJS.Platform): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `Set the environment variable ${JSON.stringify(name)}`;
  return platform === "win32" ? `$env:${name} = "…"` : `export ${name}=…`;
}
