import type { EthereumContext } from "../request/context.ts";
import { callIfSupported } from "../node/call-if-supported.ts";
import { throwFailureOfOwnCall } from "../node-calls/upstream-calls.ts";
import type { NodeHeader } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { isQuantity } from "../results/response-forms.ts";
import { keyOfState } from "../request/state-reads.ts";

const elasticityMultiplier = 2n;
const changeDenominator = 8n;

type FeeHeader = Pick<NodeHeader, "baseFeePerGas" | "gasLimit" | "gasUsed">;

/**
 * Returns the base fee of the block after this one, null where that block comes before London.
 *
 * Only the chain's own rules define where London begins and how fast the fee moves, so it is read: from the header of the next block, or
 * from `eth_feeHistory` for the latest block. Where neither is available (an ommer, a stale block, a client without that method) it is
 * computed by EIP-1559. Throws `ServiceError`.
 */
export async function findNextBaseFee(header: NodeHeader, context: EthereumContext): Promise<string | null> {
  const { store } = context.node;
  const key = keyOfState("nextBaseFeePerGas", [], header.hash);
  const kept = store.findState(key);
  if (kept !== undefined) return kept.value as string | null;
  const fee = await readNextBaseFee(header, context);
  if (fee === undefined) return computeNextBaseFee(header);
  store.keepState(key, fee);
  return fee;
}

/** Returns the base fee of the block after this one by the formula of EIP-1559, "Specification"; null before London. */
export function computeNextBaseFee(header: FeeHeader): string | null {
  if (header.baseFeePerGas === undefined) return null;
  const baseFee = BigInt(header.baseFeePerGas);
  const gasUsed = BigInt(header.gasUsed);
  const target = BigInt(header.gasLimit) / elasticityMultiplier;
  if (gasUsed === target || target === 0n) return quantity(baseFee);
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed;
  const change = (baseFee * distance) / target / changeDenominator;
  if (gasUsed < target) return quantity(baseFee - change);
  return quantity(baseFee + (change > 1n ? change : 1n));
}

/** Reads the next base fee; undefined where only the formula provides it. */
async function readNextBaseFee(header: NodeHeader, context: EthereumContext): Promise<string | null | undefined> {
  const head = await context.head();
  if (head.hash === header.hash) return await readFeeAfterHead(header, context);
  if (BigInt(header.number) >= BigInt(head.number)) return undefined;
  const next = await context.blockByNumber(quantity(BigInt(header.number) + 1n));
  return next?.parentHash === header.hash ? (next.baseFeePerGas ?? null) : undefined;
}

/**
 * Reads the fee after the latest block. `eth_feeHistory` refers to its blocks by height. The latest block is therefore read after it: while
 * it is the same one, or the child of it, the height meant that block.
 */
async function readFeeAfterHead(header: NodeHeader, context: EthereumContext): Promise<string | null | undefined> {
  const callNode = () => context.calls.read("eth_feeHistory", ["0x1", header.number, []]);
  const [history, latest] = await Promise.all([
    callIfSupported("eth_feeHistory", callNode, context),
    context.calls.readLast("eth_getBlockByNumber", ["latest", false]) as Promise<NodeHeader | null>,
  ]).catch(throwFailureOfOwnCall);
  if (latest?.parentHash === header.hash) return latest.baseFeePerGas ?? null;
  return latest?.hash === header.hash ? nextFeeOf(history, header) : undefined;
}

/** Returns the fee after the only block of a history; undefined for another history. */
function nextFeeOf(history: unknown, header: NodeHeader): string | null | undefined {
  const { oldestBlock, baseFeePerGas: fees } = (history ?? {}) as Record<string, unknown>;
  if (!isQuantity(oldestBlock) || BigInt(oldestBlock as string) !== BigInt(header.number)) return undefined;
  if (!Array.isArray(fees) || fees.length !== 2 || !fees.every(isQuantity)) return undefined;
  const [own, next] = (fees as readonly string[]).map(BigInt) as [bigint, bigint];
  if (own !== BigInt(header.baseFeePerGas ?? "0x0")) return undefined;
  // Blocks before London have no fee, which this method writes as zero.
  return next === 0n && header.baseFeePerGas === undefined ? null : quantity(next);
}
