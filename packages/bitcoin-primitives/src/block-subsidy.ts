import type { Network } from "./network.ts";

/** Satoshi. */
const firstSubsidy = 5_000_000_000n;
const regtestHalvingInterval = 150;
const halvingInterval = 210_000;

/** Returns the subsidy of a block at a height, in satoshi: half as much after each interval, until it is zero. */
export function blockSubsidy(height: number, { name }: Pick<Network, "name">): bigint {
  const halvings = Math.floor(height / (name === "regtest" ? regtestHalvingInterval : halvingInterval));
  return firstSubsidy >> BigInt(halvings);
}
