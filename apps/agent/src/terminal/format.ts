/** Milliseconds for people: `12 ms`, `612 ms`, `1.5 s`, `75 s`, `3 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 1000)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

/** Milliseconds that still pass, in whole seconds: `4 s`, `1 min 5 s`. What changes more often is of no use to whoever waits. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const AGE_UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long ago something was: `2 days old`, `just now`. */
export function formatAge(milliseconds: number): string {
  for (const [unit, length] of AGE_UNITS) {
    if (milliseconds >= length) return `${formatCount(Math.floor(milliseconds / length), unit)} old`;
  }
  return "just now";
}

/** A number with its noun: `1 tool`, `14 tools`, `2 entries`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A number of bytes for people: `312 B`, `12 kB`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What paths are told from. */
export interface PathPlaces {
  cwd: string;
  home: string;
}

/** A path as people write it: below the working directory `./…`, below the home directory `~/…`. */
export function formatPath(path: string, places: PathPlaces): string {
  return shorten(path, places.cwd, ".") ?? shorten(path, places.home, "~") ?? path;
}

function shorten(path: string, base: string, sign: string): string | undefined {
  if (base === "" || base === "/") return undefined;
  const next = path[base.length];
  return path.startsWith(base) && (next === "/" || next === "\\") ? `${sign}${path.slice(base.length)}` : undefined;
}
