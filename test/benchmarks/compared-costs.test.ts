import { describe, expect, it } from "vitest";
import { interleave, type MeasuredRounds, renderComparison, sliceStart } from "./compared-costs.ts";
import { isMeasuredAt } from "./sections.ts";
import { scriptOf } from "./wrk.ts";

const costsOf = (...microseconds: readonly number[]): MeasuredRounds => ({
  costs: microseconds.map((one) => ({
    microseconds: one,
    perSecond: 1e6 / one,
    requests: Math.round(1e4 / one),
    bytes: 100,
  })),
});
const none: MeasuredRounds = { costs: [] };

describe("services that are measured in turns", () => {
  it("are queried once each in every round, another one first each time", async () => {
    const asked: string[] = [];
    const costs = await interleave(["a", "b", "c"], 4, async (service, round) => {
      asked.push(`${service}${round}`);
      return { microseconds: round, perSecond: 1, requests: 1, bytes: 1 };
    });
    expect(asked.join(" ")).toBe("a0 b0 c0 b1 c1 a1 c2 a2 b2 a3 b3 c3");
    expect(costs.get("b")?.costs.map(({ microseconds }) => microseconds)).toEqual([0, 1, 2, 3]);
  });

  it("are measured to the end where one of them fails, which is measured no further", async () => {
    const asked: string[] = [];
    const costs = await interleave(["a", "b"], 3, async (service, round) => {
      asked.push(`${service}${round}`);
      if (service === "b" && round === 1) throw new Error("Non-2xx: 400");
      return { microseconds: round, perSecond: 1, requests: 1, bytes: 1 };
    });
    expect(asked.join(" ")).toBe("a0 b0 b1 a1 a2");
    expect(costs.get("a")?.costs).toHaveLength(3);
    expect(costs.get("b")).toEqual({ costs: [], failure: "Non-2xx: 400" });
  });
});

describe("the requests of a round", () => {
  it("begin with another part of the list in each round, none of them with that of the warm-up", () => {
    const starts = [0, 1, 2, 3, 4].map((round) => sliceStart(20_000, 5, round));
    expect(starts).toEqual([3_333, 6_666, 10_000, 13_333, 16_666]);
    expect([0, 1, 2].map((round) => sliceStart(1, 3, round))).toEqual([0, 0, 0]);
  });

  it("follow in the order of the list, which begins again behind its end", () => {
    const script = (start: number): string =>
      scriptOf("http://localhost:1", ["/a", "/b", "/c"], { start, pauseMilliseconds: 0 });
    expect(script(2)).toContain("\nlocal at = 2\n");
    expect(script(4)).toContain("\nlocal at = 1\n");
    expect(script(2).replace("local at = 2", "local at = 0")).toBe(script(0));
  });
});

describe("a comparison with a peer", () => {
  it("has the median and the range of both, and their ratio", () => {
    const table = renderComparison("peer", [
      { work: "`tx`", ours: costsOf(30, 10, 20), peer: costsOf(40, 50, 30), limit: 25 },
    ]);
    expect(table).toContain(
      "| `tx` | 20.0 (10.0 to 30.0) | 25 | 40.0 (30.0 to 50.0) | 0.50 | 1833 | 50000 | 783 | 25000 | 100 |",
    );
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
    const table = renderComparison("peer", [{ work: "`tx`", ours: costsOf(20), peer: none }]);
    expect(table).toContain("| `tx` | 20.0 (20.0 to 20.0) |  |  |  | 500 | 50000 |  |  | 100 |");
    expect(table).toContain("peer was not measured in this run.");
  });

  it("keeps the other rows when one has failed on either side, and is to be measured again", () => {
    const failure = "wrk ended:\nNon-2xx or 3xx responses: 12";
    const table = renderComparison("peer", [
      { work: "`tx`", ours: costsOf(20), peer: { costs: [], failure } },
      { work: "`tip`", ours: { costs: [], failure }, peer: costsOf(8), limit: 10 },
      { work: "`blocks`", ours: costsOf(20), peer: costsOf(40) },
    ]);
    expect(table).toContain("| `tx` | 20.0 (20.0 to 20.0) |  | failed |  | 500 | 50000 |  |  | 100 |");
    expect(table).toContain("| `tip` | failed | 10 | 8.0 (8.0 to 8.0) |  |  |  | 1250 | 125000 |  |");
    expect(table).toContain("peer is ahead in 0 of 1 rows.");
    expect(table).toContain("- `tx` failed at peer: wrk ended: Non-2xx or 3xx responses: 12");
    expect(table).toContain("- `tip` failed: wrk ended: Non-2xx or 3xx responses: 12");
    const section = (text: string): string =>
      `<!-- section: one -->\nMeasured at abc, Node 1\n${text}\n<!-- end of one -->`;
    expect(isMeasuredAt(section(table), "one", "abc")).toBe(false);
    expect(isMeasuredAt(section("| `tx` | 20.0 |"), "one", "abc")).toBe(true);
  });
});
