#!/usr/bin/env node
// Nothing is imported before the version check: an older Node fails at the first missing import, with a stack trace.
const minimumMajor = 24;
const version = process.versions.node;
if (Number.parseInt(version, 10) < minimumMajor) {
  process.stderr.write(`conformance needs Node ${minimumMajor} or newer, and this is Node ${version}.\n`);
  process.exitCode = 2;
} else await import("./main.ts");

export {};
