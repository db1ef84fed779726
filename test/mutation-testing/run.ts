// Mutation testing of the packages with StrykerJS: changes single expressions of a package's sources, and counts the changes that its
// tests notice. README.md says how to read the results. Exits 1 when a sample is not tested to its end, or its score is below 85 %.
//
//   --package NAME   one package, several with commas; all of packages.ts when not given
//   --seed S         another sample; today's date when not given
//   --sample N       mutants of each package, 400 when not given
//   --minutes M      the most that a package may take; the next run with the same seed goes on where this one was cut; 0 reports what is stored
//   --concurrency N  test runners side by side, 1 when not given
//   --write          writes RESULTS.md and survivors.jsonl
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findCommit } from "../support/commit.ts";
import { copyWorkspace } from "../support/workspace-copy.ts";
import { root } from "../support/workspace.ts";
import { digest, type ListedMutant, listMutants, placeOf, sampleMutants } from "./mutants.ts";
import { type MutatedPackage, mutatedPackages, sourcesOf, testsOf } from "./packages.ts";
import { addSurvivors, countVerdicts, findShortfall, renderRow, replaceRow, type Survivor } from "./results.ts";
import { type StrykerRun, strykerRunVariable, testFilesVariable } from "./stryker-run.ts";
import { type VerdictBasis, VerdictStore } from "./verdict-store.ts";

