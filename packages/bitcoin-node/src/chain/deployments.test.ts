import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import type { Branch } from "./branch.ts";
import { consensusRules } from "./consensus-rules.ts";
import { describeDeployments, scriptFlagsOf } from "./deployments.ts";

/** Heights of Bitcoin Core's `kernel/chainparams.cpp`: BIP 34, 66, 65, CSV (BIP 68, 112, 113) and segwit (BIP 141, 143, 147). */
const heights: Readonly<Record<NetworkName, readonly number[]>> = {
  mainnet: [227_931, 363_725, 388_381, 419_328, 481_824],
  testnet3: [21_111, 330_776, 581_885, 770_112, 834_624],
  testnet4: [1, 1, 1, 1, 1],
  signet: [1, 1, 1, 1, 1],
  regtest: [1, 1, 1, 1, 0],
};
const names = ["bip34", "bip66", "bip65", "csv", "segwit"];
const networkNames = Object.keys(heights) as readonly NetworkName[];

const blockAt = (height: number, hash = "00"): BlockRecord => ({ hash, height }) as BlockRecord;

describe("the deployments of a network", () => {
  it.each(networkNames.filter((name) => consensusRules[name].signalled.length === 0))(
    "of %s are active for the block behind the tip from their heights on",
    async (name) => {
      for (const active of heights[name]) {
        for (const next of [active - 1, active]) {
          const branch = { tip: blockAt(next - 1) } as Branch;
          expect(await describeDeployments(branch, networks[name])).toEqual(
            Object.fromEntries(
              names.map((deployment, index) => {
                const height = heights[name][index] ?? expect.unreachable();
                return [deployment, { type: "buried", active: next >= height, height }];
              }),
            ),
          );
        }
      }
    },
  );

  it("that are signalled are those of tests alone", () => {
    const signalled = networkNames.flatMap((name) => consensusRules[name].signalled.map((each) => [name, each]));
    expect(signalled).toEqual([
      [
        "regtest",
        {
          name: "testdummy",
          bit: 28,
          startTime: 0,
          timeout: 9_223_372_036_854_775_807n,
          minimumActivationHeight: 0,
          period: 144,
          threshold: 108,
        },
      ],
    ]);
  });
});

describe("the rules that the scripts of a block are held to", () => {
  const always = ["P2SH", "TAPROOT", "WITNESS"];
  const later = [
    ["DERSIG", 363_725],
    ["CHECKLOCKTIMEVERIFY", 388_381],
    ["CHECKSEQUENCEVERIFY", 419_328],
    ["NULLDUMMY", 481_824],
  ] as const;

  it("begin on the main chain at their heights, and are in the order of their names", () => {
    for (const [, begin] of later) {
      for (const height of [begin - 1, begin]) {
        const expected = [...always, ...later.filter(([, from]) => height >= from).map(([flag]) => flag)].toSorted();
        expect(scriptFlagsOf(blockAt(height), networks.mainnet)).toEqual(expected);
      }
    }
    expect(scriptFlagsOf(blockAt(0), networks.mainnet)).toEqual(always);
    expect(scriptFlagsOf(blockAt(0), networks.regtest)).toEqual(["NULLDUMMY", ...always]);
  });

  it.each<[network: NetworkName, hash: string, height: number, flags: readonly string[]]>([
    ["mainnet", "00000000000002dc756eebf4f49723ed8d30cc28a5f108eb94b1ba88ac4f9c22", 170_060, []],
    ["mainnet", "0000000000000000000f14c35b2d841e986ab5441de8c585d5ffe55ea1e395ad", 363_724, ["P2SH", "WITNESS"]],
    ["testnet3", "00000000dd30457c001f4095d208cc1296b0eed002427aa599874af7a432b105", 1, []],
  ])("are fewer on %s for %s", (network, hash, height, flags) => {
    expect(scriptFlagsOf(blockAt(height, hash), networks[network])).toEqual(flags);
    expect(scriptFlagsOf(blockAt(height), networks[network])).toEqual(always);
  });
});

it.each<[NetworkName, allowsMinimumDifficulty: boolean, retargets: boolean, retargetsFromFirstBlock: boolean]>([
  ["mainnet", false, true, false],
  ["testnet3", true, true, false],
  ["testnet4", true, true, true],
  ["signet", false, true, false],
  ["regtest", true, false, false],
])("the difficulty of %s", (name, allowsMinimumDifficulty, retargets, retargetsFromFirstBlock) => {
  expect(consensusRules[name]).toMatchObject({ allowsMinimumDifficulty, retargets, retargetsFromFirstBlock });
  // Blocks satisfy a script on signet only.
  expect(consensusRules[name].signetChallenge?.length).toBe(name === "signet" ? 142 : undefined);
});
