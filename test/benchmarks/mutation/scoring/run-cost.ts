import { startBackend } from "../wire/forward.ts";
import { serve } from "../wire/serve.ts";
import { play } from "./play.ts";
import type { WorldBench } from "./score.ts";

/** What a run with all defaults needs of a correct server. */
export interface RunCost {
  readonly world: string;
  readonly operations: number;
  readonly requests: number;
  readonly seconds: number;
  readonly outcome: string;
  readonly failed: readonly string[];
  /** Cases that `--strict` would fail. */
  readonly warned: readonly string[];
}

/** Plays the suite as the command line does by default: its rate, its concurrency. */
export async function measureDefaultRuns(bench: WorldBench): Promise<readonly RunCost[]> {
  const { world, suite, prepared } = bench;
  const start = performance.now();
  const backend = await startBackend(world.createListener(() => performance.now() - start));
  const server = await serve(backend.dispatch);
  const costs: RunCost[] = [];
  for (const seed of ["one", "two"]) {
    const verdict = await play(suite.suite, `${server.origin}${world.basePath}`, seed, {});
    costs.push({
      world: world.name,
      operations: prepared.subject.operations.length,
      requests: verdict.requests,
      seconds: verdict.milliseconds / 1000,
      outcome: verdict.outcome,
      failed: verdict.failed,
      warned: verdict.warned,
    });
  }
  await server.close();
  await backend.close();
  return costs;
}
