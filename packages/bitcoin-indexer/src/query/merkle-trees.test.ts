import { doubleSha256, merkleBranch, merkleRoot, sha256, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { MerkleTrees } from "./merkle-trees.ts";

function idsOf(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => sha256(Uint8Array.of(index & 0xff, index >> 8)));
}

const unread = (): Buffer => expect.unreachable("the txids were read again");

describe("MerkleTrees", () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 33])("gives the branches of each of %i transactions", (count) => {
    const ids = idsOf(count);
    const trees = new MerkleTrees();
    for (let position = 0; position < count; position += 1) {
      const branch = trees.branch("block", position, () => Buffer.concat(ids));
      expect(branch.map(toHex)).toEqual(merkleBranch(ids, position).map(toHex));
    }
  });

  it("checks txids against a root, and keeps the tree of those that are under it", () => {
    const ids = idsOf(5);
    const trees = new MerkleTrees();
    const root = merkleRoot(ids);
    expect(trees.areUnder(doubleSha256(root), "block", Buffer.concat(ids))).toBe(false);
    let reads = 0;
    trees.branch("other", 1, () => {
      reads += 1;
      return Buffer.concat(ids);
    });
    expect(reads).toBe(1);
    expect(trees.areUnder(root, "block", Buffer.concat(ids))).toBe(true);
    expect(trees.branch("block", 4, unread).map(toHex)).toEqual(merkleBranch(ids, 4).map(toHex));
    expect(trees.branch("other", 4, unread)).toHaveLength(3);
    expect(trees.areUnder(root, "none", Buffer.alloc(0))).toBe(false);
  });

  it("reads txids once, also when reading has checked them", () => {
    const ids = Buffer.concat(idsOf(3));
    const trees = new MerkleTrees();
    const first = trees.branch("block", 0, () => {
      expect(trees.areUnder(merkleRoot(idsOf(3)), "block", ids)).toBe(true);
      return ids;
    });
    expect(trees.branch("block", 0, unread)).toEqual(first);
  });
});
