// Holds `nodewright conform` against faulty servers and against legal ones that look strange. README.md says how to read it.
//
//   --world NAME|rest|rpc|graphql   one world, or those of one kind
//   --seed S                        another choice of places; `final` is kept for the results
//   --operator NAME, --operation NAME
//   --sample N                      mutants of each operator and world (2 when not given), `all`
//   --only mutants|legal|time       a part
//   --peers                         the other tools beside it
//   --write                         into RESULTS.md, with --peers alone: all tables are of one run
//   --json                          everything as JSON
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CommandRun, checkCommandLine } from "./scoring/check-command-line.ts";
import { chooseMutants, type MutantScore, openBench, scoreMutant } from "./scoring/score.ts";
import { type BenchResults, passes, renderResults } from "./scoring/render-results.ts";
import { type LegalScore, scoreLegal } from "./scoring/score-legal.ts";
import { measureDefaultRuns, type RunCost } from "./scoring/run-cost.ts";
import { comparePeers, type PeerScore } from "./peers/compare-peers.ts";
import { worlds } from "./worlds/worlds.ts";
import { findProvenance, renderProvenance } from "../sections.ts";

const { values: options } = parseArgs({
  options: {
    world: { type: "string" },
    seed: { type: "string", default: "development" },
    operator: { type: "string" },
    operation: { type: "string" },
    sample: { type: "string", default: "2" },
    only: { type: "string" },
    peers: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

// The table of the peers is of the same mutants as ours: what is written is measured in one run.
if (options.write && (!options.peers || options.json)) {
  console.error("--write needs --peers, and no --json: all tables are of one run");
  process.exit(2);
}

const chosen = worlds.filter(
  ({ name, kind }) => options.world === undefined || name === options.world || kind === options.world,
);
const provenance = findProvenance();
const isWanted = (part: string): boolean => options.only === undefined || options.only === part;
const started = performance.now();
const mutants: MutantScore[] = [];
const legal: LegalScore[] = [];
const costs: RunCost[] = [];
const peers: PeerScore[] = [];
const commands: CommandRun[] = [];

/** Every so many-th mutant is judged by a process of the command too. */
const commandStride = 25;

for (const world of chosen) {
  const bench = await openBench(world);
  if (isWanted("time") && options.operator === undefined) {
    costs.push(...(await measureDefaultRuns(bench)));
  }
  if (isWanted("legal") && options.operator === undefined) {
    legal.push(...(await scoreLegal(bench, options.seed)));
  }
  if (isWanted("mutants")) {
    const sample = options.sample === "all" ? {} : { sample: Number(options.sample) };
    const choice = {
      seed: options.seed,
      ...sample,
      ...(options.operator === undefined ? {} : { operator: options.operator }),
      ...(options.operation === undefined ? {} : { operation: options.operation }),
    };
    for await (const proven of chooseMutants(bench, choice)) {
      const score = await scoreMutant(bench, proven);
      mutants.push(score);
      if (mutants.length % commandStride === 0) {
        commands.push(await checkCommandLine(bench, proven, score.verdict.outcome));
      }
      if (!score.isFound) {
        console.error(`missed: ${score.world} ${score.operation} ${score.operator}: ${score.note}`);
      }
      if (!options.json && options.operator !== undefined) {
        const { verdict } = score;
        console.log(
          `${score.isFound ? "found " : "MISSED"} ${score.world} ${score.operation} ${score.note}`,
          [...verdict.failed, ...verdict.warned].filter((line) => !bench.quiet.has(line)).slice(0, 4),
        );
      }
    }
  }
  if (options.peers) {
    peers.push(...(await comparePeers(bench, options.seed)));
  }
  await bench.prepared.close();
}

const results: BenchResults = {
  seed: options.seed,
  mutants,
  legal,
  costs,
  peers,
  commands,
  seconds: (performance.now() - started) / 1000,
};
const rendered = options.json ? JSON.stringify(results, undefined, 2) : renderResults(results);
console.log(rendered);
if (!passes(results)) {
  process.exitCode = 1;
}
if (options.write) {
  writeFileSync(new URL("RESULTS.md", import.meta.url), `${rendered}\n${renderProvenance(provenance)}\n`);
}
