import { assert, constantFrom, integer, property, array, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { quantity } from "../basics/quantity.ts";
import { type ChainLink, KnownChain } from "./known-chain.ts";

function link(height: number, branch: string, parentBranch = branch): ChainLink {
  return { number: quantity(height), hash: `${branch}${height}`, parentHash: `${parentBranch}${height - 1}` };
}

function createChain(...seen: readonly ChainLink[]): { chain: KnownChain; blocks: Map<string, ChainLink> } {
  const blocks = new Map(seen.map((block) => [block.hash, block]));
  return { chain: new KnownChain((hash) => blocks.get(hash)), blocks };
}

describe("the known part of the chain", () => {
  it("is the head alone at first, and grows with each head that follows", () => {
    const { chain } = createChain();
    expect(chain.hashAt(5)).toBeUndefined();
    chain.setHead(link(5, "a"));
    expect([chain.hashAt(4), chain.hashAt(5), chain.hashAt(6)]).toEqual([undefined, "a5", undefined]);
    chain.setHead(link(6, "a"));
    expect([chain.hashAt(5), chain.hashAt(6), chain.lowestHeight]).toEqual(["a5", "a6", 5]);
  });

  it("goes down as far as parents were seen, in whatever order", () => {
    const { chain, blocks } = createChain(link(2, "a"), link(1, "a"));
    chain.setHead(link(5, "a"));
    for (const height of [3, 4]) {
      const block = link(height, "a");
      blocks.set(block.hash, block);
      chain.add(block);
    }
    expect([1, 2, 3, 4, 5].map((height) => chain.hashAt(height))).toEqual(["a1", "a2", "a3", "a4", "a5"]);
    expect(chain.lowestHeight).toBe(1);
  });

  it("forgets what a reorganisation has taken back, and keeps what is below", () => {
    const { chain, blocks } = createChain();
    for (const height of [1, 2, 3, 4]) chain.setHead(link(height, "a"));
    blocks.set("b3", link(3, "b", "a"));
    chain.setHead(link(4, "b"));
    expect([1, 2, 3, 4].map((height) => chain.hashAt(height))).toEqual(["a1", "a2", "b3", "b4"]);
    expect(chain.contains(link(3, "a"))).toBe(false);
    expect(chain.contains(link(2, "a"))).toBe(true);
  });

  it("is the head alone again when nothing shows that it leads to what was known", () => {
    const { chain } = createChain();
    chain.setHead(link(4, "a"));
    chain.setHead(link(7, "a"));
    expect([chain.hashAt(4), chain.hashAt(7), chain.lowestHeight]).toEqual([undefined, "a7", 7]);
  });

  it("ends at a head that is further back", () => {
    const { chain } = createChain();
    for (const height of [1, 2, 3]) chain.setHead(link(height, "a"));
    chain.setHead(link(2, "a"));
    expect([chain.hashAt(2), chain.hashAt(3)]).toEqual(["a2", undefined]);
  });

  it("holds only ancestors of the head, whatever is followed and seen", () => {
    const step = record({
      height: integer({ min: 1, max: 12 }),
      branch: constantFrom("a", "b", "c"),
      isHead: constantFrom(true, false),
    });
    // Branch b leaves a after block 3, and c leaves b after block 6.
    const parentOf = (height: number, branch: string): ChainLink => {
      if (branch === "b" && height <= 4) return link(height, height === 4 ? "b" : "a", "a");
      if (branch === "c" && height <= 7) return height === 7 ? link(7, "c", "b") : parentOf(height, "b");
      return link(height, branch);
    };
    assert(
      property(array(step, { maxLength: 60 }), (steps) => {
        const { chain, blocks } = createChain();
        for (const { height, branch, isHead } of steps) {
          const block = parentOf(height, branch);
          blocks.set(block.hash, block);
          if (isHead) chain.setHead(block);
          else chain.add(block);
          const head = chain.head;
          if (head === undefined) continue;
          let ancestor: ChainLink | undefined = head;
          for (let at = Number(head.number); at > 0; at--) {
            const known = chain.hashAt(at);
            const expected: string | undefined = ancestor?.hash;
            if (known !== undefined) expect(known).toBe(expected);
            ancestor = ancestor && blocks.get(ancestor.parentHash);
            if (ancestor === undefined) break;
          }
          expect(chain.hashAt(Number(head.number) + 1)).toBeUndefined();
        }
      }),
    );
  });
});
