// What takes too long for every change: all seeded moments of the kill tests, more real documents with every changed sample, a client
// in Rust that cargo builds, what conform finds in faulty servers, then the benchmarks of the generators. Adds a row to test/long/RESULTS.md; exits 1 when a test failed.
//
//   --seed 123            another seed than today's date
//   --only kill|index-kill|index-differential|rpc-differential|documents|clients|ethereum|mutation|stryker|benchmarks
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";

/** What a part of the run came to, as its row says. */
interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What the tests counted themselves. */
  readonly figures: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

const { values: options } = parseArgs({ options: { seed: { type: "string" }, only: { type: "string" } } });
const date = new Date().toISOString().slice(0, 10);
const seed = options.seed ?? date.replaceAll("-", "");
const environment = { ...process.env, NODEWRIGHT_LONG: "1", NODEWRIGHT_SEED: seed };
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
    skipped: report?.numPendingTests ?? 0,
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
  "rpc-differential": () => runTests(["test/differential"], /^held against btcd/),
  documents: () => runTests(["test/real-documents"], /^\S+: \d+ operations played/),
  clients: () => runTests(["test/foreign-clients"], /^esplora-client over /),
  ethereum: () => runTests(["test/ethereum-faults", "test/ethereum-differential"], /^held against geth/),
  mutation: () =>
    runBenchmark("test/benchmarks/mutation/run.ts", "--sample", "all", "--seed", seed, "--peers", "--write"),
  stryker: () => runBenchmark("test/mutation-testing/run.ts", "--seed", seed, "--write"),
  benchmarks: () => runBenchmark("test/benchmarks/generators.ts"),
};

console.log(`seed ${seed}`);
for (const [name, run] of Object.entries(parts)) {
  if (options.only !== undefined && options.only !== name) continue;
  const start = performance.now();
  const { passed, failed, skipped, figures } = run();
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  const row = [
    date,
    seed,
    name,
    `${minutes} min`,
    passed,
    failed,
    skipped,
    figures.join("<br>").replaceAll("|", "\\|"),
  ];
  appendFileSync(results, `| ${row.join(" | ")} |\n`);
  if (failed > 0) process.exitCode = 1;
}
