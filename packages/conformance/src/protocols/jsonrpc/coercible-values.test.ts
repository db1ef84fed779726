import { expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { describedListener, MethodFailure, type Methods } from "./testing/described-server.ts";
import { describedMethod, describedSuite, required } from "./testing/described-suite.ts";

const whole: SuiteType = { kind: "number", integer: true, minimum: 1, maximum: 9 };
const names: SuiteType = { kind: "list", element: { kind: "string" } };
const strict = describedSuite("stock", [
  describedMethod("getShelf", names, [required("shelf", whole, { examples: [4] })]),
]);
/** Suite by which the server validates: it accepts any value. */
const lax = describedSuite("stock", [describedMethod("getShelf", names, [required("shelf", { kind: "any" })])]);
const coercing: Methods = {
  getShelf: ({ shelf }) => {
    const number = typeof shelf === "object" ? Number.NaN : Number(shelf);
    if (!(Number.isInteger(number) && number >= 1 && number <= 9)) throw new MethodFailure(-32602, "Invalid params");
    return [`a${number}`];
  },
};

async function play(methods: Methods): Promise<Report> {
  const baseUrl = await serve(describedListener(lax, methods));
  return await playSuite(strict, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
}

function rulesOf({ cases }: Report, verdict: string): readonly string[] {
  return cases.filter((one) => one.verdict === verdict).flatMap(({ findings }) => findings.map(({ rule }) => rule));
}

it("warns of a target that reads values of another type as the documented one", async () => {
  const report = await play(coercing);
  expect(rulesOf(report, "failed")).toEqual([]);
  expect(rulesOf(report, "warned")).toContain("P015");
});

it("fails a target that takes any value", async () => {
  expect(rulesOf(await play({ getShelf: () => ["a1"] }), "failed")).toContain("P014");
});
