import { setImmediate as nextTurn } from "node:timers/promises";
import type { UnconfirmedTransaction } from "./mempool-state.ts";

/** What a transaction effectively pays. */
export interface PackageFeeRate {
  /** Satoshi per virtual byte, of the package with which a miner takes the transaction. */
  readonly feeRate: number;
  /** Of the transaction alone. */
  readonly virtualSize: number;
}

/** Above, packages are not looked for: the work grows with the cube. Nodes allow few clusters that are larger. */
const largestCluster = 64;

/** Longest time without letting other work go on. */
const turnMilliseconds = 5;

/**
 * Gives the effective fee rate of every transaction, in no order that matters.
 *
 * From each cluster of related transactions the package of a transaction and its remaining ancestors that pays the highest rate is
 * taken first, and so on. In larger clusters a transaction counts with its own rate, but no higher than its ancestors.
 * `transactions` may change meanwhile: what comes is then not in step, which an estimate bears.
 */
export async function* packageFeeRates(
  transactions: Iterable<UnconfirmedTransaction>,
): AsyncGenerator<PackageFeeRate, void, undefined> {
  const seen = new Set<UnconfirmedTransaction>();
  let turnStarted = performance.now();
  for (const transaction of transactions) {
    if (transaction.parents === undefined && transaction.children === undefined) yield alone(transaction);
    else if (!seen.has(transaction)) {
      const cluster = clusterOf(transaction);
      for (const each of cluster) seen.add(each);
      yield* cluster.size <= largestCluster ? packagesOf(cluster) : cappedByAncestors(cluster);
    }
    if (performance.now() - turnStarted < turnMilliseconds) continue;
    await nextTurn();
    turnStarted = performance.now();
  }
}

function alone({ fee, virtualSize }: UnconfirmedTransaction): PackageFeeRate {
  return { feeRate: fee / virtualSize, virtualSize };
}

function clusterOf(transaction: UnconfirmedTransaction): Set<UnconfirmedTransaction> {
  const cluster = new Set([transaction]);
  // What is added while the set is walked is walked as well.
  for (const { parents, children } of cluster) {
    for (const parent of parents ?? []) cluster.add(parent);
    for (const child of children ?? []) cluster.add(child);
  }
  return cluster;
}

function packagesOf(cluster: ReadonlySet<UnconfirmedTransaction>): readonly PackageFeeRate[] {
  const rest = new Set(cluster);
  const feeRates: PackageFeeRate[] = [];
  while (rest.size > 0) {
    let best: { readonly members: ReadonlySet<UnconfirmedTransaction>; readonly feeRate: number } | undefined;
    for (const transaction of rest) {
      const members = remainingAncestors(transaction, rest);
      const feeRate = feeRateOf(members);
      if (best === undefined || feeRate > best.feeRate) best = { members, feeRate };
    }
    if (best === undefined) break;
    for (const member of best.members) {
      rest.delete(member);
      feeRates.push({ feeRate: best.feeRate, virtualSize: member.virtualSize });
    }
  }
  return feeRates;
}

/** With the transaction itself. */
function remainingAncestors(
  transaction: UnconfirmedTransaction,
  rest: ReadonlySet<UnconfirmedTransaction>,
): Set<UnconfirmedTransaction> {
  const ancestors = new Set([transaction]);
  for (const { parents } of ancestors) for (const parent of parents ?? []) if (rest.has(parent)) ancestors.add(parent);
  return ancestors;
}

function feeRateOf(transactions: ReadonlySet<UnconfirmedTransaction>): number {
  let fee = 0;
  let virtualSize = 0;
  for (const transaction of transactions) {
    fee += transaction.fee;
    virtualSize += transaction.virtualSize;
  }
  return fee / virtualSize;
}

function cappedByAncestors(cluster: ReadonlySet<UnconfirmedTransaction>): readonly PackageFeeRate[] {
  const feeRates = new Map<UnconfirmedTransaction, number>();
  // Parents come before their children: a transaction that arrived later may only have a smaller number when it came back.
  const waiting = [...cluster];
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    const unknown = [...(next.parents ?? [])].filter((parent) => !feeRates.has(parent) && cluster.has(parent));
    if (unknown.length > 0 && !feeRates.has(next)) {
      waiting.push(...unknown);
      continue;
    }
    waiting.pop();
    if (feeRates.has(next)) continue;
    const ofParents = [...(next.parents ?? [])].map((parent) => feeRates.get(parent) ?? Number.POSITIVE_INFINITY);
    feeRates.set(next, Math.min(next.fee / next.virtualSize, ...ofParents));
  }
  return Array.from(feeRates, ([{ virtualSize }, feeRate]) => ({ feeRate, virtualSize }));
}
