import type { EthereumContext } from "../request/context.ts";
import { whenAll } from "../basics/promise-or-value.ts";
import type { NodeBlock, NodeHeader } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";

/** Maximum number of blocks that are searched backwards from a block. */
const maximumLookBack = 1_000;

/** Number of blocks that are read at once. */
const stride = 250;

interface FinalDifficulty {
  /** First height that adds nothing. */
  readonly from: number;
  readonly total: string;
}

/**
 * Total difficulties at which public chains switched to proof of stake, by chain id. Main network, Sepolia, Holesky, Hoodi; the last two
 * began with proof of stake, on a first block of difficulty 1.
 */
const finalDifficulties: ReadonlyMap<string, FinalDifficulty> = new Map([
  ["0x1", { from: 15_537_394, total: quantity(58_750_003_716_598_352_816_469n) }],
  ["0xaa36a7", { from: 1_450_410, total: quantity(17_000_018_015_853_232n) }],
  ["0x4268", { from: 1, total: quantity(1n) }],
  ["0x88bb0", { from: 1, total: quantity(1n) }],
]);

/**
 * Returns the total difficulty; null when neither the node, nor the chain's end of proof of work, nor a short search backwards provides it.
 */
export async function findTotalDifficulty(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  const known = knownTotal(header, context);
  if (known !== undefined) return known;
  return (await afterProofOfWork(header, context)) ?? (await lookBack(header, context));
}

function knownTotal(header: NodeHeader, { node }: EthereumContext): string | undefined {
  return header.totalDifficulty ?? node.totalDifficulties.find(header.hash);
}

async function afterProofOfWork(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  if (difficultyOf(header) !== 0n) return null;
  const chainId = await context.read("eth_chainId");
  const final = typeof chainId === "string" ? finalDifficulties.get(chainId) : undefined;
  return final !== undefined && BigInt(header.number) >= BigInt(final.from) ? final.total : null;
}

/** Searches down from a block to one whose total is known, or to the first block; caches the totals of all in between. */
async function lookBack(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  const path: NodeHeader[] = [header];
  while (path.length <= maximumLookBack) {
    const lowest = path.at(-1) ?? header;
    const below = await readBelow(lowest, path.length, context);
    for (const parent of below) {
      if (parent?.hash !== path.at(-1)?.parentHash || parent === undefined) return null;
      const known = knownTotal(parent, context);
      if (known !== undefined) return addUp(path, BigInt(known), context);
      path.push(parent);
    }
    if (below.length === 0) return BigInt(lowest.number) === 0n ? addUp(path, 0n, context) : null;
  }
  return null;
}

/**
 * Reads the next blocks below one, in descending order, undefined where there is none: the parent by its hash where its total is known,
 * otherwise by their heights. None when the first block is reached, or lies too far below.
 */
async function readBelow(
  lowest: NodeHeader,
  walked: number,
  context: EthereumContext,
): Promise<readonly (NodeBlock | undefined)[]> {
  const height = Number(lowest.number);
  if (context.node.totalDifficulties.find(lowest.parentHash) !== undefined) {
    return [await context.namedBlock(lowest.parentHash)];
  }
  if (height + walked > maximumLookBack + 1) return [];
  const heights = Array.from({ length: Math.min(stride, height) }, (_, offset) => quantity(height - 1 - offset));
  return await whenAll(heights.map((number) => context.blockByNumber(number)));
}

function addUp(path: readonly NodeHeader[], below: bigint, { node }: EthereumContext): string {
  let total = below;
  for (const header of path.toReversed()) {
    total += difficultyOf(header);
    node.totalDifficulties.set(header.hash, quantity(total));
  }
  return quantity(total);
}

function difficultyOf({ difficulty }: NodeHeader): bigint {
  return BigInt(difficulty ?? "0x0");
}
