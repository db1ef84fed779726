import type { MempoolMember, MempoolQueries } from "@nodewright/bitcoin-indexer";
import { runInTimeSlices, isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { rpcError } from "../parameters/rpc-error.ts";
import { MempoolGraph } from "./mempool-graph.ts";

/** Number of transactions that are read at once. */
const membersAtOnce = 100;
/** Number of ids that are read at once; they cost little. */
const idsAtOnce = 2_000;

/** A transaction among all that are related to it. */
export interface FoundMember {
  readonly graph: MempoolGraph;
  readonly position: number;
}

/** Returns the ids of all unconfirmed transactions, in the order of their hex strings. */
export async function readIds(mempool: MempoolQueries): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await mempool.transactionIds({ after: ids.at(-1), limit: idsAtOnce });
    for (const id of page) ids.push(id);
    if (page.length < idsAtOnce) return ids;
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
}

/** Returns all unconfirmed transactions, in the order of their ids' hex strings. */
export async function readMempool(mempool: MempoolQueries): Promise<MempoolGraph> {
  const graph = new MempoolGraph();
  await readMembers(mempool, await readIds(mempool), (member) => graph.add(member));
  return graph;
}

/** Cached clusters of one state of a mempool. */
interface KnownClusters {
  readonly changes: number;
  /** Graphs, the latest last. */
  readonly graphs: MempoolGraph[];
  /** Pending clusters by the requested transaction. */
  readonly underWay: Map<string, Promise<MempoolGraph>>;
}

/** Cache of clusters: clients query one transaction of a cluster after the other, and a cluster may have thousands. */
const known = new WeakMap<MempoolQueries, KnownClusters>();
const keptClusters = 4;

/** Returns a transaction and its cluster: all that are related to it in any way. Throws -5 when it is not in the mempool. */
export async function getCluster(mempool: MempoolQueries | undefined, txid: string): Promise<FoundMember> {
  const id = txid.toLowerCase();
  const graph = mempool === undefined ? undefined : await clusterOf(mempool, id);
  // All callers that have waited for the same cluster resume together.
  if (isTimeSliceUsedUp()) await nextTimeSlice();
  const position = graph?.find(id);
  if (graph === undefined || position === undefined) throw rpcError("notFound", "Transaction not in mempool");
  return { graph, position };
}

async function clusterOf(mempool: MempoolQueries, id: string): Promise<MempoolGraph> {
  const changes = await mempool.changes();
  let clusters = known.get(mempool);
  if (clusters?.changes !== changes) {
    clusters = { changes, graphs: [], underWay: new Map() };
    known.set(mempool, clusters);
  }
  return clusters.graphs.find((graph) => graph.find(id) !== undefined) ?? (await readOnce(mempool, id, clusters));
}

function readOnce(mempool: MempoolQueries, id: string, { graphs, underWay }: KnownClusters): Promise<MempoolGraph> {
  const same = underWay.get(id);
  if (same !== undefined) return same;
  const reading = readCluster(mempool, id).then(async (graph) => {
    const position = graph.find(id);
    if (position === undefined) return graph;
    // Work that callers would otherwise repeat each for themselves.
    await runInTimeSlices(graph.chunkOf(position));
    if (graphs.push(graph) > keptClusters) graphs.shift();
    return graph;
  });
  const once = reading.finally(() => underWay.delete(id));
  underWay.set(id, once);
  return once;
}

/** Returns the cluster; empty when there is no such transaction. */
async function readCluster(mempool: MempoolQueries, id: string): Promise<MempoolGraph> {
  const graph = new MempoolGraph();
  const requested = new Set([id]);
  for (let wanted: readonly string[] = [id]; wanted.length > 0; ) {
    const related: string[] = [];
    await readMembers(mempool, wanted, (member) => {
      graph.add(member);
      for (const other of [...member.parents, ...member.children]) {
        if (!requested.has(other)) related.push(other);
        requested.add(other);
      }
    });
    wanted = related;
  }
  return graph;
}

/** Reads members. Those which have left meanwhile are skipped. */
async function readMembers(
  mempool: MempoolQueries,
  ids: readonly string[],
  take: (member: MempoolMember) => void,
): Promise<void> {
  for (let start = 0; start < ids.length; start += membersAtOnce) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    for (const member of await mempool.members(ids.slice(start, start + membersAtOnce))) {
      if (member !== undefined) take(member);
    }
  }
}
