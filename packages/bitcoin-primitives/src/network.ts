import type { BlockHash } from "./hash.ts";

/** Name of a Bitcoin network. */
export type NetworkName = "mainnet" | "testnet3" | "testnet4" | "signet" | "regtest";

/** Version bytes of a network's extended keys (BIP 32). */
export interface ExtendedKeyVersions {
  readonly public: number;
  readonly private: number;
}

/** Parameters in which Bitcoin's networks differ. */
export interface Network {
  readonly name: NetworkName;
  /** Name as in Bitcoin Core's `getblockchaininfo`. */
  readonly chain: "main" | "test" | "testnet4" | "signet" | "regtest";
  /** Magic: the four bytes before each message and each block of a block file. */
  readonly magic: Uint8Array;
  readonly genesisHash: BlockHash;
  /** First byte of a base58check address that pays to a public key's hash. */
  readonly publicKeyHashPrefix: number;
  /** First byte of a base58check address that pays to a script's hash. */
  readonly scriptHashPrefix: number;
  /** Human-readable part of bech32 and bech32m addresses. */
  readonly segwitPrefix: string;
  /** First byte of a private key in base58check, the wallet import format. */
  readonly privateKeyPrefix: number;
  /** First four bytes of extended keys in base58check (BIP 32), as big-endian numbers. */
  readonly extendedKeyVersions: ExtendedKeyVersions;
  /** Easiest target that a block may have. */
  readonly powLimit: bigint;
}

const mainnetPowLimit = (1n << 224n) - 1n;

/** Versions of `xpub` and `xprv`. */
const mainnetKeyVersions: ExtendedKeyVersions = { public: 0x0488b21e, private: 0x0488ade4 };
/** Versions of `tpub` and `tprv`. */
const testKeyVersions: ExtendedKeyVersions = { public: 0x043587cf, private: 0x04358394 };

/** Every supported network of addresses, blocks and indexes. */
export const networks: Readonly<Record<NetworkName, Network>> = {
  mainnet: {
    name: "mainnet",
    chain: "main",
    magic: Uint8Array.of(0xf9, 0xbe, 0xb4, 0xd9),
    genesisHash: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    publicKeyHashPrefix: 0x00,
    scriptHashPrefix: 0x05,
    segwitPrefix: "bc",
    privateKeyPrefix: 0x80,
    extendedKeyVersions: mainnetKeyVersions,
    powLimit: mainnetPowLimit,
  },
  testnet3: {
    name: "testnet3",
    chain: "test",
    magic: Uint8Array.of(0x0b, 0x11, 0x09, 0x07),
    genesisHash: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
    publicKeyHashPrefix: 0x6f,
    scriptHashPrefix: 0xc4,
    segwitPrefix: "tb",
    privateKeyPrefix: 0xef,
    extendedKeyVersions: testKeyVersions,
    powLimit: mainnetPowLimit,
  },
  /** BIP 94. */
  testnet4: {
    name: "testnet4",
    chain: "testnet4",
    magic: Uint8Array.of(0x1c, 0x16, 0x3f, 0x28),
    genesisHash: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
    publicKeyHashPrefix: 0x6f,
    scriptHashPrefix: 0xc4,
    segwitPrefix: "tb",
    privateKeyPrefix: 0xef,
    extendedKeyVersions: testKeyVersions,
    powLimit: mainnetPowLimit,
  },
  /** BIP 325, the default signet. */
  signet: {
    name: "signet",
    chain: "signet",
    magic: Uint8Array.of(0x0a, 0x03, 0xcf, 0x40),
    genesisHash: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
    publicKeyHashPrefix: 0x6f,
    scriptHashPrefix: 0xc4,
    segwitPrefix: "tb",
    privateKeyPrefix: 0xef,
    extendedKeyVersions: testKeyVersions,
    powLimit: 0x377aen << 216n,
  },
  regtest: {
    name: "regtest",
    chain: "regtest",
    magic: Uint8Array.of(0xfa, 0xbf, 0xb5, 0xda),
    genesisHash: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
    publicKeyHashPrefix: 0x6f,
    scriptHashPrefix: 0xc4,
    segwitPrefix: "bcrt",
    privateKeyPrefix: 0xef,
    extendedKeyVersions: testKeyVersions,
    powLimit: (1n << 255n) - 1n,
  },
};
