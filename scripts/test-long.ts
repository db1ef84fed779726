// What takes too long for every change: all seeded moments of the kill tests, more real documents with every changed sample, a client
// in Rust that cargo builds, a real Bitcoin Core (`npm run setup:long` builds it), what conform finds in correct and in faulty servers, then the
// benchmarks of the generators. The row of each part in
// test/long/RESULTS.md is replaced when the part has run. Exits 1 when a test failed or was skipped, 2 for an unknown option or part.
//
//   --seed 123            another seed than today's date
//   --only kill,clients   these parts alone
//   --resume              without the parts that have passed at this state of the sources, with the seed where --seed is given
//
// test/differential/core-responses.long.test.ts is in no part: it needs a source tree of Bitcoin Core with its test data
// (NODEWRIGHT_BITCOIN_CORE), and the source that `npm run setup:long` downloads has neither test/functional nor test/util.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { findCommit } from "../test/support/commit.ts";
import { chooseParts, hasPassed, isDone, type LongRow, replaceRow } from "../test/support/long-rows.ts";

/** What a part of the run came to, as its row says. */
type Outcome = Pick<LongRow, "passed" | "failed" | "skipped" | "figures">;

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

const date = new Date().toISOString().slice(0, 10);
const results = "test/long/RESULTS.md";

/** Runs the tests of some paths; `figure` finds the lines that they print about themselves. */
function runTests(paths: readonly string[], figure: RegExp): Outcome {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-long-"));
  const reportFile = join(directory, "report.json");
  const { status, stdout } = spawnSync(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`, ...paths],
    { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"], env: environment },
  );
  process.stdout.write(stdout);
  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport) : undefined;
  rmSync(directory, { recursive: true });
  return {
    passed: report?.numPassedTests ?? 0,
    // Tests that could not be loaded are not in the report.
    failed: report === undefined || (status !== 0 && report.numFailedTests === 0) ? 1 : report.numFailedTests,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    figures: stripVTControlCharacters(stdout)
      .split("\n")
      .filter((line) => figure.test(line)),
  };
}

/** Benchmarks write their own results; here counts whether they ran, and kept to what they ask for. */
function runBenchmark(...words: readonly string[]): Outcome {
  const { status } = spawnSync(process.execPath, ["--conditions=source", ...words], { stdio: "inherit" });
  return { passed: Number(status === 0), failed: Number(status !== 0), skipped: 0, figures: [] };
}

const parts: Readonly<Record<string, () => Outcome>> = {
  kill: () => runTests(["test/generation/killed-write.test.ts"], /^killed within the write/),
  "index-kill": () =>
    runTests(
      [
        "packages/bitcoin-indexer/src/bulk/killed-fill.test.ts",
        "packages/bitcoin-indexer/src/killed-indexer.test.ts",
        "packages/bitcoin-indexer/src/store/reorganisation.test.ts",
      ],
      /^killed within/,
    ),
  "index-differential": () =>
    runTests(
      ["test/end-to-end/bitcoin-differential.test.ts", "test/end-to-end/bitcoin-growth.test.ts"],
      /^held against btcd/,
    ),
  "rpc-differential": () =>
    runTests(
      ["test/differential/btcd-differential.test.ts", "test/differential/compare-responses.test.ts"],
      /^held against btcd/,
    ),
  "bitcoin-core": () =>
    runTests(
      ["test/end-to-end/bitcoin-core.long.test.ts", "test/differential/core-differential.long.test.ts"],
      /^compared with Bitcoin Core/,
    ),
  documents: () => runTests(["test/real-documents"], /^\S+: \d+ operations played/),
  clients: () => runTests(["test/foreign-clients"], /^esplora-client over /),
  ethereum: () => runTests(["test/ethereum-faults", "test/ethereum-differential"], /^held against geth/),
  "correct-servers": () => runTests(["test/correct-servers/correct-servers.long.test.ts"], /^correct servers: /),
  // Two mutants of each operator and world, as its tables have them.
  mutation: () => runBenchmark("test/benchmarks/mutation/run.ts", "--seed", seed, "--peers", "--write"),
  stryker: () => runBenchmark("test/mutation-testing/run.ts", "--seed", seed, "--write"),
  benchmarks: () => runBenchmark("test/benchmarks/generators.ts", "--write"),
};

const { givenSeed, chosen, isResumed } = readOptions();
const seed = givenSeed ?? date.replaceAll("-", "");
const environment = { ...process.env, NODEWRIGHT_LONG: "1", NODEWRIGHT_SEED: seed };
const commit = findCommit();
console.log(`seed ${seed}, commit ${commit}`);
for (const part of chosen) {
  if (isResumed && isDone(readFileSync(results, "utf8"), part, commit, givenSeed)) continue;
  const start = performance.now();
  const outcome = parts[part]?.() ?? { passed: 0, failed: 1, skipped: 0, figures: [] };
  const row = { part, date, commit, seed, minutes: (performance.now() - start) / 60_000, ...outcome };
  writeFileSync(results, replaceRow(readFileSync(results, "utf8"), row, Object.keys(parts)));
  if (!hasPassed(outcome)) {
    console.error(`${part}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped`);
    process.exitCode = 1;
  }
}

/** Ends with 2 for words that are none of the options, and for names that are no parts. */
function readOptions(): {
  readonly givenSeed: string | undefined;
  readonly chosen: readonly string[];
  readonly isResumed: boolean;
} {
  const names = Object.keys(parts);
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: "string" },
        only: { type: "string" },
        resume: { type: "boolean", default: false },
      },
    });
    return { givenSeed: values.seed, chosen: chooseParts(names, values.only), isResumed: values.resume };
  } catch (reason) {
    console.error((reason as Error).message);
    if (!(reason instanceof RangeError)) console.error(`The parts are ${names.join(", ")}.`);
    process.exit(2);
  }
}
