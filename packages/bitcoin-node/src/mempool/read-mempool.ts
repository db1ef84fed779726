import type { MempoolMember, MempoolQueries } from "@nodewright/bitcoin-indexer";
import { isTurnUsedUp, nextTurn } from "@nodewright/runtime/node";
import { rpcError } from "../rpc-error.ts";
import { MempoolGraph } from "./mempool-graph.ts";

/** Transactions that are read at once. */
const membersAtOnce = 100;
/** Ids alone cost little. */
const idsAtOnce = 2_000;

/** A transaction among all that are related to it. */
export interface FoundMember {
  readonly graph: MempoolGraph;
  readonly position: number;
}

/** Ids of all unconfirmed transactions, in the order of their texts. */
export async function readIds(mempool: MempoolQueries): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await mempool.transactionIds({ after: ids.at(-1), limit: idsAtOnce });
    for (const id of page) ids.push(id);
    if (page.length < idsAtOnce) return ids;
    if (isTurnUsedUp()) await nextTurn();
  }
}

/** All unconfirmed transactions, in the order of their ids' texts. */
export async function readMempool(mempool: MempoolQueries): Promise<MempoolGraph> {
  const graph = new MempoolGraph();
  await readMembers(mempool, await readIds(mempool), (member) => graph.add(member));
  return graph;
}

/** A transaction and its cluster: all that are related to it in any way. Throws -5 when it is not in the mempool. */
export async function getCluster(mempool: MempoolQueries | undefined, txid: string): Promise<FoundMember> {
  const id = txid.toLowerCase();
  const graph = new MempoolGraph();
  const asked = new Set([id]);
  for (let wanted: readonly string[] = mempool === undefined ? [] : [id]; wanted.length > 0; ) {
    const related: string[] = [];
    await readMembers(mempool, wanted, (member) => {
      graph.add(member);
      for (const other of [...member.parents, ...member.children]) {
        if (!asked.has(other)) related.push(other);
        asked.add(other);
      }
    });
    wanted = related;
  }
  const position = graph.find(id);
  if (position === undefined) throw rpcError("notFound", "Transaction not in mempool");
  return { graph, position };
}

/** Those which have left meanwhile are passed over. */
async function readMembers(
  mempool: MempoolQueries | undefined,
  ids: readonly string[],
  take: (member: MempoolMember) => void,
): Promise<void> {
  for (let start = 0; mempool !== undefined && start < ids.length; start += membersAtOnce) {
    if (isTurnUsedUp()) await nextTurn();
    for (const member of await mempool.members(ids.slice(start, start + membersAtOnce))) {
      if (member !== undefined) take(member);
    }
  }
}
