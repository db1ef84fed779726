/**
 * Measures every section of RESULTS.md anew, one after the other, and writes each when it is known.
 *
 *     npm run bench -- [--only indexing,growth] [--missing] [--trial] [--electrs PROGRAM]
 *
 * `--missing`: only the sections that were not measured at this commit yet, so that a run goes on where another one ended. `--trial`: with
 * tiny numbers and without writing anything, to see whether the scripts still work. `--electrs`: is measured beside us where we serve a
 * chain. Exits 1 when a script failed, 2 for a name that is none.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findCommit } from "../support/commit.ts";
import { type Benchmark, benchmarks } from "./list.ts";
import { isMeasuredAt } from "./sections.ts";

const { values: given } = parseArgs({
  options: {
    only: { type: "string" },
    missing: { type: "boolean", default: false },
    trial: { type: "boolean", default: false },
    electrs: { type: "string" },
  },
});
const names = given.only?.split(",") ?? benchmarks.map(({ section }) => section);
const unknown = names.filter((name) => !benchmarks.some(({ section }) => section === name));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(", ")}. The sections are ${benchmarks.map(({ section }) => section).join(", ")}.`,
  );
  process.exit(2);
}

const commit = findCommit();
for (const benchmark of benchmarks.filter(({ section }) => names.includes(section))) {
  const results = readFileSync(new URL("RESULTS.md", import.meta.url), "utf8");
  if (given.missing && isMeasuredAt(results, benchmark.section, commit)) continue;
  console.error(`${benchmark.section}: ${benchmark.script}`);
  if (run(benchmark) !== 0) {
    console.error(`${benchmark.section}: failed`);
    process.exitCode = 1;
  }
}

function run({ script, section, parameters, trial }: Benchmark): number | null {
  const program = fileURLToPath(new URL(script, import.meta.url));
  const electrs =
    section === "serving-beside-electrs" && given.electrs !== undefined ? ["--electrs", given.electrs] : [];
  const rest = given.trial ? trial : [...parameters, "--write"];
  const { status } = spawnSync(process.execPath, ["--conditions=source", program, ...rest, ...electrs], {
    stdio: "inherit",
  });
  return status;
}
