import type { MempoolMember } from "@nodewright/bitcoin-indexer";
import { type Chunk, chunkCluster } from "./chunk-cluster.ts";

/** Sums of some transactions. Fees in satoshi, sizes in virtual bytes. */
export interface MemberSum {
  readonly count: number;
  readonly virtualSize: number;
  readonly fee: number;
}

/**
 * Unconfirmed transactions and their relations, by the position of each.
 *
 * They may have been read at several moments: references to transactions outside the graph are ignored, so that all results are about its
 * own.
 */
export class MempoolGraph {
  readonly #members: MempoolMember[] = [];
  readonly #positions = new Map<string, number>();
  /** Children by the id of a parent, which may come later or never. */
  readonly #children = new Map<string, number[]>();
  readonly #chunks = new Map<number, Chunk>();
  readonly #ancestorSums = new Map<number, MemberSum>();
  readonly #descendantSums = new Map<number, MemberSum>();

  constructor(members: Iterable<MempoolMember> = []) {
    for (const member of members) this.add(member);
  }

  /** Adds a member. Called before any query. */
  add(member: MempoolMember): void {
    const position = this.#members.push(member) - 1;
    this.#positions.set(member.txid, position);
    for (const parent of member.parents) {
      const others = this.#children.get(parent);
      if (others === undefined) this.#children.set(parent, [position]);
      else others.push(position);
    }
  }

  get size(): number {
    return this.#members.length;
  }

  /** Returns the position; `undefined` for a transaction that is not in the graph. */
  find(txid: string): number | undefined {
    return this.#positions.get(txid);
  }

  /** Returns the positions; ids that are not in the graph are skipped. */
  positionsOf(txids: readonly string[]): readonly number[] {
    return txids.map((txid) => this.#positions.get(txid)).filter((position) => position !== undefined);
  }

  memberAt(position: number): MempoolMember {
    const member = this.#members[position];
    if (member === undefined) throw new Error(`No transaction ${position} among ${this.size}`);
    return member;
  }

  parentsOf(position: number): readonly number[] {
    const { parents } = this.memberAt(position);
    if (parents.length === 0) return none;
    return this.positionsOf(parents);
  }

  childrenOf(position: number): readonly number[] {
    return this.#children.get(this.memberAt(position).txid) ?? none;
  }

  /** Returns the transactions that it depends on, directly or through others, nearest first; without itself. */
  ancestorsOf(position: number): readonly number[] {
    return reachable(position, (each) => this.parentsOf(each));
  }

  /** Returns the transactions that depend on it, directly or through others, nearest first; without itself. */
  descendantsOf(position: number): readonly number[] {
    return reachable(position, (each) => this.childrenOf(each));
  }

  /** Returns the sum of a transaction and its ancestors. */
  ancestorSum(position: number): MemberSum {
    return this.#sumAlong(position, this.#ancestorSums, {
      next: (each) => this.parentsOf(each),
      all: (each) => this.ancestorsOf(each),
    });
  }

  /** Returns the sum of a transaction and its descendants. */
  descendantSum(position: number): MemberSum {
    return this.#sumAlong(position, this.#descendantSums, {
      next: (each) => this.childrenOf(each),
      all: (each) => this.descendantsOf(each),
    });
  }

  /** Returns a sum. A transaction with one neighbor has that one's sum, and itself: a long line is not walked again for each. */
  #sumAlong(
    position: number,
    sums: Map<number, MemberSum>,
    { next, all }: Record<"next" | "all", (position: number) => readonly number[]>,
  ): MemberSum {
    const line: number[] = [];
    let known = sums.get(position);
    for (let at = position; known === undefined; ) {
      const [only, ...others] = next(at);
      if (only === undefined || others.length > 0) {
        known = this.#sum(at, all(at));
        sums.set(at, known);
        break;
      }
      line.push(at);
      at = only;
      known = sums.get(at);
    }
    for (const each of line.reverse()) {
      const { fee, virtualSize } = this.memberAt(each);
      known = { count: known.count + 1, virtualSize: known.virtualSize + virtualSize, fee: known.fee + Number(fee) };
      sums.set(each, known);
    }
    return known;
  }

  #sum(position: number, others: readonly number[]): MemberSum {
    const first = this.memberAt(position);
    let fee = Number(first.fee);
    let { virtualSize } = first;
    for (const other of others) {
      const member = this.memberAt(other);
      fee += Number(member.fee);
      virtualSize += member.virtualSize;
    }
    return { count: others.length + 1, virtualSize, fee };
  }

  /** Returns the chunk of its cluster with which it would be mined: found in steps, between which other work can run. */
  *chunkOf(position: number): Generator<void, Chunk> {
    const known = this.#chunks.get(position);
    if (known !== undefined) return known;
    const { fee, weight } = this.memberAt(position);
    const isAlone = this.parentsOf(position).length === 0 && this.childrenOf(position).length === 0;
    if (isAlone) return { members: [position], fee: Number(fee), weight };
    for (const chunk of yield* chunkCluster(this, yield* this.#clusterOf(position))) {
      for (const member of chunk.members) this.#chunks.set(member, chunk);
      yield;
    }
    const chunk = this.#chunks.get(position);
    if (chunk === undefined) throw new Error("A transaction is in no chunk of its own cluster");
    return chunk;
  }

  /** Returns all related transactions, including itself. */
  *#clusterOf(position: number): Generator<void, readonly number[]> {
    const found = new Set([position]);
    // Elements that are added during the iteration are visited as well.
    for (const each of found) {
      for (const other of this.parentsOf(each)) found.add(other);
      for (const other of this.childrenOf(each)) found.add(other);
      yield;
    }
    return [...found];
  }
}

const none: readonly number[] = [];

function reachable(from: number, next: (position: number) => readonly number[]): readonly number[] {
  const first = next(from);
  if (first.length === 0) return none;
  const found = new Set([from, ...first]);
  // Elements that are added during the iteration are visited as well.
  for (const each of found) for (const other of next(each)) found.add(other);
  found.delete(from);
  return [...found];
}
