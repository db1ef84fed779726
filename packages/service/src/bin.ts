#!/usr/bin/env -S node --max-semi-space-size=16
// Only syntax that every Node supports is used here: an older one must print a sentence, not a stack trace.
const minimumMajor = 24;
const major = Number.parseInt(process.versions.node, 10);

if (major < minimumMajor) {
  process.stderr.write(
    `nodewright-service needs Node ${minimumMajor} or newer, this is ${process.version}: start it with "npm start", which brings its own.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import("./main.ts");
  await main();
}

export {};
