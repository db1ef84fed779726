import type { MempoolEntries, MempoolEntry } from "@nodewright/bitcoin-api/types";
import { encodeBitcoinAmount, PreparedJson } from "@nodewright/runtime";
import { runInTimeSlices, isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import type { Chunk } from "./chunk-cluster.ts";
import type { MempoolGraph } from "./mempool-graph.ts";

/** Number of characters that are encoded together; all of them are ASCII. */
const maximumPieceLength = 256 * 1024;

/**
 * Renders Bitcoin Core 31's entry of a transaction in the mempool, plus the size and the fee under the names of btcd and older clients, and
 * two priorities that are always 0.
 */
export async function renderMempoolEntry(graph: MempoolGraph, position: number): Promise<MempoolEntry> {
  return entryOf(graph, position, { chunk: await runInTimeSlices(graph.chunkOf(position)), amountOf: BigInt });
}

/** Renders entries by id, of all transactions or of some, with other work between them. */
export async function renderMempoolEntries(
  graph: MempoolGraph,
  positions: Iterable<number> = Array(graph.size).keys(),
): Promise<PreparedJson<MempoolEntries>> {
  const pieces: (string | Uint8Array)[] = [];
  let piece = "{";
  let count = 0;
  for (const position of positions) {
    const { txid } = graph.memberAt(position);
    const chunk = await runInTimeSlices(graph.chunkOf(position));
    const entry = entryOf(graph, position, { chunk, amountOf: encodeBitcoinAmount });
    piece += `${count === 0 ? "" : ","}"${txid}":${JSON.stringify(entry)}`;
    count += 1;
    if (piece.length >= maximumPieceLength) {
      pieces.push(Buffer.from(piece, "latin1"));
      piece = "";
    }
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  pieces.push(`${piece}}`);
  return new PreparedJson<MempoolEntries>(pieces);
}

/** An entry whose amounts have some type. */
type EntryWith<Amount> = Omit<MempoolEntry, "fees" | "fee"> & {
  readonly fee: Amount;
  readonly fees: Readonly<Record<"base" | "modified" | "ancestor" | "descendant" | "chunk", Amount>>;
};

function entryOf<Amount>(
  graph: MempoolGraph,
  position: number,
  { chunk, amountOf }: { readonly chunk: Chunk; readonly amountOf: (satoshi: bigint) => Amount },
): EntryWith<Amount> {
  const member = graph.memberAt(position);
  const descendants = graph.descendantSum(position);
  const ancestors = graph.ancestorSum(position);
  const fee = amountOf(member.fee);
  return {
    vsize: member.virtualSize,
    weight: member.weight,
    time: member.time,
    height: member.height,
    descendantcount: descendants.count,
    descendantsize: descendants.virtualSize,
    ancestorcount: ancestors.count,
    ancestorsize: ancestors.virtualSize,
    chunkweight: chunk.weight,
    wtxid: member.wtxid,
    fees: {
      base: fee,
      modified: fee,
      ancestor: amountOf(BigInt(ancestors.fee)),
      descendant: amountOf(BigInt(descendants.fee)),
      chunk: amountOf(BigInt(chunk.fee)),
    },
    depends: idsOf(graph, graph.parentsOf(position)),
    spentby: idsOf(graph, graph.childrenOf(position)),
    unbroadcast: false,
    size: member.size,
    fee,
    startingpriority: 0,
    currentpriority: 0,
  };
}

/** Returns ids in the order of their hex strings. */
function idsOf(graph: MempoolGraph, positions: readonly number[]): string[] {
  return positions.map((position) => graph.memberAt(position).txid).sort();
}
