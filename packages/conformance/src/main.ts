import { createInterrupt } from "./command/interrupt.ts";
import { loadApiSuite } from "./command/load-api-suite.ts";
import { runConform } from "./command/run-conform.ts";
import { UsageError } from "./basics/usage-error.ts";
import { playSuite } from "./run/play-suite.ts";

// A reader that has seen enough, such as head, closes the pipe: that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 3));

process.exitCode = await runConform({
  program: "conformance",
  words: process.argv.slice(2),
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
