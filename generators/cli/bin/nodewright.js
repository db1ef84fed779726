#!/usr/bin/env node
// npm links a workspace's commands when it installs, and only to files that are there: dist is not before the first build.
// Nothing is imported that an older Node lacks before the version is known: it would stop with a stack trace.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const fewest = 24;
const version = process.versions.node;
if (Number.parseInt(version, 10) < fewest) {
  process.stderr.write(`nodewright needs Node ${fewest} or newer, and this is Node ${version}.\n`);
  process.exitCode = 2;
} else if (import.meta.url.includes("/node_modules/")) {
  await import("../dist/main.js");
} else {
  // A clone: Node follows npm's link to the package's own folder. As in the scripts of package.json, the sources run, not what was built last.
  const sources = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const { status, signal } = spawnSync(
    process.execPath,
    [...process.execArgv, "--conditions=source", sources, ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = status ?? 1;
}
