import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createMerkleBlock,
  equalBytes,
  fromHex,
  growMerkleTree,
  merkleBranch,
  merkleRoot,
  merkleRootOfBranch,
  merkleTree,
  parseBlockHeader,
  parseMerkleBlock,
  extractMerkleProof,
  serializeMerkleBlock,
  sha256,
  toHex,
} from "./index.ts";

const header = parseBlockHeader(new Uint8Array(80));
const hashes = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => sha256(Uint8Array.of(index, index >>> 8)));
const distinctHashes = fc.integer({ min: 1, max: 70 }).map(hashes);

describe("merkleTree", () => {
  test("of one hash is that hash", () => {
    const [hash = new Uint8Array()] = hashes(1);
    expect(merkleTree([hash])).toEqual({ root: hash, mutated: false });
  });

  test("CVE-2012-2459: a list with its end repeated has the same root, and is marked", () => {
    const list = hashes(3);
    const mutated = [...list, list[2] ?? new Uint8Array()];
    expect(merkleTree(mutated)).toEqual({ root: merkleRoot(list), mutated: true });
    expect(merkleTree(list).mutated).toBe(false);

    const six = hashes(6);
    expect(merkleTree([...six, ...six.slice(4)])).toEqual({ root: merkleRoot(six), mutated: true });
  });

  test("every leaf's branch leads to the root, and no other leaf's does", () => {
    fc.assert(
      fc.property(distinctHashes, fc.nat(), fc.nat(), (list, first, second) => {
        const position = first % list.length;
        const other = second % list.length;
        const root = merkleRoot(list);
        const branch = merkleBranch(list, position);
        expect(merkleRootOfBranch(list[position] ?? new Uint8Array(), branch, position)).toEqual(root);
        const elsewhere = merkleRootOfBranch(list[other] ?? new Uint8Array(), branch, position);
        expect(equalBytes(elsewhere, root)).toBe(other === position);
      }),
    );
  });

  test("a position that is no leaf's is our own mistake", () => {
    expect(() => merkleBranch(hashes(3), 3)).toThrow("No leaf 3 among 3");
    expect(() => merkleBranch(hashes(3), -1)).toThrow("No leaf -1 among 3");
    expect(() => merkleBranch(hashes(3), 0.5)).toThrow("No leaf 0.5 among 3");
  });

  test("of no hashes is zero", () => {
    expect(merkleTree([])).toEqual({ root: new Uint8Array(32), mutated: false });
  });

  test("equal neighbours are marked on any level, equal hashes elsewhere are not", () => {
    const [a, b, c] = hashes(3) as [Uint8Array, Uint8Array, Uint8Array];
    expect(merkleTree([a, a]).mutated).toBe(true);
    expect(merkleTree([a, b, c, c]).mutated).toBe(true);
    expect(merkleTree([a, b, a, b]).mutated).toBe(true);
    expect(merkleTree([a, b, b]).mutated).toBe(false);
    expect(merkleTree([a, b, b, a]).mutated).toBe(false);
    expect(merkleTree([a, b, c]).mutated).toBe(false);
  });

  test("grows by a level a step", () => {
    for (const [count, levels] of [
      [1, 0],
      [2, 1],
      [5, 3],
    ] as const) {
      expect([...growMerkleTree(hashes(count))]).toHaveLength(levels);
    }
  });
});

describe("merkle blocks", () => {
  test("prove the chosen transactions and no others", () => {
    fc.assert(
      fc.property(distinctHashes, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (list, chosen) => {
        const positions = [...new Set(chosen.map((position) => position % list.length))].toSorted((a, b) => a - b);
        const bytes = serializeMerkleBlock(createMerkleBlock(header, list, new Set(positions)));
        const parsed = parseMerkleBlock(bytes);
        expect(toHex(serializeMerkleBlock(parsed))).toBe(toHex(bytes));
        expect(extractMerkleProof(parsed)).toEqual({
          root: merkleRoot(list),
          matches: positions.map((position) => ({ txid: list[position], position })),
        });
      }),
    );
  });

  test("whatever is changed in one, nothing else is proven", () => {
    const list = hashes(11);
    const bytes = serializeMerkleBlock(createMerkleBlock(header, list, new Set([4, 10])));
    const root = merkleRoot(list);
    fc.assert(
      fc.property(fc.integer({ min: 84, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const altered = Uint8Array.from(bytes);
        altered[index] = (altered[index] ?? 0) ^ change;
        const proof = extractUnlessMalformed(altered);
        if (proof === undefined || !equalBytes(proof.root, root)) return;
        for (const { txid, position } of proof.matches) {
          expect(equalBytes(txid, list[position] ?? new Uint8Array())).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("with equal neighbours are refused: they could prove what is not there", () => {
    const list = hashes(3);
    const repeated = [...list, list[2] ?? new Uint8Array()];
    expect(extractMerkleProof(createMerkleBlock(header, repeated, new Set([3])))).toBeUndefined();
  });

  test("of absurd size are refused before anything is walked", () => {
    const made = createMerkleBlock(header, hashes(2), new Set([0]));
    for (const transactionCount of [0, 16_667, 0xffffffff]) {
      expect(extractMerkleProof({ ...made, transactionCount })).toBeUndefined();
    }
    const single = createMerkleBlock(header, hashes(1), new Set([0]));
    expect(extractMerkleProof(single)?.matches).toHaveLength(1);
    expect(extractMerkleProof({ ...single, transactionCount: 0 })).toBeUndefined();
    // As many transactions as the weight of a block allows.
    const many = hashes(16_666);
    const largest = createMerkleBlock(header, many, new Set([16_665]));
    expect(extractMerkleProof(largest)?.matches).toEqual([{ txid: many[16_665], position: 16_665 }]);
    expect(extractMerkleProof(createMerkleBlock(header, hashes(16_667), new Set([0])))).toBeUndefined();
    expect(extractMerkleProof({ ...made, hashes: [] })).toBeUndefined();
    expect(extractMerkleProof({ ...made, flags: new Uint8Array() })).toBeUndefined();
    expect(extractMerkleProof({ ...made, flags: new Uint8Array(2) })).toBeUndefined();
    expect(extractMerkleProof({ ...made, flags: Uint8Array.of(...made.flags, 0) })).toBeUndefined();
    expect(extractMerkleProof({ ...made, hashes: [...made.hashes, ...made.hashes] })).toBeUndefined();
  });

  test("BIP 37: a known one proves its transaction", () => {
    // Block 100,000 of mainnet, whose four transactions and root are well known.
    const list = [
      "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
      "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
      "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
      "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
    ].map((hex) => (fromHex(hex) ?? new Uint8Array()).toReversed());
    const made = createMerkleBlock(header, list, new Set([1]));
    expect(toHex(merkleRoot(list).toReversed())).toBe(
      "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766",
    );
    expect(made.hashes).toHaveLength(3);
    expect(toHex(made.flags)).toBe("0b");
    expect(extractMerkleProof(made)?.matches).toEqual([{ txid: list[1], position: 1 }]);
  });
});

function extractUnlessMalformed(bytes: Uint8Array): ReturnType<typeof extractMerkleProof> {
  try {
    return extractMerkleProof(parseMerkleBlock(bytes));
  } catch (reason) {
    expect(reason).toMatchObject({ name: "MalformedBytesError" });
    return undefined;
  }
}
