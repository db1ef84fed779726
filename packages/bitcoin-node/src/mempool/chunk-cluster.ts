import type { MempoolMember } from "@nodewright/bitcoin-indexer";

/** Transactions that are mined together because that pays more than mining them one after the other. */
export interface Chunk {
  /** Positions of transactions, in an order in which they can be mined. */
  readonly members: readonly number[];
  /** Satoshi. */
  readonly fee: number;
  /** BIP 141 weight units. */
  readonly weight: number;
}

/** Transactions of a cluster and their relations. */
export interface ClusterRelations {
  memberAt(position: number): MempoolMember;
  parentsOf(position: number): readonly number[];
  childrenOf(position: number): readonly number[];
}

/** Cluster size above which the best order is not searched: the work grows with the cube. Bitcoin Core allows no larger cluster. */
const maximumOrderedClusterSize = 64;

/**
 * Splits a cluster into chunks, each of which pays at least as much for its weight as the next.
 *
 * The order is found by repeatedly taking the transaction that pays best together with its remaining dependencies. This is the best order
 * in all except unusual clusters. In clusters of more than 64 transactions the best paying one comes next of those without remaining
 * dependencies.
 *
 * Large clusters take long: it runs in steps, between which other work can run.
 */
export function* chunkCluster(
  relations: ClusterRelations,
  cluster: readonly number[],
): Generator<void, readonly Chunk[]> {
  const order = yield* cluster.length <= maximumOrderedClusterSize
    ? orderByAncestors(relations, cluster)
    : orderByRate(relations, cluster);
  const pieces: Piece[] = [];
  for (const [start, position] of order.entries()) {
    const { fee, weight } = relations.memberAt(position);
    let piece: Piece = { start, fee: Number(fee), weight };
    for (let before = pieces.at(-1); before !== undefined && rateOf(piece) > rateOf(before); before = pieces.at(-1)) {
      pieces.pop();
      piece = { start: before.start, fee: before.fee + piece.fee, weight: before.weight + piece.weight };
    }
    pieces.push(piece);
    yield;
  }
  return pieces.map(({ start, fee, weight }, index) => {
    return { members: order.slice(start, pieces[index + 1]?.start), fee, weight };
  });
}

/** A chunk as the part of an order that begins at `start` and ends where the next one begins. */
interface Piece {
  readonly start: number;
  readonly fee: number;
  readonly weight: number;
}

function* orderByAncestors(
  relations: ClusterRelations,
  cluster: readonly number[],
): Generator<void, readonly number[]> {
  const rest = new Set(cluster);
  const order: number[] = [];
  while (rest.size > 0) {
    let best: Chunk | undefined;
    for (const position of rest) {
      const candidate = chunkOf(relations, withAncestors(relations, position, rest));
      if (best === undefined || rateOf(candidate) > rateOf(best)) best = candidate;
    }
    yield;
    for (const position of best?.members ?? []) {
      rest.delete(position);
      order.push(position);
    }
  }
  return order;
}

/** Returns the remaining ancestors of a transaction, each after its own, and the transaction itself. */
function withAncestors(relations: ClusterRelations, position: number, rest: ReadonlySet<number>): readonly number[] {
  const found = new Set<number>();
  const visit = (each: number): void => {
    if (found.has(each)) return;
    for (const parent of relations.parentsOf(each)) if (rest.has(parent)) visit(parent);
    found.add(each);
  };
  visit(position);
  return [...found];
}

function* orderByRate(relations: ClusterRelations, cluster: readonly number[]): Generator<void, readonly number[]> {
  const missing = new Map<number, number>();
  const ready = new RateHeap(relations);
  for (const position of cluster) {
    const { length } = relations.parentsOf(position);
    missing.set(position, length);
    if (length === 0) ready.push(position);
    yield;
  }
  const order: number[] = [];
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next);
    for (const child of relations.childrenOf(next)) {
      const left = (missing.get(child) ?? 0) - 1;
      missing.set(child, left);
      if (left === 0) ready.push(child);
      yield;
    }
    yield;
  }
  return order;
}

function chunkOf(relations: ClusterRelations, members: readonly number[]): Chunk {
  let fee = 0;
  let weight = 0;
  for (const position of members) {
    const member = relations.memberAt(position);
    fee += Number(member.fee);
    weight += member.weight;
  }
  return { members, fee, weight };
}

function rateOf({ fee, weight }: Pick<Chunk, "fee" | "weight">): number {
  return fee / weight;
}

/** Heap of transactions, the best paying first. */
class RateHeap {
  readonly #relations: ClusterRelations;
  readonly #positions: number[] = [];

  constructor(relations: ClusterRelations) {
    this.#relations = relations;
  }

  push(position: number): void {
    this.#positions.push(position);
    let at = this.#positions.length - 1;
    for (let above = parentIndex(at); at > 0 && this.#isBetter(at, above); above = parentIndex(at)) {
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): number | undefined {
    const [best] = this.#positions;
    const last = this.#positions.pop();
    if (last === undefined || this.#positions.length === 0) return best;
    this.#positions[0] = last;
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      let better = left < this.#positions.length && this.#isBetter(left, at) ? left : at;
      if (left + 1 < this.#positions.length && this.#isBetter(left + 1, better)) better = left + 1;
      if (better === at) return best;
      this.#swap(at, better);
      at = better;
    }
  }

  #isBetter(left: number, right: number): boolean {
    return this.#rateAt(left) > this.#rateAt(right);
  }

  #rateAt(index: number): number {
    const { fee, weight } = this.#relations.memberAt(this.#positions[index] ?? 0);
    return Number(fee) / weight;
  }

  #swap(left: number, right: number): void {
    const position = this.#positions[left] ?? 0;
    this.#positions[left] = this.#positions[right] ?? 0;
    this.#positions[right] = position;
  }
}

function parentIndex(index: number): number {
  return Math.floor((index - 1) / 2);
}
