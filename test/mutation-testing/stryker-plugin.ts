// Loaded by Stryker: lets it test the mutants of a sample alone, in the sample's order, and stores each verdict as it comes.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Checker, CheckStatus } from "@stryker-mutator/api/check";
import type { Location, Mutant, MutantResult } from "@stryker-mutator/api/core";
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { Reporter } from "@stryker-mutator/api/report";
import { placeOf } from "./mutants.ts";
import { type StrykerRun, strykerRunVariable } from "./stryker-run.ts";
import { VerdictStore } from "./verdict-store.ts";

const run = JSON.parse(readFileSync(String(process.env[strykerRunVariable]), "utf8")) as StrykerRun;
const sampled = new Map(run.mutants.map((mutant, rank) => [mutant.place, { ...mutant, rank }]));
const store = new VerdictStore(run.store);

function find(mutant: Mutant): { readonly id: string; readonly source: string; readonly rank: number } | undefined {
  return sampled.get(placeOf(relative(process.cwd(), mutant.fileName), mutant));
}

/** Rejects every mutant that is not in the sample. */
const sample: Checker = {
  init: () => Promise.resolve(),
  check: (mutants) =>
    Promise.resolve(
      Object.fromEntries(
        mutants.map((mutant) => [
          mutant.id,
          find(mutant) === undefined
            ? { status: CheckStatus.CompileError, reason: "not in the sample" }
            : { status: CheckStatus.Passed },
        ]),
      ),
    ),
  // One by one in the sample's order: a run that is cut has then tested mutants of all files alike.
  group(mutants) {
    const ranked = mutants
      .map((mutant) => ({ id: mutant.id, rank: find(mutant)?.rank }))
      .toSorted((one, other) => (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY));
    return Promise.resolve(ranked.map(({ id }) => [id]));
  },
};

const verdicts: Reporter = {
  onMutantTested(result: Readonly<MutantResult>) {
    const mutant = find({ ...result, location: zeroBased(result.location) });
    if (mutant === undefined) return;
    const { id, source } = mutant;
    store.add({ id, status: result.status, isStatic: result.static ?? false, source, tests: run.tests });
  },
};

/** Results have the positions of Stryker's reports, which count from 1; mutants count from 0. */
function zeroBased({ start, end }: Location): Location {
  return {
    start: { line: start.line - 1, column: start.column - 1 },
    end: { line: end.line - 1, column: end.column - 1 },
  };
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Checker, "sample", sample),
  declareValuePlugin(PluginKind.Reporter, "verdicts", verdicts),
];
