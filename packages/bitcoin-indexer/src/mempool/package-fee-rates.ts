import { setImmediate as nextTimeSlice } from "node:timers/promises";
import type { UnconfirmedTransactions } from "./mempool-state.ts";
import type { Slot } from "./txid-table.ts";

/** Effective fee rate of a transaction. */
export interface PackageFeeRate {
  /** Satoshi per virtual byte, of the package with which a miner takes the transaction. */
  readonly feeRate: number;
  /** Virtual bytes of the transaction alone. */
  readonly virtualSize: number;
}

/** Cluster size above which packages are not searched: the work grows with the cube. Nodes allow few larger clusters. */
const maximumClusterSize = 64;

/** Maximum time in milliseconds without yielding to other work. */
const turnMilliseconds = 5;

/**
 * Yields the effective fee rate of every transaction, in no particular order.
 *
 * From each cluster of related transactions the package of a transaction and its remaining ancestors that pays the highest rate is taken
 * first, and so on. In larger clusters a transaction counts with its own rate, but no higher than its ancestors. `transactions` may change
 * meanwhile: later parts are then inconsistent, which an estimate tolerates.
 */
export async function* packageFeeRates(
  transactions: UnconfirmedTransactions,
): AsyncGenerator<PackageFeeRate, void, undefined> {
  const { parents, children } = transactions;
  const seen = new Set<Slot>();
  let turnStarted = performance.now();
  for (const slot of transactions.slots()) {
    if (!parents.has(slot) && !children.has(slot)) yield alone(transactions, slot);
    else if (!seen.has(slot)) {
      const cluster = clusterOf(transactions, slot);
      for (const each of cluster) seen.add(each);
      yield* cluster.size <= maximumClusterSize
        ? packagesOf(transactions, cluster)
        : cappedByAncestors(transactions, cluster);
    }
    if (performance.now() - turnStarted < turnMilliseconds) continue;
    await nextTimeSlice();
    turnStarted = performance.now();
  }
}

function alone(transactions: UnconfirmedTransactions, slot: Slot): PackageFeeRate {
  const virtualSize = transactions.virtualSizeOf(slot);
  return { feeRate: transactions.feeOf(slot) / virtualSize, virtualSize };
}

function clusterOf({ parents, children }: UnconfirmedTransactions, slot: Slot): Set<Slot> {
  const cluster = new Set([slot]);
  // Elements that are added during the iteration are visited as well.
  for (const each of cluster) {
    for (const parent of parents.of(each)) cluster.add(parent);
    for (const child of children.of(each)) cluster.add(child);
  }
  return cluster;
}

function packagesOf(transactions: UnconfirmedTransactions, cluster: ReadonlySet<Slot>): readonly PackageFeeRate[] {
  const rest = new Set(cluster);
  const feeRates: PackageFeeRate[] = [];
  while (rest.size > 0) {
    let best: { readonly members: ReadonlySet<Slot>; readonly feeRate: number } | undefined;
    for (const slot of rest) {
      const members = remainingAncestors(transactions, slot, rest);
      const feeRate = feeRateOf(transactions, members);
      if (best === undefined || feeRate > best.feeRate) best = { members, feeRate };
    }
    if (best === undefined) break;
    for (const member of best.members) {
      rest.delete(member);
      feeRates.push({ feeRate: best.feeRate, virtualSize: transactions.virtualSizeOf(member) });
    }
  }
  return feeRates;
}

/** Returns the remaining ancestors with the transaction itself. */
function remainingAncestors({ parents }: UnconfirmedTransactions, slot: Slot, rest: ReadonlySet<Slot>): Set<Slot> {
  const ancestors = new Set([slot]);
  for (const each of ancestors) for (const parent of parents.of(each)) if (rest.has(parent)) ancestors.add(parent);
  return ancestors;
}

function feeRateOf(transactions: UnconfirmedTransactions, slots: ReadonlySet<Slot>): number {
  let fee = 0;
  let virtualSize = 0;
  for (const slot of slots) {
    fee += transactions.feeOf(slot);
    virtualSize += transactions.virtualSizeOf(slot);
  }
  return fee / virtualSize;
}

function cappedByAncestors(
  transactions: UnconfirmedTransactions,
  cluster: ReadonlySet<Slot>,
): readonly PackageFeeRate[] {
  const { parents } = transactions;
  const feeRates = new Map<Slot, number>();
  // Parents come before their children: a transaction that arrived later has a smaller number only when it came back.
  const waiting = [...cluster];
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    const unknown = [...parents.of(next)].filter((parent) => !feeRates.has(parent) && cluster.has(parent));
    if (unknown.length > 0 && !feeRates.has(next)) {
      waiting.push(...unknown);
      continue;
    }
    waiting.pop();
    if (feeRates.has(next)) continue;
    const ofParents = [...parents.of(next)].map((parent) => feeRates.get(parent) ?? Number.POSITIVE_INFINITY);
    feeRates.set(next, Math.min(alone(transactions, next).feeRate, ...ofParents));
  }
  return Array.from(feeRates, ([slot, feeRate]) => ({ feeRate, virtualSize: transactions.virtualSizeOf(slot) }));
}
