#!/usr/bin/env node
// Plain JavaScript, so that the version and a missing build are answered before anything else is loaded.
import { existsSync, readFileSync } from "node:fs";

const words = process.argv.slice(2);

if (words[0] === "--version" || words[0] === "-V") {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  const main = new URL("../dist/cli/main.js", import.meta.url);
  if (existsSync(main)) {
    const { main: run } = await import(main.href);
    await run(words);
  } else {
    process.stderr.write("Toolgate is not built yet. In the root of its repository run: npx turbo run build\n");
    process.exitCode = 1;
  }
}
