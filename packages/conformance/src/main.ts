import { createInterrupt } from "./command/interrupt.ts";
import { loadApiSuite } from "./command/load-api-suite.ts";
import { runConform } from "./command/run-conform.ts";
import { UsageError } from "@nodewright/terminal-text";
import { playSuite } from "./run/play-suite.ts";

const words = process.argv.slice(2);
// A reader such as head closes the pipe early: that is not an error, and only ends a run that would never end.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.exit(3);
    if (words.some((word) => word.startsWith("--every"))) process.exit(0);
  });

process.exitCode = await runConform({
  program: "conformance",
  words,
  streams: process,
  environment: process.env,
  signal: createInterrupt(process.stderr),
  play: playSuite,
  loadSuite({ api }) {
    if (api === undefined)
      throw new UsageError("--api names the package whose suite is played: --api @nodewright/bitcoin-api.");
    return loadApiSuite(api, process.cwd());
  },
});
