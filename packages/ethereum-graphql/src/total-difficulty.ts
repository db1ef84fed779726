import type { EthereumContext } from "./context.ts";
import type { NodeBlock, NodeHeader } from "./node-values.ts";
import { quantity } from "./quantity.ts";

/** A chain is looked back over when it is no longer than this. */
const longestLookBack = 128;

/**
 * Total difficulties at which public chains went over to proof of stake, by chain id; later blocks add nothing.
 * Main network, Sepolia, Holesky.
 */
const finalTotalDifficulties: ReadonlyMap<string, string> = new Map([
  ["0x1", quantity(58_750_003_716_598_352_816_469n)],
  ["0xaa36a7", quantity(17_000_018_015_853_232n)],
  ["0x4268", quantity(1n)],
]);

/** Null when neither the node, nor the chain's end of proof of work, nor a short look back tells it. */
export async function findTotalDifficulty(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  if (header.totalDifficulty !== undefined) return header.totalDifficulty;
  const known = context.node.totalDifficulties.find(header.hash);
  if (known !== undefined) return known;
  const found = (await afterProofOfWork(header, context)) ?? (await lookBack(header, context));
  if (found !== null) context.node.totalDifficulties.set(header.hash, found);
  return found;
}

async function afterProofOfWork(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  if (BigInt(header.difficulty ?? "0x0") !== 0n) return null;
  const chainId = (await context.read("eth_chainId")) as string;
  return finalTotalDifficulties.get(chainId) ?? null;
}

async function lookBack(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  const height = Number(header.number);
  if (height > longestLookBack) return null;
  const ancestors = await Promise.all(
    Array.from({ length: height }, (_, number) => context.blockByNumber(quantity(number))),
  );
  let total = BigInt(header.difficulty ?? "0x0");
  let next: NodeHeader = header;
  for (const ancestor of ancestors.toReversed()) {
    if (!isParent(ancestor, next)) return null;
    total += BigInt(ancestor.difficulty ?? "0x0");
    next = ancestor;
  }
  return quantity(total);
}

/** The blocks were read by height: for a block that is off the chain they are others. */
function isParent(candidate: NodeBlock | undefined, child: NodeHeader): candidate is NodeBlock {
  return candidate?.hash === child.parentHash;
}
