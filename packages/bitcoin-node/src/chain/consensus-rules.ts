import type { NetworkName } from "@nodewright/bitcoin-primitives";

/** A rule whose activation is long past and is defined by its height alone (BIP 90). */
interface BuriedDeployment {
  readonly name: string;
  /** Height of the first block that the rule applies to. */
  readonly height: number;
}

/** A rule that activates when enough blocks signal for it (BIP 9). */
export interface SignalledDeployment {
  readonly name: string;
  /** Bit of a block's version. */
  readonly bit: number;
  /** Median time from which signals count, in seconds since 1970. */
  readonly startTime: number;
  /** Median time at which it has failed; the largest number of 64 bits where it never does. */
  readonly timeout: bigint;
  readonly minimumActivationHeight: number;
  /** Number of blocks that are counted together. */
  readonly period: number;
  /** Number of these that must signal. */
  readonly threshold: number;
}

/** Consensus rules for headers and scripts in which networks differ. */
export interface ConsensusRules {
  readonly buried: readonly BuriedDeployment[];
  readonly signalled: readonly SignalledDeployment[];
  /** Script rules of blocks that violate the rules of their time, by block hash. */
  readonly scriptFlagExceptions: Readonly<Record<string, readonly string[]>>;
  /** Whether a late block may have the minimum difficulty. */
  readonly allowsMinimumDifficulty: boolean;
  /** Whether difficulty follows the time that blocks take. */
  readonly retargets: boolean;
  /** Number of blocks between two changes of difficulty, where it changes. */
  readonly retargetInterval: number;
  /** Whether the first block of a period, which is never an exception, determines its difficulty (BIP 94). */
  readonly retargetsFromFirstBlock: boolean;
  /** Script that blocks must satisfy (BIP 325), in hexadecimal. */
  readonly signetChallenge?: string;
}

const noTimeout = 2n ** 63n - 1n;

/** Returns the deployments in the order in which Bitcoin Core lists them. */
function buriedAt(
  bip34: number,
  bip66: number,
  bip65: number,
  csv: number,
  segwit: number,
): readonly BuriedDeployment[] {
  return [
    { name: "bip34", height: bip34 },
    { name: "bip66", height: bip66 },
    { name: "bip65", height: bip65 },
    { name: "csv", height: csv },
    { name: "segwit", height: segwit },
  ];
}

const mainnetDefaults = {
  scriptFlagExceptions: {},
  allowsMinimumDifficulty: false,
  retargets: true,
  retargetInterval: 2016,
  retargetsFromFirstBlock: false,
};

/**
 * Rules of Bitcoin Core, for every network. Taproot applies from the first block on, except for exceptions, and is not a deployment: the
 * releases up to 31 still listed it, later versions (31.99, pull request 26201) do not.
 */
export const consensusRules: Readonly<Record<NetworkName, ConsensusRules>> = {
  mainnet: {
    ...mainnetDefaults,
    buried: buriedAt(227_931, 363_725, 388_381, 419_328, 481_824),
    signalled: [],
    scriptFlagExceptions: {
      "00000000000002dc756eebf4f49723ed8d30cc28a5f108eb94b1ba88ac4f9c22": [],
      "0000000000000000000f14c35b2d841e986ab5441de8c585d5ffe55ea1e395ad": ["P2SH", "WITNESS"],
    },
  },
  testnet3: {
    ...mainnetDefaults,
    buried: buriedAt(21_111, 330_776, 581_885, 770_112, 834_624),
    signalled: [],
    scriptFlagExceptions: { "00000000dd30457c001f4095d208cc1296b0eed002427aa599874af7a432b105": [] },
    allowsMinimumDifficulty: true,
  },
  testnet4: {
    ...mainnetDefaults,
    buried: buriedAt(1, 1, 1, 1, 1),
    signalled: [],
    allowsMinimumDifficulty: true,
    retargetsFromFirstBlock: true,
  },
  signet: {
    ...mainnetDefaults,
    buried: buriedAt(1, 1, 1, 1, 1),
    signalled: [],
    signetChallenge:
      "512103ad5e0edad18cb1f0fc0d28a3d4f1f3e445640337489abb10404f2d1e086be430210359ef5021964fe22d6f8e05b2463c9540ce96883fe3b278760f048f5189f2e6c452ae",
  },
  regtest: {
    ...mainnetDefaults,
    buried: buriedAt(1, 1, 1, 1, 0),
    signalled: [
      {
        name: "testdummy",
        bit: 28,
        startTime: 0,
        timeout: noTimeout,
        minimumActivationHeight: 0,
        period: 144,
        threshold: 108,
      },
    ],
    allowsMinimumDifficulty: true,
    retargets: false,
    retargetInterval: 144,
  },
};
