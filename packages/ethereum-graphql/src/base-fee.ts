import type { NodeHeader } from "./node-values.ts";
import { quantity } from "./quantity.ts";

const elasticityMultiplier = 2n;
const changeDenominator = 8n;

/** The base fee of the block that follows (EIP-1559, "Specification"); null before London. */
export function nextBaseFee(header: Pick<NodeHeader, "baseFeePerGas" | "gasLimit" | "gasUsed">): string | null {
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
