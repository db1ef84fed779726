import { expect, it } from "vitest";
import { type HeaderEntry, planChainUpdate } from "./chain-update.ts";

const noHash = "0".repeat(64);

function chainOf(parent: string, names: string, work = 2n): HeaderEntry[] {
  let previousHash = parent;
  return [...names].map((hash) => {
    const entry = { hash, previousHash, work };
    previousHash = hash;
    return entry;
  });
}

it("connects what stands on the tip", () => {
  const bestChain = chainOf(noHash, "abc");
  const candidate = chainOf("c", "de");
  expect(planChainUpdate(bestChain, candidate)).toEqual({ disconnect: [], connect: candidate });
});

it("disconnects from the tip down to the fork point", () => {
  const bestChain = chainOf(noHash, "abcd");
  const candidate = chainOf("b", "xyz");
  const update = planChainUpdate(bestChain, candidate);
  expect(update?.disconnect.map(({ hash }) => hash)).toEqual(["d", "c"]);
  expect(update?.connect).toEqual(candidate);
});

it("stays on the first seen of two chains with equal work", () => {
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf("b", "x"))).toEqual({ disconnect: [], connect: [] });
});

it("takes a shorter chain that has more work", () => {
  const update = planChainUpdate(chainOf(noHash, "abcd"), chainOf("b", "x", 5n));
  expect(update?.connect).toHaveLength(1);
  expect(update?.disconnect).toHaveLength(2);
});

it("starts at the genesis block, and only there, while nothing is indexed", () => {
  expect(planChainUpdate([], chainOf(noHash, "ab"))?.connect).toHaveLength(2);
  expect(planChainUpdate([], chainOf("q", "ab"))).toBeUndefined();
});

it("asks for older headers when the candidate is not attached", () => {
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf("q", "xyz"))).toBeUndefined();
});

it("does not replace a genesis block", () => {
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf(noHash, "wxyz"))).toBeUndefined();
});
