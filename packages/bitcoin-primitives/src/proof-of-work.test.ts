import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bitsOfTarget,
  difficultyOfBits,
  displayHash,
  fromHex,
  medianTimePast,
  meetsProofOfWork,
  networks,
  numberOfHash,
  parseBlockHeader,
  serializeBlockHeader,
  targetOfBits,
  toHex,
  wireHash,
  workOfBits,
} from "./index.ts";

describe("targetOfBits", () => {
  test.each([
    [0x1d00ffff, 0xffffn << 208n],
    [0x207fffff, 0x7fffffn << 232n],
    [0x01120000, 0x12n],
    [0x02123400, 0x1234n],
    [0x03123456, 0x123456n],
    [0x04123456, 0x12345600n],
    [0x05009234, 0x92340000n],
    [0x00000000, undefined],
    [0x00123456, undefined],
    [0x01003456, undefined],
    [0x04923456, undefined],
    [0x01fedcba, undefined],
    [0xff123456, undefined],
    [0x23000001, undefined],
    [0x22000001, 1n << 248n],
    [0x220000ff, 0xffn << 248n],
    [0x22000100, undefined],
  ])("%i", (bits, target) => {
    expect(targetOfBits(bits)).toBe(target);
  });

  test.each([
    [1n, 0x01010000],
    [0x7fn, 0x017f0000],
    [0x80n, 0x02008000],
    [0x1234n, 0x02123400],
    [0x123456n, 0x03123456],
    [0x7fffffn, 0x037fffff],
    [0x800000n, 0x04008000],
    [0x12345678n, 0x04123456],
    [networks.mainnet.powLimit, 0x1d00ffff],
    [networks.regtest.powLimit, 0x207fffff],
    [networks.signet.powLimit, 0x1e0377ae],
  ])("bitsOfTarget gives %i the compact form %i", (target, bits) => {
    expect(bitsOfTarget(target)).toBe(bits);
  });

  test("bitsOfTarget is its inverse, up to what 23 bits hold", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: (1n << 255n) - 1n }), (target) => {
        const rounded = targetOfBits(bitsOfTarget(target)) ?? 0n;
        expect(rounded <= target).toBe(true);
        expect((target - rounded) * 0x8000n <= target).toBe(true);
        expect(bitsOfTarget(rounded)).toBe(bitsOfTarget(target));
      }),
    );
  });
});

describe("difficultyOfBits", () => {
  test.each([
    [0x1d00ffff, 1],
    [0x1b0404cb, 16307.420938523983],
    [0x207fffff, 4.6565423739069247e-10],
    [0x17034219, 86388558925171.02],
    [0x1e0377ae, 0.001126515290698186],
    [0x00000000, 0],
  ])("of %i is %d", (bits, difficulty) => {
    expect(difficultyOfBits(bits)).toBe(difficulty);
  });
});

describe("workOfBits", () => {
  test.each([
    [0x1d00ffff, 0x100010001n],
    [0x207fffff, 2n],
    [0x00000000, 0n],
    [0x01fedcba, 0n],
  ])("of %i is %i", (bits, work) => {
    expect(workOfBits(bits)).toBe(work);
  });
});

const genesisHex =
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";

describe("block headers", () => {
  const header = parseBlockHeader(fromHex(genesisHex) ?? new Uint8Array());

  test("the genesis header says what is known of it", () => {
    expect(header).toMatchObject({ version: 1, time: 1_231_006_505, bits: 0x1d00ffff, nonce: 2_083_236_893 });
    expect(displayHash(header.merkleRoot)).toBe("4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b");
    expect(displayHash(header.hash)).toBe(networks.mainnet.genesisHash);
    expect(toHex(serializeBlockHeader(header))).toBe(genesisHex);
  });

  test.each([
    ["testnet3", 1_296_688_602, 0x1d00ffff, 414_098_458],
    ["signet", 1_598_918_400, 0x1e0377ae, 52_613_770],
    ["regtest", 1_296_688_602, 0x207fffff, 2],
  ] as const)("the genesis header of %s has the hash that the network's facts name", (name, time, bits, nonce) => {
    const network = networks[name];
    const genesis = parseBlockHeader(serializeBlockHeader({ ...header, version: 1, time, bits, nonce }));
    expect(displayHash(genesis.hash)).toBe(network.genesisHash);
    expect(meetsProofOfWork(genesis, network)).toBe(true);
  });

  test("the genesis header of testnet4 has the hash that the network's facts name", () => {
    const merkleRoot = wireHash("7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e") ?? new Uint8Array();
    const content = { ...header, merkleRoot, time: 1_714_777_860, bits: 0x1d00ffff, nonce: 393_743_547 };
    const genesis = parseBlockHeader(serializeBlockHeader(content));
    expect(displayHash(genesis.hash)).toBe(networks.testnet4.genesisHash);
  });

  test("work is refused when the hash is above the target, or the target above the network's limit", () => {
    expect(meetsProofOfWork(header, networks.mainnet)).toBe(true);
    const target = bitsOfTarget(numberOfHash(header.hash));
    expect(meetsProofOfWork({ hash: header.hash, bits: target }, networks.mainnet)).toBe(false);
    expect(meetsProofOfWork({ hash: header.hash, bits: target + 1 }, networks.mainnet)).toBe(true);
    const equal = wireHash("ffff".padStart(12, "0").padEnd(64, "0")) ?? expect.unreachable();
    expect(meetsProofOfWork({ hash: equal, bits: 0x1d00ffff }, networks.mainnet)).toBe(true);
    expect(meetsProofOfWork({ hash: header.hash, bits: target - 1 }, networks.mainnet)).toBe(false);
    expect(meetsProofOfWork({ hash: header.hash, bits: 0x207fffff }, networks.mainnet)).toBe(false);
    expect(meetsProofOfWork({ hash: header.hash, bits: 0x207fffff }, networks.regtest)).toBe(true);
    expect(meetsProofOfWork({ hash: header.hash, bits: 0 }, networks.mainnet)).toBe(false);
  });

  test.each([0, 79, 81])("%i bytes are no header", (length) => {
    expect(() => parseBlockHeader(new Uint8Array(length))).toThrow(
      expect.objectContaining({ name: "MalformedBytesError" }),
    );
  });
});

describe("medianTimePast", () => {
  test.each([
    [[5], 5],
    [[5, 9], 9],
    [[9, 1, 5], 5],
    [[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 6],
    [[100, 20, 3], 20],
  ])("of %j is %i", (times, median) => {
    expect(medianTimePast(times)).toBe(median);
  });

  test.each([0, 12])("of %i blocks is our own mistake", (length) => {
    expect(() => medianTimePast(new Array<number>(length).fill(1))).toThrow(
      `A median time needs 1 to 11 blocks, not ${length}`,
    );
  });
});
