import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findReference, type Head, type HeardNode, computeStanding } from "./node-standing.ts";

const figures = { maximumLag: 2, goneMilliseconds: 1_000 };

function heard(height: number, more: Partial<HeardNode> & Partial<Head> = {}): HeardNode {
  const { hash = `hash${height}`, work, ...rest } = more;
  return {
    head: { hash, height, work },
    heardAt: 0,
    isLost: false,
    isOtherNetwork: false,
    isOtherSoftware: false,
    ...rest,
  };
}

/** Computes the standings of all nodes; those with these positions are known to be on another chain than the reference. */
function judge(nodes: readonly HeardNode[], { now = 0, forked = [] as readonly number[] } = {}) {
  const reference = findReference(nodes, now, figures);
  return nodes.map((node, position) => computeStanding(node, reference, !forked.includes(position), figures));
}

describe("nodes are checked", () => {
  it("to be well at the best head and a few blocks behind it", () => {
    expect(judge([heard(10), heard(9), heard(8), heard(7)])).toEqual(["well", "well", "well", "lagging"]);
  });

  it("to be forked where another chain has more work, and not where it is undecided", () => {
    expect(judge([heard(10), heard(10, { hash: "b" }), heard(9, { hash: "c" })], { forked: [1, 2] })).toEqual([
      "well",
      "well",
      "forked",
    ]);
  });

  it("by work where both tell it", () => {
    const nodes = [heard(10, { work: 5n }), heard(9, { work: 6n })];
    expect(judge(nodes, { forked: [0] })).toEqual(["forked", "well"]);
  });

  it("by height where one of them does not tell its work, and to be well of equals", () => {
    expect(judge([heard(10, { work: 5n }), heard(9)], { forked: [1] })).toEqual(["well", "forked"]);
    expect(judge([heard(9), heard(10, { work: 5n })], { forked: [0] })).toEqual(["forked", "well"]);
    const equals = [heard(10, { work: 5n }), heard(11, { work: 5n, hash: "b" })];
    expect(judge(equals, { forked: [1] })).toEqual(["well", "well"]);
    expect(findReference(equals, 0, figures)).toBe(equals[0]);
  });

  it("to be well by the same block, though that has no work there, and though they went back", () => {
    expect(judge([heard(10), heard(10, { wentBackFrom: 12 })], { forked: [1] })).toEqual(["well", "well"]);
  });

  it("to be of another network before they are anything else", () => {
    const node = heard(3, { isOtherNetwork: true, isOtherSoftware: true, isLost: true });
    expect(computeStanding(node, undefined, undefined, figures)).toBe("other-network");
    expect(computeStanding(heard(3, { isOtherSoftware: true, isLost: true }), undefined, undefined, figures)).toBe(
      "other-software",
    );
  });

  it("to be well as far as nothing else is known", () => {
    const [node, other] = [heard(10), heard(11)];
    const reference = findReference([other], 0, figures);
    expect(computeStanding(node, undefined, false, figures)).toBe("well");
    expect(computeStanding(node, reference, undefined, figures)).toBe("well");
    expect(computeStanding(node, reference, false, figures)).toBe("forked");
  });

  it("to be of another network, whatever their height", () => {
    expect(judge([heard(10), heard(900, { isOtherNetwork: true })])).toEqual(["well", "other-network"]);
    expect(judge([heard(10, { isOtherNetwork: true })])).toEqual(["other-network"]);
  });

  it("to be of other software, though others are measured by their head", () => {
    expect(judge([heard(4), heard(10, { isOtherSoftware: true })])).toEqual(["lagging", "other-software"]);
  });

  it("to have gone back where another has not, though they are near", () => {
    expect(judge([heard(10), heard(9, { wentBackFrom: 10 })])).toEqual(["well", "went-back"]);
    expect(judge([heard(8), heard(9, { wentBackFrom: 12 })])).toEqual(["well", "went-back"]);
  });

  it("among themselves when all have gone back", () => {
    expect(judge([heard(9, { wentBackFrom: 10 }), heard(5, { wentBackFrom: 10 })])).toEqual(["well", "lagging"]);
    expect(judge([heard(3, { wentBackFrom: 10 })])).toEqual(["well"]);
  });

  it("by a head whose node is gone, for a while", () => {
    const nodes = [heard(100, { isLost: true }), heard(50, { heardAt: 1_500 })];
    expect(judge(nodes, { now: 1_000 })).toEqual(["unheard", "lagging"]);
    expect(judge(nodes, { now: 1_001 })).toEqual(["unheard", "well"]);
  });

  it("to be unheard until they answer", () => {
    const silent: HeardNode = { heardAt: 0, isLost: false, isOtherNetwork: false, isOtherSoftware: false };
    expect(judge([silent, heard(3)])).toEqual(["unheard", "well"]);
    expect(judge([silent])).toEqual(["unheard"]);
  });

  it("so that one of those that answer is well, unless it is measured by a node that is gone", () => {
    const node = fc.record({
      height: fc.integer({ min: 0, max: 20 }),
      isLost: fc.boolean(),
      wentBackFrom: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(5)), (drawn, forked) => {
        const nodes = drawn.map(({ height, ...more }) => heard(height, more));
        const reference = findReference(nodes, 0, figures);
        const standings = judge(nodes, { forked });
        if (reference?.isLost === false) expect(standings).toContain("well");
        for (const [position, { isLost }] of nodes.entries()) if (isLost) expect(standings[position]).toBe("unheard");
      }),
    );
  });
});
