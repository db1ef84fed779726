#!/usr/bin/env node
// This file exists in the sources, because npm links the commands of a workspace at installation, before the first build.
// Only modules that every Node has are imported before the version check: an older one would print a stack trace.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const minimumMajor = 24;
const version = process.versions.node;
if (Number.parseInt(version, 10) < minimumMajor) {
  process.stderr.write(`nodewright needs Node ${minimumMajor} or newer, and this is Node ${version}.\n`);
  process.exitCode = 2;
} else if (import.meta.url.includes("/node_modules/")) {
  await import("../dist/main.js");
} else {
  // A clone of the repository: Node resolves npm's link to the package's directory. The sources are run, as in the scripts of package.json.
  const sources = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const { status, signal } = spawnSync(
    process.execPath,
    [...process.execArgv, "--conditions=source", sources, ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = status ?? 1;
}
