/**
 * Asks btcd and this service the same and compares the answers: on a chain of regtest with all kinds of scripts, a block that lost and a
 * mempool, and on the main chain's first blocks. Fails when answers differ and btcd-differences.json does not say why, when an entry
 * there explains nothing, or when a method of btcd was forgotten.
 *
 *     npm run build && node --conditions=source test/differential/compare-with-btcd.ts [--everything] [--seed 1] [--json] [--write]
 *
 * `--everything`: all blocks and transactions of the main chain up to height 14131, not a part of them. `--json`: the report as data.
 * `--write`: the report into RESULTS.md, beside this file.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireProgram } from "../support/requirement.ts";
import { type DifferentialReport, renderReport } from "./differential-report.ts";
import { describeProblems } from "./report-problems.ts";
import { runDifferential } from "./run-differential.ts";

const { values } = parseArgs({
  options: {
    everything: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const { path } = requireProgram("btcd");
if (path === undefined) process.exit(2);

const directory = mkdtempSync(join(tmpdir(), "nodewright-differential-"));
try {
  const { everything } = values;
  const report = await runDifferential({ btcd: path, directory, everything, seed: Number(values.seed) });
  const problems = describeProblems(report);
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else console.log(renderReport(report));
  if (values.write) writeFileSync(new URL("RESULTS.md", import.meta.url), renderResults(report));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function renderResults(report: DifferentialReport): string {
  const how = values.everything
    ? "`compare-with-btcd.ts --everything --write`: every block and transaction of the main chain up to height 14131"
    : `\`compare-with-btcd.ts --seed ${values.seed} --write\`: a part of the main chain's blocks up to height 14131`;
  return [
    "# Answers held against btcd v0.26.2",
    "",
    `Written by ${how}, and a chain of`,
    "regtest with all kinds of scripts, a block that lost and a mempool. Every call is equal, differs as btcd-differences.json lists, or is unexplained;",
    "numbers are compared by their decimal value. A seventh of the calls was made by name as well, and answered as it was by position.",
    "What Bitcoin Core publishes of its own answers is held by core-answers.long.test.ts, given a source tree of it.",
    "",
    renderReport(report),
  ].join("\n");
}