const { values: options } = parseArgs({
  options: {
    package: { type: "string" },
    seed: { type: "string", default: new Date().toISOString().slice(0, 10).replaceAll("-", "") },
    sample: { type: "string", default: "400" },
    minutes: { type: "string", default: "120" },
    concurrency: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});
const seed = options.seed;
const commit = findCommit();
const names = options.package?.split(",");
const unknown = names?.filter((name) => mutatedPackages.every((known) => known.name !== name)) ?? [];
if (unknown.length > 0) throw new Error(`Unknown packages: ${unknown.join(", ")}`);

/** Aborted when this process is to end. */
const stopped = new AbortController();

/** What Stryker needs beyond the sources; the tests of some packages read the documents. */
const alsoCopied = ["test", "examples", "docs", "README.md", "vitest.config.ts"];

/** Tests the sample of one package, in a copy of the workspace that Stryker may change. */
async function testPackage(mutated: MutatedPackage): Promise<void> {
  const copy = copyWorkspace(alsoCopied);
  try {
    for (const place of [".cache", "packages/service/demo/bitcoin-mainnet", "packages/graphiql-page/dist"]) {
      symlinkSync(join(root, place), join(copy.directory, place));
    }
    const files = sourcesOf(mutated, copy.directory).map((path) => ({
      path,
      text: readFileSync(join(copy.directory, path), "utf8"),
    }));
    const tests = testsOf(mutated, copy.directory);
    const basis: VerdictBasis = {
      sources: new Map(files.map(({ path, text }) => [path, digest(text)])),
      tests: digest(tests.map((path) => readFileSync(join(copy.directory, path), "utf8")).join("\0")),
    };
    const mutants = await listMutants(files);
    const sample = sampleMutants(mutants, seed, Number(options.sample));
    const path = join(root, ".cache/mutation-testing", `${mutated.name}-${seed}.jsonl`);
    const store = new VerdictStore(path);
    const open = sample.filter((mutant) => store.find(mutant, basis) === undefined);
    console.log(`${mutated.name}, seed ${seed}: ${sample.length} of ${mutants.length} mutants, ${open.length} to test`);
    if (open.length > 0 && Number(options.minutes) > 0)
      await runStryker(copy.directory, open, { tests, basis, store: path });
    report(mutated, sample, new VerdictStore(path), basis);
  } finally {
    copy.remove();
  }
}

async function runStryker(
  workspace: string,
  mutants: readonly ListedMutant[],
  { tests, basis, store }: { tests: readonly string[]; basis: VerdictBasis; store: string },
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-stryker-"));
  const run: StrykerRun = {
    mutants: mutants.map(({ id, file, location, mutator, replacement }) => ({
      id,
      place: placeOf(file, { location, mutatorName: mutator, replacement }),
      source: basis.sources.get(file) ?? "",
    })),
    tests: basis.tests,
    store,
  };
  writeFileSync(join(directory, "run.json"), JSON.stringify(run));
  writeFileSync(join(directory, "stryker.json"), JSON.stringify(strykerOptions(mutants, tests, directory)));
  const stryker = join(root, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const child = spawn(process.execPath, [stryker, "run", join(directory, "stryker.json")], {
    cwd: workspace,
    stdio: "inherit",
    detached: true,
    env: {
      ...process.env,
      [strykerRunVariable]: join(directory, "run.json"),
      [testFilesVariable]: tests.join(","),
    },
  });
  try {
    await endWithin(child, Number(options.minutes) * 60_000);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Waits for the leader of a process group. When it takes longer, or this process is to end, the whole group is killed: a test runner in
 * which a mutant loops takes no notice of its parent's end. Throws for another status than 0.
 */
async function endWithin(leader: ChildProcess, milliseconds: number): Promise<void> {
  const end = AbortSignal.any([AbortSignal.timeout(milliseconds), stopped.signal]);
  end.addEventListener("abort", () => {
    if (leader.pid !== undefined && leader.exitCode === null) process.kill(-leader.pid, "SIGKILL");
  });
  const [status] = (await once(leader, "close")) as [number | null];
  if (status !== 0 && !end.aborted) throw new Error(`Stryker ended with status ${status}`);
}

function strykerOptions(mutants: readonly ListedMutant[], tests: readonly string[], directory: string): object {
  const ranges = mutants.map(
    ({ file, location: { start, end } }) => `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
  );
  return {
    mutate: [...new Set(ranges)],
    // Stryker matches each of the ranges with each file that it knows: no others than those that are mutated or test.
    ignorePatterns: ["*", ...new Set([...mutants.map(({ file }) => file), ...tests].map((path) => `!/${path}`))],
    // The copy of the workspace is the sandbox: packages find one another's mutated sources in it.
    inPlace: true,
    tempDirName: join(directory, "backup"),
    plugins: ["@stryker-mutator/vitest-runner", "./test/mutation-testing/stryker-plugin.ts"],
    testRunner: "vitest",
    vitest: { configFile: "test/mutation-testing/vitest.config.ts", pool: "forks", related: true },
    coverageAnalysis: "perTest",
    checkers: ["sample"],
    reporters: ["verdicts"],
    concurrency: Number(options.concurrency),
    timeoutMS: 10_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    disableTypeChecks: false,
    logLevel: "warn",
    warnings: { slow: false },
  };
}

/** Prints the row of a package, and writes it down when asked to. */
function report(
  mutated: MutatedPackage,
  sample: readonly ListedMutant[],
  store: VerdictStore,
  basis: VerdictBasis,
): void {
  const tested = sample.flatMap((mutant) => {
    const verdict = store.find(mutant, basis);
    return verdict === undefined ? [] : [{ mutant, status: verdict.status }];
  });
  const survivorsPath = join(root, "test/mutation-testing/survivors.jsonl");
  const known = readFileSync(survivorsPath, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Survivor);
  const survivors = addSurvivors(known, mutated.name, seed, sample, tested);
  const date = new Date().toISOString().slice(0, 10);
  const result = { name: mutated.name, seed, sampled: sample.length, date, commit, ...countVerdicts(tested) };
  const row = renderRow(result);
  console.log(row);
  const shortfall = findShortfall(result);
  if (shortfall !== undefined) {
    console.error(shortfall);
    process.exitCode = 1;
  }
  if (!options.write) return;
  const resultsPath = join(root, "test/mutation-testing/RESULTS.md");
  writeFileSync(resultsPath, replaceRow(readFileSync(resultsPath, "utf8"), row));
  writeFileSync(survivorsPath, survivors.map((survivor) => `${JSON.stringify(survivor)}\n`).join(""));
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopped.abort());
for (const mutated of mutatedPackages) {
  if (stopped.signal.aborted) break;
  if (names === undefined || names.includes(mutated.name)) await testPackage(mutated);
}
