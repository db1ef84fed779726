import type { ScriptStatistics } from "@nodewright/bitcoin-indexer";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { mempoolOf } from "../request/no-mempool.ts";
import { writeScriptStatistics } from "../render/script-statistics.ts";

/** Totals that the best chain and the mempool paid to and from a script, with the headers of a response about it. */
export interface BothStatistics {
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag: string };
  /** Both as members of a JSON object. */
  readonly members: string;
}

/** Reads the statistics of a script. */
export async function readStatistics(context: IndexRestContext, scriptHash: string): Promise<BothStatistics> {
  const [mempool, chain] = await Promise.all([
    mempoolOf(context).scriptStatistics(scriptHash),
    context.index.scriptStatistics(scriptHash),
  ]);
  return {
    headers: { cacheControl: cacheShort, eTag: hashedEntityTag([...numbersOf(chain), ...numbersOf(mempool)]) },
    members: `"chain_stats":${writeScriptStatistics(chain)},"mempool_stats":${writeScriptStatistics(mempool)}`,
  };
}

function numbersOf(statistics: ScriptStatistics): readonly (number | bigint)[] {
  const { fundedOutputs, fundedValue, spentOutputs, spentValue, transactions } = statistics;
  return [fundedOutputs, fundedValue, spentOutputs, spentValue, transactions];
}
