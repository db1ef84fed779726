import { createCipheriv } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "./bytes.ts";
import { chacha20KeyStream } from "./chacha20.ts";
import { displayHash, sha256 } from "./hash.ts";
import { MuHash, muHashDigest, muHashLength } from "./muhash.ts";

const prime = 2n ** 3072n - 1_103_717n;

/** Returns an element of Bitcoin Core's own vectors: 32 bytes, the first of which is the number. */
function element(first: number): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? first : 0));
}

/** Computes the same by a cipher of the system, powers and remainders. */
function plainDigest(added: readonly Uint8Array[], removed: readonly Uint8Array[]): string {
  const number = (bytes: Uint8Array): bigint => {
    const stream = createCipheriv("chacha20", sha256(bytes), Buffer.alloc(16)).update(Buffer.alloc(muHashLength));
    return BigInt(`0x${toHex(stream.reverse())}`);
  };
  const product = (elements: readonly Uint8Array[]): bigint =>
    elements.reduce((value, each) => (value * number(each)) % prime, 1n);
  let inverse = 1n;
  let square = product(removed);
  // Fermat: the power below the prime by two.
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent % 2n === 1n) inverse = (inverse * square) % prime;
    square = (square * square) % prime;
  }
  const value = (product(added) * inverse) % prime;
  return displayHash(sha256(Buffer.from(value.toString(16).padStart(muHashLength * 2, "0"), "hex").reverse()));
}

describe("MuHash3072", () => {
  it("gives Bitcoin Core's digest of two elements and one taken away", () => {
    const set = new MuHash();
    for (const first of [0, 1]) set.add(element(first));
    set.remove(element(2));
    expect(displayHash(muHashDigest(set.value()))).toBe(
      "10d312b100cbd32ada024a6646e40d3482fcff103668d2625f10002a607d5863",
    );
  });

  it("of the empty set is one, and Bitcoin Core's digest of no coins", () => {
    const value = new MuHash().value();
    expect(toHex(value)).toBe("01".padEnd(768, "0"));
    expect(displayHash(muHashDigest(value))).toBe("dd5ad2a105c2d29495f577245c357409002329b9f4d6182c0af3dc2f462555c8");
  });

  it("gives Bitcoin Core's bytes of two elements", () => {
    const set = new MuHash();
    for (const first of [1, 2]) set.add(element(first));
    const text = toHex(set.value());
    expect(text).toHaveLength(768);
    expect(text.slice(0, 64)).toBe("1fa093295ea30a6a3acdc7b3f770fa538eff537528e990e2910e40bbcfd7f669");
    expect(text.slice(-64)).toBe(
      "77b51dac10a816bb6d1c700bafabc8bd86fac8df24be519a2f2836b16392e18036cb13e48c5c".slice(-64),
    );
  });

  it("reduces a value above the prime, as Bitcoin Core does", () => {
    const value = new MuHash(new Uint8Array(muHashLength).fill(0xff)).value();
    expect(toHex(muHashDigest(value))).toBe("3a31e6903aff0de9f62f9a9f7f8b861de76ce2cda09822b90014319ae5dc2271");
  });

  it("depends on the set alone, whatever came, went and was read in between", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom("add", "remove", "read"), fc.nat({ max: 7 })), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (each) => {
        let set = new MuHash();
        for (const [step, first] of each) {
          if (step === "read") set = new MuHash(set.value());
          else if (step === "add") set.add(element(first));
          else set.remove(element(first));
        }
        const all = (wanted: string) => each.flatMap(([step, first]) => (step === wanted ? [element(first)] : []));
        expect(displayHash(muHashDigest(set.value()))).toBe(plainDigest(all("add"), all("remove")));
      }),
      { numRuns: 20 },
    );
  });
});

describe("ChaCha20's key stream", () => {
  it("is that of the system's cipher", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }),
        fc.integer({ min: 1, max: 8 }),
        (key, blocks) => {
          const words = new Int32Array(blocks * 16);
          chacha20KeyStream(key, words);
          const expected = createCipheriv("chacha20", key, Buffer.alloc(16)).update(Buffer.alloc(blocks * 64));
          expect(toHex(new Uint8Array(words.buffer))).toBe(toHex(expected));
        },
      ),
    );
  });
});
