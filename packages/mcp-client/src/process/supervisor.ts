import type { ChildProcess } from "node:child_process";

import { listChildren, observeChildren } from "./child-registry.ts";
import { hostMarker, MARKER_VARIABLE } from "./process-marker.ts";

/** Milliseconds that a teardown waits for the supervisor of no children to be gone. */
const FAREWELL_LIMIT = 500;

/**
 * What the supervisor runs: reads "+ pid" and "- pid" until the pipe ends, which it does however the host ends, and then
 * does what a teardown does. It starts nothing until then. The marker is an argument, so that it does not find itself.
 */
const SCRIPT = `
trap '' HUP INT TERM
marker=$1
groups=' '
while read -r verb pid; do
  case $verb in
    +) groups="$groups$pid " ;;
    -) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
members=
collect() {
  # What the children started is still below them, unless a launcher has ended.
  members="$members $groups"
  if [ -r /proc/self/stat ]; then
    found=1
    while [ $found = 1 ]; do
      found=0
      for file in /proc/[0-9]*/stat; do
        read -r line < "$file" 2>/dev/null || continue
        id=\${line%% *}
        rest=\${line##*) }
        rest=\${rest#* }
        parent=\${rest%% *}
        case " $members " in *" $id "*) continue ;; esac
        case " $members " in *" $parent "*) members="$members $id"; found=1 ;; esac
      done
    done
    for file in $(grep -l -e "$marker" /proc/[0-9]*/environ 2>/dev/null); do
      id=\${file#/proc/}
      id=\${id%/environ}
      case " $members " in *" $id "*) ;; *) members="$members $id" ;; esac
    done
  fi
}
gone() {
  for group in $groups; do kill -0 -- "-$group" 2>/dev/null && return 1; done
  for id in $members; do kill -0 "$id" 2>/dev/null && return 1; done
  return 0
}
settle() {
  turns=0
  while [ $turns -lt 10 ]; do
    gone && return 0
    sleep 0.1 2>/dev/null || { sleep 1; turns=10; }
    turns=$((turns + 1))
  done
  return 1
}
end() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  for id in $members; do kill -s "$1" "$id" 2>/dev/null; done
}
case $groups in *[0-9]*) ;; *) exit 0 ;; esac
collect
settle && exit 0
collect
end TERM
settle && exit 0
collect
end KILL
exit 0
`;

let wanted = false;
let supervisor: ChildProcess | undefined;
let farewell: Promise<void> | undefined;

/**
 * Makes sure that this host's children end also when the host is killed with SIGKILL or crashes, where no `exit` hook
 * runs: one small `/bin/sh` watches a pipe that only the host holds, and ends the children when the pipe ends.
 *
 * It costs one process start, so call it when the tools are handed over. It lives as long as the host has children, never
 * keeps the host's event loop alive, and ends by itself. Idempotent; does nothing on Windows.
 */
export function ensureProcessSupervisor(): void {
  if (process.platform === "win32" || wanted) return;
  wanted = true;
  observeChildren({
    added(pid) {
      if (supervisor === undefined) start();
      else tell(`+ ${pid}\n`);
    },
    removed(pid) {
      tell(`- ${pid}\n`);
      if (listChildren().length === 0) dismiss();
    },
    hostEnds() {
      // All it could do has just been done.
      supervisor?.kill("SIGKILL");
      supervisor = undefined;
    },
  });
  if (listChildren().length > 0) start();
}

/** Resolves when a supervisor that has no children left is gone; at once otherwise. */
export function whenSupervisorIsIdle(): Promise<void> {
  return farewell ?? Promise.resolve();
}

function start(): void {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const path = process.env["PATH"] ?? "/usr/bin:/bin";
  const script = ["-c", SCRIPT, "toolgate-supervisor", `${MARKER_VARIABLE}=${hostMarker()}`];
  const started = spawn("/bin/sh", script, {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: { PATH: path },
    cwd: "/",
  });
  // Without a shell there is no supervisor; the exit hook still works.
  started.on("error", () => forget(started));
  started.on("exit", () => forget(started));
  started.stdin?.on("error", () => {});
  started.unref();
  (started.stdin as unknown as { unref(): void } | null)?.unref();
  supervisor = started;
  for (const pid of listChildren()) tell(`+ ${pid}\n`);
}

function tell(line: string): void {
  if (supervisor?.stdin?.writable === true) supervisor.stdin.write(line);
}

function dismiss(): void {
  const leaving = supervisor;
  supervisor = undefined;
  if (leaving === undefined || leaving.exitCode !== null) return;
  farewell = new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, FAREWELL_LIMIT);
    leaving.once("exit", () => {
      clearTimeout(limit);
      resolve();
    });
  }).finally(() => {
    farewell = undefined;
  });
  leaving.stdin?.end();
}

function forget(ended: ChildProcess): void {
  if (supervisor === ended) supervisor = undefined;
}
