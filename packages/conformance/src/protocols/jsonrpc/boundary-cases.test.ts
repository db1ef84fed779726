import { expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { describedListener, MethodFailure, type Methods } from "./testing/described-server.ts";
import { describedMethod, describedSuite, required } from "./testing/described-suite.ts";

const hour: SuiteType = { kind: "number", integer: true, minimum: 0, maximum: 24 };
const suite = describedSuite("day", [
  describedMethod("get_hours", { kind: "list", element: hour }, [
    required("from_hour", hour, { examples: [8] }),
    required("to_hour", hour, { examples: [17] }),
  ]),
]);

/** Returns the ids of failing cases; `refuses` returns whether the server refuses a range. */
async function failedCases(refuses: (from: number, to: number) => boolean): Promise<readonly string[]> {
  const methods: Methods = {
    get_hours: ({ from_hour: from, to_hour: to }) => {
      const [start, end] = [Number(from), Number(to)];
      if (refuses(start, end)) throw new MethodFailure(-32602, "Not a range");
      return Array.from({ length: Math.max(0, end - start) }, (_, place) => start + place);
    },
  };
  const baseUrl = await serve(describedListener(suite, methods));
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
  return cases.filter(({ verdict }) => verdict === "failed").map(({ id }) => id);
}

it("lets a server refuse the bound of a range's end that lies before its start", async () => {
  expect(await failedCases((from, to) => to < from)).toEqual([]);
});

it("fails a server that refuses a documented bound of a range that does not end before it starts", async () => {
  const failed = await failedCases((from, to) => to < from || to === 24 || from === 0);
  expect(failed).toContain("get_hours/boundary/to-hour-maximum");
  expect(failed).toContain("get_hours/boundary/from-hour-minimum");
});
