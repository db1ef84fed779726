import { variations } from "../variations/variations.ts";
import type { Variation } from "../variations/variation.ts";
import { startBackend } from "../wire/forward.ts";
import { serve } from "../wire/serve.ts";
import { play, type Verdict } from "./play.ts";
import type { WorldBench } from "./score.ts";

/** What a run said about a correct server that looks strange. */
export interface LegalScore {
  readonly world: string;
  readonly variation: string;
  /** Of a default run. */
  readonly verdict: Verdict;
  /** Cases that `--strict` would fail, and does not fail at the same server without the variation. */
  readonly strictAlarms: readonly string[];
}

/** The legal variations that fit a world. */
function variationsOf(bench: WorldBench): readonly Variation[] {
  const { name, kind } = bench.world;
  return variations.filter((variation) => variation.kinds.includes(kind) && (variation.fits?.(name) ?? true));
}

/** Judges the correct server of a world in all its legal variations. */
export async function scoreLegal(bench: WorldBench, seed: string): Promise<readonly LegalScore[]> {
  const scores: LegalScore[] = [];
  for (const variation of variationsOf(bench)) {
    const score = await scoreVariation(bench, variation, seed);
    const { outcome, requests, milliseconds } = score.verdict;
    console.error(`${score.world} ${variation.name}: ${outcome}, ${requests} requests, ${Math.round(milliseconds)} ms`);
    scores.push(score);
  }
  return scores;
}

/** Judges one variation. */
export async function scoreVariation(bench: WorldBench, variation: Variation, seed: string): Promise<LegalScore> {
  const { world, suite } = bench;
  const start = performance.now();
  const backend = await startBackend(world.createListener(() => performance.now() - start));
  const server = await serve(variation.wrap?.(backend.dispatch) ?? backend.dispatch, {
    ...(variation.configure === undefined ? {} : { configure: variation.configure }),
    ...(variation.write === undefined ? {} : { write: variation.write }),
  });
  const verdict = await play(suite.suite, `${server.origin}${world.basePath}`, seed);
  await server.close();
  await backend.close();
  const strictAlarms = verdict.warned.filter((line) => !bench.quiet.has(line));
  return { world: world.name, variation: variation.name, verdict, strictAlarms };
}
