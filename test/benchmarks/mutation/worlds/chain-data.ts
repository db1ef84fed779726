import { createRandom } from "../random.ts";

interface ChainInput {
  readonly txid: string;
  readonly vout: number;
  readonly address: string;
  readonly value: number;
}

interface ChainOutput {
  readonly address: string;
  readonly value: number;
}

export interface ChainTransaction {
  readonly txid: string;
  readonly height: number;
  readonly fee: number;
  readonly size: number;
  readonly isCoinbase: boolean;
  readonly inputs: readonly ChainInput[];
  readonly outputs: readonly ChainOutput[];
}

export interface ChainBlock {
  readonly height: number;
  readonly hash: string;
  readonly previous: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly size: number;
  readonly nonce: number;
  readonly difficulty: number;
  readonly transactions: readonly ChainTransaction[];
}

/** A chain that is the same for the same seed; the servers show more of it as time goes by. */
export interface Chain {
  readonly blocks: readonly ChainBlock[];
  readonly byHash: ReadonlyMap<string, ChainBlock>;
  readonly transactions: ReadonlyMap<string, ChainTransaction>;
  readonly addresses: readonly string[];
  /** Newest first. */
  readonly byAddress: ReadonlyMap<string, readonly ChainTransaction[]>;
}

/** Makes the chain of a seed, of so many blocks above the first. */
export function createChain(seed: string, height: number): Chain {
  const random = createRandom(`chain ${seed}`);
  const addresses = Array.from({ length: 16 }, () => `bx1${random.hex(32)}`);
  const blocks: ChainBlock[] = [];
  const transactions = new Map<string, ChainTransaction>();
  const byAddress = new Map<string, ChainTransaction[]>(addresses.map((address) => [address, []]));
  const unspent: ChainInput[] = [];
  let previous = "0".repeat(64);
  for (let number = 0; number <= height; number += 1) {
    const list: ChainTransaction[] = [];
    const count = number === 0 ? 1 : 2 + random.below(5);
    for (let index = 0; index < count; index += 1) {
      const isCoinbase = index === 0;
      const inputs = isCoinbase || unspent.length === 0 ? [] : unspent.splice(random.below(unspent.length), 1);
      if (!isCoinbase && inputs.length === 0) {
        break;
      }
      const available = isCoinbase ? 5_000_000_000 : inputs.reduce((sum, input) => sum + input.value, 0);
      const fee = isCoinbase ? 0 : Math.min(available - 2000, 500 + random.below(9000));
      const txid = random.hex(64);
      const first = 1000 + random.below(Math.max(1, available - fee - 2000));
      const outputs = [
        { address: random.pick(addresses), value: first },
        { address: random.pick(addresses), value: available - fee - first },
      ];
      if (available > 100_000) {
        unspent.push(...outputs.map((output, vout) => ({ txid, vout, ...output })));
      }
      list.push({ txid, height: number, fee, size: 180 + random.below(600), isCoinbase, inputs, outputs });
    }
    const hash = `00000${random.hex(59)}`;
    for (const transaction of list) {
      transactions.set(transaction.txid, transaction);
      const involved = new Set([...transaction.inputs, ...transaction.outputs].map((end) => end.address));
      for (const address of involved) {
        byAddress.get(address)?.unshift(transaction);
      }
    }
    blocks.push({
      height: number,
      hash,
      previous,
      time: 1_700_000_000 + number * 600 + random.below(300),
      size: 300 + list.reduce((sum, transaction) => sum + transaction.size, 0),
      nonce: random.below(0xffffffff),
      difficulty: 1 + random.below(1000) / 8,
      transactions: list,
    });
    previous = hash;
  }
  return { blocks, byHash: new Map(blocks.map((block) => [block.hash, block])), transactions, addresses, byAddress };
}

/** Height of the tip at a time: a block each 900 milliseconds, from block 120 on. */
export function tipAt(milliseconds: number): number {
  return Math.min(120 + Math.floor(milliseconds / 900), 1000);
}
