import type { UpstreamNodeReport } from "@nodewright/upstream";
import { describe, expect, it } from "vitest";
import { sumUpstreams } from "./sum-upstreams.ts";

function report(name: string, calls: number): UpstreamNodeReport {
  const counters = { calls, failures: 1, refusals: 2, retries: 3, hedges: 4, outstanding: 5 };
  return { name, breaker: "closed", standing: "well", connectionBound: 16, batchLimit: 100, ...counters };
}

describe("what several processes count", () => {
  it("is added up for each node, and how the nodes are is left as one sees it", () => {
    const own = [report("a", 1), report("b", 10)];
    const others = [[report("a", 100), { ...report("b", 1_000), standing: "unheard" as const }], []];
    expect(sumUpstreams(own, others)).toEqual([
      { ...report("a", 101), failures: 2, refusals: 4, retries: 6, hedges: 8, outstanding: 10 },
      { ...report("b", 1_010), failures: 2, refusals: 4, retries: 6, hedges: 8, outstanding: 10 },
    ]);
    expect(sumUpstreams(own, [])).toEqual(own);
  });
});
