import { join } from "node:path";
import { expect } from "vitest";
import { root } from "../../support/workspace.ts";
import { type ConformRun, conformByCommand, knownCases, surprisesOf } from "./conform-by-command.ts";

/** A node, the document that it is held against, and what is known to be wrong with it. */
export interface HeldNode {
  readonly url: string;
  /** Further words of the command line, the document among them. */
  readonly parameters: readonly string[];
  /** Of the file beside this one: `btcd` for `btcd.baseline.yaml`. */
  readonly baseline: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs of one seed twice, and of others. */
const seeds = ["01", "01", "7e57"] as const;

/**
 * Runs the command several times, with equal and with other seeds: each has to find what the baseline says, no more and no less. Gives the
 * last run.
 */
export async function holdNode(node: HeldNode): Promise<ConformRun> {
  const runs: ConformRun[] = [];
  for (const seed of seeds) {
    const run = await playNode(node, seed);
    expect(surprisesOf(run.report)).toEqual([]);
    expect(run.report.outcome, run.output).toBe("conforms");
    expect(run.code, run.output).toBe(0);
    // Of each entry something was found out.
    expect(run.report.notices.filter((notice) => /baseline/i.test(notice))).toEqual([]);
    runs.push(run);
  }
  const [first, ...others] = runs.map(({ report }) => knownCases(report).toSorted());
  for (const other of others) expect(other).toEqual(first);
  return runs.at(-1) ?? expect.unreachable();
}

async function playNode({ url, parameters, baseline, environment }: HeldNode, seed: string): Promise<ConformRun> {
  const file = join(root, "test/conformance/nodes", `${baseline}.baseline.yaml`);
  // What a random value shows of an old node depends on the seed.
  const further = ["--skip", "*/random/*", "--baseline", file, "--seed", seed];
  return await conformByCommand(url, [...parameters, ...further], environment);
}
