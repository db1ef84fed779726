import type { MempoolMember } from "@nodewright/bitcoin-indexer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Chunk } from "./chunk-cluster.ts";
import { MempoolGraph } from "./mempool-graph.ts";

interface Plan {
  readonly fee: number;
  readonly weight: number;
  readonly parents: readonly number[];
}

/** Returns a graph of transactions referred to by their positions; parents come before their children. */
function graphOf(plans: readonly Plan[]): MempoolGraph {
  return new MempoolGraph(
    plans.map(
      ({ fee, weight, parents }, position): MempoolMember => ({
        txid: String(position),
        wtxid: String(position),
        fee: BigInt(fee),
        size: weight,
        virtualSize: Math.ceil(weight / 4),
        weight,
        time: 0,
        height: 0,
        parents: parents.map(String),
        children: [],
      }),
    ),
  );
}

function chunkOf(graph: MempoolGraph, position: number): Chunk {
  const steps = graph.chunkOf(position);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Random transactions of which each spends some of those before it. */
function plans(maximum: number): fc.Arbitrary<readonly Plan[]> {
  const plan = fc.record({
    fee: fc.integer({ min: 0, max: 50 }),
    weight: fc.integer({ min: 1, max: 20 }),
    parents: fc.array(fc.nat({ max: 1_000 }), { maxLength: 3 }),
  });
  return fc.array(plan, { minLength: 1, maxLength: maximum }).map((list) =>
    list.map(({ parents, ...rest }, position) => ({
      ...rest,
      parents: position === 0 ? [] : [...new Set(parents.map((parent) => parent % position))],
    })),
  );
}

/** Yields every order in which each transaction comes after its parents. */
function* ordersOf(list: readonly Plan[], order: readonly number[] = []): Generator<readonly number[]> {
  if (order.length === list.length) yield order;
  for (const [position, { parents }] of list.entries()) {
    if (order.includes(position) || !parents.every((parent) => order.includes(parent))) continue;
    yield* ordersOf(list, [...order, position]);
  }
}

/** Returns the highest rate of the beginning of any order. */
function bestBeginning(list: readonly Plan[]): number {
  let best = 0;
  for (const order of ordersOf(list)) {
    let fee = 0;
    let weight = 0;
    for (const position of order) {
      fee += list[position]?.fee ?? 0;
      weight += list[position]?.weight ?? 0;
      best = Math.max(best, fee / weight);
    }
  }
  return best;
}

describe("a chunk", () => {
  it("is a transaction by itself when it pays more than what depends on it", () => {
    const graph = graphOf([
      { fee: 100, weight: 10, parents: [] },
      { fee: 50, weight: 10, parents: [0] },
    ]);
    expect(chunkOf(graph, 0)).toEqual({ members: [0], fee: 100, weight: 10 });
    expect(chunkOf(graph, 1)).toEqual({ members: [1], fee: 50, weight: 10 });
  });

  it("takes parents with a child that pays for them", () => {
    const graph = graphOf([
      { fee: 1, weight: 10, parents: [] },
      { fee: 2, weight: 10, parents: [] },
      { fee: 100, weight: 10, parents: [0, 1] },
      { fee: 3, weight: 10, parents: [1] },
    ]);
    for (const position of [0, 1, 2]) expect(chunkOf(graph, position)).toMatchObject({ fee: 103, weight: 30 });
    expect(chunkOf(graph, 3)).toEqual({ members: [3], fee: 3, weight: 10 });
  });

  it("has several children together pay for their parent", () => {
    const graph = graphOf([
      { fee: 0, weight: 10, parents: [] },
      { fee: 30, weight: 10, parents: [0] },
      { fee: 30, weight: 10, parents: [0] },
    ]);
    for (const position of [0, 1, 2]) expect(chunkOf(graph, position)).toMatchObject({ fee: 60, weight: 30 });
  });

  it.each([12, 90])(
    "is part of an order that can be mined, of at most %i transactions, and pays no less than the next",
    (size) => {
      fc.assert(
        fc.property(plans(size), (list) => {
          const graph = graphOf(list);
          const chunks = new Set(list.map((_plan, position) => chunkOf(graph, position)));
          expect([...chunks].flatMap(({ members }) => members).sort((left, right) => left - right)).toEqual([
            ...list.keys(),
          ]);
          for (const { members, fee, weight } of chunks) {
            expect(fee).toBe(members.reduce((sum, position) => sum + (list[position]?.fee ?? 0), 0));
            expect(weight).toBe(members.reduce((sum, position) => sum + (list[position]?.weight ?? 0), 0));
            for (const [index, position] of members.entries()) {
              for (const parent of list[position]?.parents ?? []) {
                const own = members.indexOf(parent);
                const above = chunkOf(graph, parent);
                // A parent is mined before, in the same chunk or in one that pays at least as much.
                expect(own === -1 ? above.fee / above.weight >= fee / weight : own < index).toBe(true);
              }
            }
          }
        }),
        { numRuns: size > 20 ? 30 : 200 },
      );
    },
  );

  it("is in all but a few clusters of those that pay the most that can be had", () => {
    let best = 0;
    let total = 0;
    fc.assert(
      fc.property(plans(6), (list) => {
        const graph = graphOf(list);
        const highest = Math.max(...list.map((_plan, position) => rateOf(chunkOf(graph, position))));
        const possible = bestBeginning(list);
        expect(highest).toBeLessThanOrEqual(possible + 1e-9);
        total += 1;
        if (highest >= possible - 1e-9) best += 1;
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(best / total).toBeGreaterThan(0.95);
  });
});

/** Transactions of one cluster, each of which but the first spends some of those before it, no two of them at the same rate. */
function largeClusters(minimum: number): fc.Arbitrary<readonly Plan[]> {
  const plan = fc.record({
    order: fc.integer(),
    weight: fc.integer({ min: 1, max: 20 }),
    parents: fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 3 }),
  });
  return fc.array(plan, { minLength: minimum, maxLength: minimum + 40 }).map((list) => {
    const byOrder = [...list.keys()].sort(
      (left, right) => (list[left]?.order ?? 0) - (list[right]?.order ?? 0) || left - right,
    );
    const rates = new Map(byOrder.map((position, rate) => [position, rate]));
    return list.map(({ weight, parents }, position) => ({
      fee: (rates.get(position) ?? 0) * weight,
      weight,
      parents: position === 0 ? [] : [...new Set(parents.map((parent) => parent % position))],
    }));
  });
}

/** Returns a slowly computed order: repeatedly the best paying transaction without remaining dependencies. */
function orderByRateAlone(list: readonly Plan[]): readonly number[] {
  const order: number[] = [];
  while (order.length < list.length) {
    const ready = [...list.keys()].filter(
      (position) => !order.includes(position) && (list[position]?.parents ?? []).every((each) => order.includes(each)),
    );
    const rates = ready.map((position) => rateOf(list[position] ?? expect.unreachable()));
    order.push(ready[rates.indexOf(Math.max(...rates))] ?? expect.unreachable());
  }
  return order;
}

/** Repeatedly splits off the beginning that pays best. */
function bestBeginnings(list: readonly Plan[], order: readonly number[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < order.length; ) {
    let best: Chunk | undefined;
    for (let end = start + 1; end <= order.length; end += 1) {
      const members = order.slice(start, end);
      const fee = members.reduce((sum, position) => sum + (list[position]?.fee ?? 0), 0);
      const weight = members.reduce((sum, position) => sum + (list[position]?.weight ?? 0), 0);
      if (best === undefined || fee * best.weight > best.fee * weight) best = { members, fee, weight };
    }
    chunks.push(best ?? expect.unreachable());
    start += best?.members.length ?? order.length;
  }
  return chunks;
}

describe("a cluster of more than 64 transactions", () => {
  it("is taken from the best paying transaction on that depends on nothing any more", () => {
    fc.assert(
      fc.property(largeClusters(65), (list) => {
        const graph = graphOf(list);
        for (const chunk of bestBeginnings(list, orderByRateAlone(list))) {
          for (const position of chunk.members) expect(chunkOf(graph, position)).toEqual(chunk);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("has a child that pays for its parents come late, other than one of 64", () => {
    // The last pays for itself and the two before it, which depend on each other and pay nothing.
    const cluster = (size: number): MempoolGraph => {
      const line = [
        { fee: 20, weight: 1, parents: [] },
        { fee: 0, weight: 1, parents: [0] },
        { fee: 0, weight: 1, parents: [1] },
        { fee: 90, weight: 1, parents: [2] },
      ];
      const others = Array.from({ length: size - line.length }, (): Plan => ({ fee: 10, weight: 1, parents: [0] }));
      return graphOf([...line, ...others]);
    };
    expect(chunkOf(cluster(64), 3)).toEqual({ members: [0, 1, 2, 3], fee: 110, weight: 4 });
    expect(chunkOf(cluster(64), 63)).toEqual({ members: [63], fee: 10, weight: 1 });
    const { members, fee, weight } = chunkOf(cluster(65), 3);
    expect([members.slice(-3), fee, weight]).toEqual([[1, 2, 3], 90 + 61 * 10, 64]);
  });
});

describe("the ancestors of a transaction", () => {
  it("are found once each where there are more ways to them than could be walked", () => {
    // 32 layers of two transactions, each of which spends both of the layer before: there are 2 ** 31 ways up.
    const list = Array.from({ length: 64 }, (_, position): Plan => {
      const layer = Math.floor(position / 2) * 2;
      return { fee: position === 63 ? 1_000 : 1, weight: 1, parents: layer === 0 ? [] : [layer - 2, layer - 1] };
    });
    const { members, fee } = chunkOf(graphOf(list), 63);
    expect([members.length, fee]).toEqual([63, 1_062]);
  });
});

function rateOf({ fee, weight }: { readonly fee: number; readonly weight: number }): number {
  return fee / weight;
}
