import type { MempoolMember } from "@nodewright/bitcoin-indexer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MempoolGraph, type MemberSum } from "./mempool-graph.ts";

/** Transactions of which each spends from some of those before it. */
const graphs: fc.Arbitrary<MempoolGraph> = fc
  .array(fc.array(fc.nat({ max: 1_000 }), { maxLength: 2 }), { minLength: 1, maxLength: 30, size: "max" })
  .map(
    (list) =>
      new MempoolGraph(
        list.map(
          (parents, position): MempoolMember => ({
            txid: String(position),
            wtxid: String(position),
            fee: BigInt(2 ** (position % 20)),
            size: position + 1,
            virtualSize: position + 1,
            weight: 4 * (position + 1),
            time: 0,
            height: 0,
            parents: position === 0 ? [] : [...new Set(parents.map((parent) => String(parent % position)))],
            children: [],
          }),
        ),
      ),
  );

function sumOf(graph: MempoolGraph, positions: readonly number[]): MemberSum {
  const members = positions.map((position) => graph.memberAt(position));
  return {
    count: members.length,
    virtualSize: members.reduce((sum, { virtualSize }) => sum + virtualSize, 0),
    fee: members.reduce((sum, { fee }) => sum + Number(fee), 0),
  };
}

describe("the sums of a transaction", () => {
  it("are of what it depends on and of what depends on it, each once, in whatever order they are requested", () => {
    fc.assert(
      fc.property(graphs, fc.boolean(), (graph, isReversed) => {
        const positions = [...Array(graph.size).keys()];
        for (const position of isReversed ? positions.reverse() : positions) {
          expect(graph.ancestorSum(position)).toEqual(sumOf(graph, [position, ...graph.ancestorsOf(position)]));
          expect(graph.descendantSum(position)).toEqual(sumOf(graph, [position, ...graph.descendantsOf(position)]));
        }
      }),
    );
  });
});

describe("relations to transactions that are not among them", () => {
  const member = (txid: string, parents: readonly string[], children: readonly string[]): MempoolMember => ({
    txid,
    wtxid: txid,
    fee: 1n,
    size: 1,
    virtualSize: 1,
    weight: 4,
    time: 0,
    height: 0,
    parents,
    children,
  });

  it("are passed over", () => {
    const graph = new MempoolGraph([member("a", ["gone"], ["b", "away"]), member("b", ["gone", "a"], [])]);
    expect(graph.positionsOf(["gone", "b", "away", "a"])).toStrictEqual([1, 0]);
    expect([graph.parentsOf(0), graph.parentsOf(1)]).toStrictEqual([[], [0]]);
    expect([graph.childrenOf(0), graph.childrenOf(1)]).toStrictEqual([[1], []]);
    expect([graph.ancestorsOf(1), graph.descendantsOf(0)]).toStrictEqual([[0], [1]]);
    expect([graph.find("a"), graph.find("gone"), graph.size]).toStrictEqual([0, undefined, 2]);
  });

  it("are no positions", () => {
    expect(() => new MempoolGraph([member("a", [], [])]).memberAt(1)).toThrow("No transaction 1 among 1");
  });
});
