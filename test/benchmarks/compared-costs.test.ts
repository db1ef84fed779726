import { describe, expect, it } from "vitest";
import { interleave, renderComparison } from "./compared-costs.ts";
import type { RequestCost } from "./wrk.ts";

const costsOf = (...microseconds: readonly number[]): readonly RequestCost[] =>
  microseconds.map((one) => ({ microseconds: one, perSecond: 1e6 / one, bytes: 100 }));

describe("services that are measured in turns", () => {
  it("are asked once each in every round, another one first each time", async () => {
    const asked: string[] = [];
    const costs = await interleave(["a", "b", "c"], 4, async (service, round) => {
      asked.push(`${service}${round}`);
      return { microseconds: round, perSecond: 1, bytes: 1 };
    });
    expect(asked.join(" ")).toBe("a0 b0 c0 b1 c1 a1 c2 a2 b2 a3 b3 c3");
    expect(costs.get("b")?.map(({ microseconds }) => microseconds)).toEqual([0, 1, 2, 3]);
  });
});

describe("a comparison with a peer", () => {
  it("has the median and the range of both, and their ratio", () => {
    const table = renderComparison("peer", [
      { work: "`tx`", ours: costsOf(30, 10, 20), peer: costsOf(40, 50, 30), limit: 25 },
    ]);
    expect(table).toContain("| `tx` | 20.0 (10.0 to 30.0) | 25 | 40.0 (30.0 to 50.0) | 0.50 | 50000 | 25000 | 100 |");
    expect(table).toContain("peer is ahead in 0 of 1 rows.");
  });

  it("marks the rows where the peer needs less, and counts them", () => {
    const table = renderComparison("peer", [
      { work: "`tx`", ours: costsOf(20), peer: costsOf(40) },
      { work: "`tip`", ours: costsOf(20), peer: costsOf(8), limit: 10 },
    ]);
    expect(table).toContain("| `tip` | 20.0 (20.0 to 20.0) | 10 **over** | 8.0 (8.0 to 8.0) | 2.50 **peer ahead** |");
    expect(table).toContain("peer is ahead in 1 of 2 rows: `tip`.");
  });

  it("says that the peer was not measured, rather than to compare with what is not there", () => {
    const table = renderComparison("peer", [{ work: "`tx`", ours: costsOf(20), peer: [] }]);
    expect(table).toContain("| `tx` | 20.0 (20.0 to 20.0) |  |  |  | 50000 |  | 100 |");
    expect(table).toContain("peer was not measured in this run.");
  });
});
