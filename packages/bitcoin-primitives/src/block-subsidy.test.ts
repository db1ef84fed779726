import { expect, it } from "vitest";
import { blockSubsidy } from "./block-subsidy.ts";
import { networks } from "./network.ts";

it.each([
  ["mainnet", 0, 5_000_000_000n],
  ["mainnet", 209_999, 5_000_000_000n],
  ["mainnet", 210_000, 2_500_000_000n],
  ["mainnet", 840_000, 312_500_000n],
  ["mainnet", 6_929_999, 1n],
  ["mainnet", 6_930_000, 0n],
  ["mainnet", 100_000_000, 0n],
  ["testnet4", 210_000, 2_500_000_000n],
  ["regtest", 149, 5_000_000_000n],
  ["regtest", 150, 2_500_000_000n],
] as const)("a block of %s at height %i makes %i satoshi", (network, height, subsidy) => {
  expect(blockSubsidy(height, networks[network])).toBe(subsidy);
});

it("makes 20,999,999.9769 bitcoin in all", () => {
  let total = 0n;
  for (let height = 0; height < 7_000_000; height += 210_000)
    total += 210_000n * blockSubsidy(height, networks.mainnet);
  expect(total).toBe(2_099_999_997_690_000n);
});
