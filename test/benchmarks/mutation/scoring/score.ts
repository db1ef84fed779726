import { createRandom } from "../random.ts";
import { startBackend } from "../wire/forward.ts";
import type { Dispatch } from "../wire/message.ts";
import { type RunningServer, serve } from "../wire/serve.ts";
import type { World } from "../worlds/world.ts";
import { isFound, play, readWorldSuite, type Verdict, type WorldSuite } from "./play.ts";
import { operationsOf, operatorsOf, type PreparedWorld, type ProvenMutant, prepareWorld } from "./prepare.ts";

/** What a run said about a mutant. */
export interface MutantScore {
  readonly world: string;
  readonly operator: string;
  readonly operation: string;
  readonly seed: string;
  readonly note: string;
  readonly level: "MUST" | "SHOULD";
  /** Under `--strict`. */
  readonly isFound: boolean;
  /** By failures of a MUST alone. */
  readonly isFoundByDefault: boolean;
  /** Id of the first rule below MUST that is broken here and not at the correct server. */
  readonly strictRule: string | undefined;
  readonly verdict: Verdict;
}

export interface ScoreChoice {
  readonly seed: string;
  /** Mutants of each operator and world; all when not given. */
  readonly sample?: number;
  /** Each so many-th operator alone; every one when not given. */
  readonly stride?: number;
  /** One operator alone. */
  readonly operator?: string;
  /** One operation alone. */
  readonly operation?: string;
}

/** All that belongs to a world while it is scored. */
export interface WorldBench {
  readonly world: World;
  readonly prepared: PreparedWorld;
  readonly suite: WorldSuite;
  /** What is said of the correct server: it does not count as finding a mutant. */
  readonly quiet: ReadonlySet<string>;
}

/** How mutants are played: every level counts, and requests come as fast as they can. */
const strictly = { rate: 100_000, concurrency: 4, strict: true };

/** Prepares a world for scoring. */
export async function openBench(world: World): Promise<WorldBench> {
  const prepared = await prepareWorld(world);
  const suite = await readWorldSuite(world);
  const quiet = new Set<string>();
  const correct = { note: "the correct server", proof: "rule" as const, wrap: (dispatch: Dispatch) => dispatch };
  for (const seed of ["one", "two"]) {
    await withMutant({ world, mutant: correct }, async (baseUrl) => {
      const { failed, warned } = await play(suite.suite, baseUrl, seed, strictly);
      for (const line of [...failed, ...warned]) {
        quiet.add(line);
      }
    });
  }
  return { world, prepared, suite, quiet };
}

/** Finds the mutants of a world that are to be judged, one after the other. */
export async function* chooseMutants(bench: WorldBench, choice: ScoreChoice): AsyncGenerator<ProvenMutant> {
  const { prepared, world } = bench;
  const stride = choice.stride ?? 1;
  const chosen = createRandom(`${choice.seed} ${world.name} operators`).shuffle(operatorsOf(world, choice.operator));
  for (const operator of stride === 1
    ? operatorsOf(world, choice.operator)
    : chosen.filter((_, at) => at % stride === 0)) {
    const random = createRandom(`${choice.seed} ${world.name} ${operator.name} operations`);
    let found = 0;
    for (const operation of random.shuffle(operationsOf(prepared.subject))) {
      if (found >= (choice.sample ?? Number.POSITIVE_INFINITY)) {
        break;
      }
      if (choice.operation !== undefined && choice.operation !== operation) {
        continue;
      }
      const proven = await prepared.mutantsOf(operator, operation, choice.seed);
      if (proven !== undefined) {
        found += 1;
        yield proven;
      }
    }
  }
}

/** Runs a mutant on a port of its own while `use` works with it. */
export async function withMutant<Result>(
  { world, mutant }: Pick<ProvenMutant, "world" | "mutant">,
  use: (baseUrl: string, server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const start = performance.now();
  const backend = await startBackend(world.createListener(() => performance.now() - start));
  const server = await serve(mutant.wrap(backend.dispatch));
  try {
    return await use(`${server.origin}${world.basePath}`, server);
  } finally {
    await server.close();
    await backend.close();
  }
}

/** Judges one mutant with the suite of its world. */
export async function scoreMutant(bench: WorldBench, proven: ProvenMutant): Promise<MutantScore> {
  const verdict = await withMutant(proven, (baseUrl) => play(bench.suite.suite, baseUrl, proven.seed, strictly));
  const { operator, operation, seed } = proven;
  const { note, level } = proven.mutant;
  return {
    world: proven.world.name,
    operator,
    operation,
    seed,
    note,
    level: level ?? "MUST",
    isFound: isFound(verdict, bench.quiet, true),
    isFoundByDefault: isFound(verdict, bench.quiet, false),
    strictRule: /: ([A-Z0-9]{2,6}) /.exec(verdict.warned.find((line) => !bench.quiet.has(line)) ?? "")?.[1],
    verdict,
  };
}
