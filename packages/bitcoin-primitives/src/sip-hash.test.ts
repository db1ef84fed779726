import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex } from "./bytes.ts";
import { SipHasher } from "./sip-hash.ts";

/** The reference implementation's hashes of 0, 1, … 14 bytes, each byte its position, under the key 00, 01, … 0f: as numbers. */
const reference = [
  "726fdb47dd0e0e31",
  "74f839c593dc67fd",
  "0d6c8009d9a94f5a",
  "85676696d7fb7e2d",
  "cf2794e0277187b7",
  "18765564cd99a68d",
  "cbc9466e58fee3ce",
  "ab0200f58b01d137",
  "93f5f5799a932462",
  "9e0082df0ba9e4b0",
  "7a5dbbc594ddb9f3",
  "f4b32f46226bada7",
  "751e8fbc860ee5fb",
  "14ea5627c0843d90",
  "f723ca908e7af2ee",
  "a129ca6149be45e5",
];

const mask = 2n ** 64n - 1n;

/** Computes the same by the paper's definition, in integers of any size. */
function plainSipHash(key: Uint8Array, bytes: Uint8Array): bigint {
  const word = (from: Uint8Array, start: number): bigint =>
    Array.from({ length: 8 }, (_, at) => BigInt(from[start + at] ?? 0) << BigInt(8 * at)).reduce(
      (sum, part) => sum | part,
    );
  const [k0, k1] = [word(key, 0), word(key, 8)];
  let [v0, v1, v2, v3] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  const turn = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & mask;
  const mix = (rounds: number): void => {
    for (let round = 0; round < rounds; round += 1) {
      v0 = (v0 + v1) & mask;
      v1 = turn(v1, 13n) ^ v0;
      v0 = turn(v0, 32n);
      v2 = (v2 + v3) & mask;
      v3 = turn(v3, 16n) ^ v2;
      v0 = (v0 + v3) & mask;
      v3 = turn(v3, 21n) ^ v0;
      v2 = (v2 + v1) & mask;
      v1 = turn(v1, 17n) ^ v2;
      v2 = turn(v2, 32n);
    }
  };
  const padded = new Uint8Array((Math.floor(bytes.length / 8) + 1) * 8);
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length & 0xff;
  for (let start = 0; start < padded.length; start += 8) {
    v3 ^= word(padded, start);
    mix(2);
    v0 ^= word(padded, start);
  }
  v2 ^= 0xffn;
  mix(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

function hashOf(key: Uint8Array, bytes: Uint8Array): bigint {
  const hasher = new SipHasher(key);
  hasher.hash(bytes);
  return (BigInt(hasher.high) << 32n) | BigInt(hasher.low);
}

describe("SipHash-2-4", () => {
  it("gives the reference implementation's hashes", () => {
    const key = fromHex("000102030405060708090a0b0c0d0e0f") ?? expect.unreachable();
    const hashes = reference.map((_, length) =>
      hashOf(
        key,
        Uint8Array.from({ length }, (_byte, at) => at),
      ),
    );
    expect(hashes.map((hash) => hash.toString(16).padStart(16, "0"))).toEqual(reference);
  });

  it("is what the paper says, of bytes of any length under any key", () => {
    const keys = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(keys, fc.uint8Array({ maxLength: 600, size: "max" }), (key, bytes) => {
        expect(hashOf(key, bytes)).toBe(plainSipHash(key, bytes));
      }),
    );
  });

  it("carries nothing out of a sum with a half that is zero", () => {
    // Keys as four halves, lowest first, and the first half of the bytes: each makes one addend of the first round zero.
    const cases: readonly (readonly [readonly number[], number])[] = [
      [[0x70736575, 5, 6, 7], 0],
      [[0x6e657261, 5, 6, 7], 0],
      [[0x70736575, 0x736f6d65, 6, 0x646f7261], 0],
      // The sum of the third and the fourth word is zero, and becomes the addend of a later sum.
      [[0x6e657261 ^ 1, 5, 0x79746573, 7], 0xffffffff],
    ];
    for (const [halves, low] of cases) {
      const key = Buffer.alloc(16);
      for (const [index, half] of halves.entries()) key.writeUInt32LE(half >>> 0, 4 * index);
      const bytes = Buffer.alloc(16);
      bytes.writeUInt32LE(low);
      expect(hashOf(key, bytes)).toBe(plainSipHash(key, bytes));
    }
  });

  it.each([0, 15, 17])("takes no key of %i bytes", (length) => {
    expect(() => new SipHasher(new Uint8Array(length))).toThrow(`A key of SipHash has 16 bytes, not ${length}`);
  });
});
