/**
 * Sends a node and this service over it the same calls and compares the responses: on a chain of regtest with all kinds of scripts, a stale
 * block and a mempool, and on the main chain's first blocks. Fails when responses differ and the node's list of differences does not say
 * why, when an entry there explains nothing, or when a method of the node was forgotten.
 *
 *     npm run build && node --conditions=source test/differential/compare-with-node.ts btcd|core [--everything] [--seed 1] [--json] [--write]
 *
 * `--everything`: all blocks and transactions of the main chain up to height 14131, not a part of them. `--json`: the report as data.
 * `--write`: the report into RESULTS-btcd.md or RESULTS-core.md, beside this file.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireBitcoinCore, requireProgram } from "../support/requirement.ts";
import { type DifferentialReport, renderReport } from "./differential-report.ts";
import { describeProblems } from "./report-problems.ts";
import { type ReferenceName, references, runDifferential } from "./run-differential.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    everything: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [name] = positionals;
if (!isReferenceName(name)) {
  console.error(`Name the node to compare with: ${Object.keys(references).join(" or ")}`);
  process.exit(2);
}
const { path } = name === "core" ? requireBitcoinCore() : requireProgram("btcd");
if (path === undefined) process.exit(2);

const directory = mkdtempSync(join(tmpdir(), "nodewright-differential-"));
try {
  const { everything } = values;
  const report = await runDifferential({ reference: name, path, directory, everything, seed: Number(values.seed) });
  const problems = describeProblems(report);
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else console.log(renderReport(report));
  if (values.write) writeFileSync(new URL(`RESULTS-${name}.md`, import.meta.url), renderResults(name, report));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function isReferenceName(text: string | undefined): text is ReferenceName {
  return text !== undefined && Object.hasOwn(references, text);
}

function renderResults(reference: ReferenceName, report: DifferentialReport): string {
  const { title, differences } = references[reference];
  const command = `compare-with-node.ts ${reference}`;
  const how = values.everything
    ? `\`${command} --everything --seed ${values.seed} --write\`: every block and transaction of the main chain up to height 14131`
    : `\`${command} --seed ${values.seed} --write\`: a part of the main chain's blocks up to height 14131`;
  return [
    `# Responses compared with ${title}`,
    "",
    `Written by ${how}, and a chain of`,
    `regtest with all kinds of scripts, a stale block and a mempool. Every response is equal, differs as ${differences} lists, or is unexplained;`,
    "numbers are compared by their decimal value. A seventh of the calls was made by name as well, with the same response as by position.",
    "",
    renderReport(report),
  ].join("\n");
}
