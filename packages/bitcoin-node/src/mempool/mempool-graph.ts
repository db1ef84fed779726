import type { MempoolMember } from "@nodewright/bitcoin-indexer";
import { type Chunk, chunkCluster } from "./chunk-cluster.ts";

/** What some transactions together have. Fees in satoshi, sizes in virtual bytes. */
export interface MemberSum {
  readonly count: number;
  readonly virtualSize: number;
  readonly fee: number;
}

/**
 * Unconfirmed transactions and their relations, by the position of each.
 *
 * They may have been read at several moments: what names a transaction that is not among them is passed over, so that everything
 * said here is of these transactions.
 */
export class MempoolGraph {
  readonly members: readonly MempoolMember[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #parents: readonly (readonly number[])[];
  readonly #children: readonly (readonly number[])[];
  readonly #chunks = new Map<number, Chunk>();

  constructor(members: readonly MempoolMember[]) {
    this.members = members;
    this.#positions = new Map(members.map(({ txid }, position) => [txid, position]));
    this.#parents = members.map(({ parents }) => this.#known(parents));
    const children: number[][] = members.map(() => none);
    for (const [position, parents] of this.#parents.entries()) {
      for (const parent of parents) {
        const others = children[parent];
        if (others === undefined || others.length === 0) children[parent] = [position];
        else others.push(position);
      }
    }
    this.#children = children;
  }

  /** `undefined` for a transaction that is not among them. */
  find(txid: string): number | undefined {
    return this.#positions.get(txid);
  }

  memberAt(position: number): MempoolMember {
    const member = this.members[position];
    if (member === undefined) throw new Error(`No transaction ${position} among ${this.members.length}`);
    return member;
  }

  parentsOf(position: number): readonly number[] {
    return this.#parents[position] ?? none;
  }

  childrenOf(position: number): readonly number[] {
    return this.#children[position] ?? none;
  }

  /** Those that it depends on, directly or through others, nearest first; without itself. */
  ancestorsOf(position: number): readonly number[] {
    return reachable(position, (each) => this.parentsOf(each));
  }

  /** Those that depend on it, directly or through others, nearest first; without itself. */
  descendantsOf(position: number): readonly number[] {
    return reachable(position, (each) => this.childrenOf(each));
  }

  /** Of a transaction and others. */
  sum(position: number, others: readonly number[]): MemberSum {
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

  /** The group of transactions of its cluster with which it would be mined. */
  chunkOf(position: number): Chunk {
    const known = this.#chunks.get(position);
    if (known !== undefined) return known;
    const { fee, weight } = this.memberAt(position);
    const isAlone = this.parentsOf(position).length === 0 && this.childrenOf(position).length === 0;
    if (isAlone) return { members: [position], fee: Number(fee), weight };
    for (const chunk of chunkCluster(this, this.#clusterOf(position))) {
      for (const member of chunk.members) this.#chunks.set(member, chunk);
    }
    const chunk = this.#chunks.get(position);
    if (chunk === undefined) throw new Error("A transaction is in no chunk of its own cluster");
    return chunk;
  }

  /** All that are related to it in any way, with itself. */
  #clusterOf(position: number): readonly number[] {
    const related = (each: number): readonly number[] => [...this.parentsOf(each), ...this.childrenOf(each)];
    return [position, ...reachable(position, related)];
  }

  #known(txids: readonly string[]): readonly number[] {
    if (txids.length === 0) return none;
    return txids.map((txid) => this.#positions.get(txid)).filter((position) => position !== undefined);
  }
}

const none: number[] = [];

function reachable(from: number, next: (position: number) => readonly number[]): readonly number[] {
  const first = next(from);
  if (first.length === 0) return none;
  const found = new Set([from, ...first]);
  // What is added while the set is walked is walked as well.
  for (const each of found) for (const other of next(each)) found.add(other);
  found.delete(from);
  return [...found];
}
