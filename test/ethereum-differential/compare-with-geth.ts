/**
 * Asks geth's own GraphQL and this interface the same and compares the answers: on the chain with which geth's tests are run, on one through
 * every upgrade, and on one with transactions that wait; over geth, over anvil, and over nodes with less to them. Fails when answers
 * differ and geth-differences.json does not say why, when an entry there explains nothing, or when a field was forgotten.
 *
 *     node --conditions=source test/ethereum-differential/compare-with-geth.ts [--everything] [--seed 1] [--write]
 *
 * `--everything`: all blocks of all chains, not a part of them. `--write`: the report into RESULTS.md, beside this file.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireProgram } from "../support/requirement.ts";
import { type DifferentialReport, describeProblems, renderReport } from "./differential-report.ts";
import { runDifferential } from "./run-differential.ts";

const { values } = parseArgs({
  options: {
    everything: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});
const { path } = requireProgram("geth");
if (path === undefined) process.exit(2);

const directory = mkdtempSync(join(tmpdir(), "nodewright-differential-"));
try {
  const { everything, seed } = values;
  const report = await runDifferential({ geth: path, directory, everything, seed: Number(seed) });
  const problems = describeProblems(report);
  if (values.write) writeFileSync(new URL("RESULTS.md", import.meta.url), renderResults(report));
  else console.log(renderReport(report));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function renderResults(report: DifferentialReport): string {
  const { everything, seed } = values;
  return [
    "# Answers held against geth v1.17.8's own GraphQL",
    "",
    `Written by \`compare-with-geth.ts${everything ? " --everything" : ""} --seed ${seed} --write\`: ${report.queries} queries, each asked of geth's GraphQL and of this interface over the`,
    "same chain. A column is a comparison: over geth with the chain of its own tests (Shanghai to Amsterdam), with one through every upgrade from Frontier",
    'to Osaka, and with one of all types of transactions and some that wait ("played"); over geth without methods or batches; over anvil that forks geth.',
    "A cell has how many values were compared, and how many of those differed as geth-differences.json lists.",
    "",
    renderReport(report),
  ].join("\n");
}
