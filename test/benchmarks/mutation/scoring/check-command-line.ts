import { spawn } from "node:child_process";
import type { ProvenMutant } from "./prepare.ts";
import { type WorldBench, withMutant } from "./score.ts";

/** A mutant judged by the command itself. */
export interface CommandRun {
  readonly world: string;
  readonly operator: string;
  readonly operation: string;
  /** Of the process: 0 conforms, 1 does not, 3 can't be judged. */
  readonly exitCode: number | null;
  /** Whether the run in process came to the same. */
  readonly isSame: boolean;
  readonly seconds: number;
}

/** Runs `nodewright conform --strict` as a process of its own. */
export async function checkCommandLine(
  bench: WorldBench,
  proven: ProvenMutant,
  outcome: "conforms" | "differs" | "inconclusive",
): Promise<CommandRun> {
  const { document, operations } = bench.suite;
  const start = performance.now();
  const exitCode = await withMutant(proven, (baseUrl) => {
    const examples = operations === undefined ? [] : ["--operations", operations];
    const program = ["--conditions=source", "generators/cli/src/main.ts", "conform"];
    const parameters = [...program, baseUrl, "--strict", "--spec", document];
    const child = spawn(process.execPath, [...parameters, ...examples], { stdio: "ignore", timeout: 120_000 });
    return new Promise<number | null>((settle) => {
      child.on("close", settle);
    });
  });
  const expected = { conforms: 0, differs: 1, inconclusive: 3 }[outcome];
  return {
    world: proven.world.name,
    operator: proven.operator,
    operation: proven.operation,
    exitCode,
    isSame: exitCode === expected,
    seconds: (performance.now() - start) / 1000,
  };
}
