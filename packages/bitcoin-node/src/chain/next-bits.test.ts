import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { type Network, networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import type { Branch } from "./branch.ts";
import { consensusRules } from "./consensus-rules.ts";
import { nextBits } from "./next-bits.ts";

const { retargetInterval } = consensusRules.testnet3;

const { mainnet, testnet3, testnet4, regtest, signet } = networks;
const easiest = 0x1d00ffff;

interface Header {
  readonly time: number;
  readonly bits: number;
}

/** Returns a chain of which only the given headers differ from the last one. */
function branchTo(height: number, last: Header, others: Readonly<Record<number, Header>> = {}): Branch {
  const recordOf = (each: number): BlockRecord => {
    const { time, bits } = each === height ? last : (others[each] ?? last);
    const header = {
      version: 1,
      previousHash: new Uint8Array(32),
      merkleRoot: new Uint8Array(32),
      nonce: 0,
      bytes: new Uint8Array(80),
      hash: new Uint8Array(32),
      time,
      bits,
    };
    return {
      hash: String(each),
      height: each,
      header,
      transactionCount: 1,
      chainTransactionCount: each + 1,
      size: 0,
      strippedSize: 0,
      weight: 0,
      medianTime: time - 3_000,
      chainWork: 0n,
      onBestChain: true,
    };
  };
  return {
    tip: recordOf(height),
    recordAt: async (each) => recordOf(each),
    recordsFrom: async (from, count) =>
      Array.from({ length: Math.min(count, from + 1) }, (_, index) => recordOf(from - index)),
  };
}

describe("the next difficulty", () => {
  it.each([
    {
      name: "rises as at block 32256",
      height: 32_255,
      time: 1_262_152_739,
      bits: 0x1d00ffff,
      first: 1_261_130_161,
      next: 0x1d00d86a,
    },
    {
      name: "is never below the least",
      height: 2_015,
      time: 1_233_061_996,
      bits: 0x1d00ffff,
      first: 1_231_006_505,
      next: 0x1d00ffff,
    },
    {
      name: "rises by four at most",
      height: 68_543,
      time: 1_279_297_671,
      bits: 0x1c05a3f4,
      first: 1_279_008_237,
      next: 0x1c0168fd,
    },
    {
      name: "falls by four at most",
      height: 46_367,
      time: 1_269_211_443,
      bits: 0x1c387f6f,
      first: 1_263_163_443,
      next: 0x1d00e1fd,
    },
  ])("$name", async ({ height, time, bits, first, next }) => {
    const branch = branchTo(height, { time, bits }, { [height - 2015]: { time: first, bits } });
    expect((await nextBits(branch, mainnet, time)).toString(16)).toBe(next.toString(16));
  });

  it("stays within an interval, however late the block", async () => {
    const branch = branchTo(2_014, { time: 1_000_000, bits: 0x1c05a3f4 });
    expect(await nextBits(branch, mainnet, 9_000_000)).toBe(0x1c05a3f4);
    expect(await nextBits(branch, signet, 9_000_000)).toBe(0x1c05a3f4);
  });

  it.each<[Network]>([[testnet3], [testnet4]])(
    "is the least on $name for a block that is more than 20 minutes late",
    async (network) => {
      const branch = branchTo(3_000, { time: 1_000_000, bits: 0x1c05a3f4 });
      expect(await nextBits(branch, network, 1_001_200)).toBe(0x1c05a3f4);
      expect(await nextBits(branch, network, 1_001_201)).toBe(easiest);
      const median = { ...branch.tip, medianTime: 1_001_199 };
      expect(await nextBits({ ...branch, tip: median }, network, 0)).toBe(0x1c05a3f4);
      expect(await nextBits({ ...branch, tip: { ...median, medianTime: 1_001_200 } }, network, 0)).toBe(easiest);
    },
  );

  it("is that of the last ordinary block behind late ones", async () => {
    const late = { time: 1_000_000, bits: easiest };
    const ordinary = { time: 999_000, bits: 0x1c05a3f4 };
    expect(await nextBits(branchTo(3_000, late, { 2990: ordinary }), testnet3, 1_000_100)).toBe(0x1c05a3f4);
    // The first block of an interval is no exception, whatever its bits.
    const first = branchTo(retargetInterval + 3, late, { [retargetInterval - 1]: ordinary });
    expect(await nextBits(first, testnet3, 1_000_100)).toBe(easiest);
  });

  it("follows the last block of an interval, and under BIP 94 the first", async () => {
    const height = 2 * retargetInterval - 1;
    const time = 10_000_000;
    const first = { time: time - retargetInterval * 600, bits: 0x1c05a3f4 };
    const branch = branchTo(height, { time, bits: easiest }, { [retargetInterval]: first });
    expect(await nextBits(branch, testnet3, time)).toBe(easiest);
    expect(await nextBits(branch, testnet4, time)).toBe(0x1c05a3f4);
  });

  it("never changes on regtest", async () => {
    const first = { time: 0, bits: 0x207fffff };
    for (const height of [5, 2_015, 2_016]) {
      const branch = branchTo(height, { time: 1_000_000_000, bits: 0x207fffff }, { 0: first });
      expect(await nextBits(branch, regtest, 2_000_000_000)).toBe(0x207fffff);
    }
  });
});
