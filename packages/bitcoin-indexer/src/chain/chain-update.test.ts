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
  expect(planChainUpdate(bestChain, candidate)).toEqual({ disconnect: [], connect: candidate, hasMoreWork: true });
});

it("disconnects from the tip down to the fork point", () => {
  const bestChain = chainOf(noHash, "abcd");
  const candidate = chainOf("b", "xyz");
  const update = planChainUpdate(bestChain, candidate);
  expect(update?.disconnect.map(({ hash }) => hash)).toEqual(["d", "c"]);
  expect(update?.connect).toEqual(candidate);
});

it("says when the other chain has no more work", () => {
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf("b", "x"))).toMatchObject({ hasMoreWork: false });
  expect(planChainUpdate(chainOf(noHash, "abcd"), chainOf("b", "x"))).toMatchObject({ hasMoreWork: false });
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf("b", "xy"))).toMatchObject({ hasMoreWork: true });
});

it("disconnects down to the first block given for a chain that ends there", () => {
  const update = planChainUpdate(chainOf("a", "bcd"), []);
  expect(update?.disconnect.map(({ hash }) => hash)).toEqual(["d", "c"]);
  expect(update).toMatchObject({ connect: [], hasMoreWork: false });
  expect(planChainUpdate(chainOf("a", "b"), [])).toEqual({ disconnect: [], connect: [], hasMoreWork: false });
});

it("takes a shorter chain that has more work", () => {
  const update = planChainUpdate(chainOf(noHash, "abcd"), chainOf("b", "x", 5n));
  expect(update?.connect).toHaveLength(1);
  expect(update?.disconnect).toHaveLength(2);
  expect(update?.hasMoreWork).toBe(true);
});

it("starts at the genesis block, and only there, while nothing is indexed", () => {
  expect(planChainUpdate([], chainOf(noHash, "ab"))?.connect).toHaveLength(2);
  expect(planChainUpdate([], chainOf("q", "ab"))).toBeUndefined();
});

it("requests older headers when the candidate is not attached", () => {
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf("q", "xyz"))).toBeUndefined();
});

it("does not replace a genesis block", () => {
  expect(planChainUpdate(chainOf(noHash, "abc"), chainOf(noHash, "wxyz"))).toBeUndefined();
});
