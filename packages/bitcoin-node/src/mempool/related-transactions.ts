import type { MempoolEntries } from "@nodewright/bitcoin-api/types";
import type { MempoolQueries } from "@nodewright/bitcoin-indexer";
import type { PreparedJson } from "@nodewright/runtime";
import type { MempoolGraph } from "./mempool-graph.ts";
import { getCluster } from "./read-mempool.ts";
import { renderMempoolEntries } from "./render-entry.ts";

/** Query for the relatives of a transaction, and their form. */
export interface RelationQuery {
  readonly txid: string;
  readonly verbose?: boolean | undefined;
}

/** Returns relatives of a transaction, as ids in the order of their hex strings or as entries. Throws -5 when it is not in the mempool. */
export async function relatedTransactions(
  mempool: MempoolQueries | undefined,
  { txid, verbose = false }: RelationQuery,
  relativesOf: (graph: MempoolGraph, position: number) => readonly number[],
): Promise<string[] | PreparedJson<MempoolEntries>> {
  const { graph, position } = await getCluster(mempool, txid);
  const txids = relativesOf(graph, position)
    .map((relative) => graph.memberAt(relative).txid)
    .sort();
  return verbose ? renderMempoolEntries(graph, graph.positionsOf(txids)) : txids;
}
