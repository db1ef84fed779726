import type { ScriptStatistics } from "@nodewright/index-api/types";
import { cacheShort } from "./cache-control.ts";
import type { IndexRestContext } from "./context.ts";
import { digestTag } from "./entity-tag.ts";
import { mempoolOf } from "./no-mempool.ts";
import { renderScriptStatistics } from "./render/script-statistics.ts";

/** What the best chain and the mempool paid to and from a script, with the headers of an answer about it. */
export interface BothStatistics {
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag: string };
  readonly chain: ScriptStatistics;
  readonly mempool: ScriptStatistics;
}

/** Reads what is known of a script. */
export async function readStatistics(context: IndexRestContext, scriptHash: string): Promise<BothStatistics> {
  const [mempool, chain] = await Promise.all([
    mempoolOf(context).scriptStatistics(scriptHash),
    context.index.scriptStatistics(scriptHash),
  ]);
  const rendered = { chain: renderScriptStatistics(chain), mempool: renderScriptStatistics(mempool) };
  const numbers = [...Object.values(rendered.chain), ...Object.values(rendered.mempool)];
  return { headers: { cacheControl: cacheShort, eTag: digestTag(numbers) }, ...rendered };
}
