import { describe, expect, it } from "vitest";
import { listRoot } from "./list-root.ts";
import { bytesOf, keccak256 } from "./rlp.ts";

describe("the root of a list", () => {
  it("of nothing is that of the empty trie", () => {
    // As in every block without transactions.
    expect(listRoot([])).toBe("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
    expect(listRoot([])).toBe(keccak256(bytesOf("0x80")));
  });

  it("of one element is that of a leaf", () => {
    // The leaf [0x2080, 0x01]: the key is 0x80, the position 0 in RLP.
    expect(listRoot([bytesOf("0x01")])).toBe(keccak256(bytesOf("0xc482208001")));
  });

  it("depends on every element and on their order", () => {
    const elements = Array.from({ length: 300 }, (_, position) =>
      bytesOf(`0x${position.toString(16).padStart(80, "0")}`),
    );
    const root = listRoot(elements);
    expect(listRoot(elements.toReversed())).not.toBe(root);
    expect(listRoot(elements.slice(1))).not.toBe(root);
    for (const changed of [0, 1, 127, 128, 255, 256, 299]) {
      expect(listRoot(elements.with(changed, bytesOf("0x02")))).not.toBe(root);
    }
  });
});
