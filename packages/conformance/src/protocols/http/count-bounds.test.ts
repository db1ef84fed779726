import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer } from "../../run/testing/suites.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type Asked, failedRules, type Told } from "./testing/failed-rules.ts";

const day: SuiteType = { kind: "string", format: "date" };
const failures = [
  { name: "Invalid", status: 400, contents: [], headers: [] },
  { name: "NotFound", status: 404, contents: [], headers: [] },
];

function counting(includesBound: boolean) {
  return httpSuite([
    httpOperation(
      "countVisits",
      "/visits/count",
      { kind: "record", members: [{ name: "total", type: integer, required: true }] },
      {
        failures,
        parameters: ["from", "visited_to"].map((name) => ({
          name,
          property: name,
          location: "query" as const,
          required: false,
          type: day,
          ...(includesBound ? { includesBound } : {}),
        })),
      },
    ),
  ]);
}

const visits = ["2024-05-01", "2024-05-02", "2024-05-09"];

function counter(ignored?: string) {
  return ({ path, query: given }: Asked): Told => {
    if (path !== "/visits/count") return { status: 404 };
    const [from, to] = ["from", "visited_to"].map((name) => given.get(name) ?? undefined);
    if (![from, to].every((one) => one === undefined || /^\d{4}-\d{2}-\d{2}$/.test(one))) return { status: 400 };
    const isCounted = (one: string): boolean =>
      (ignored === "from" || from === undefined || one >= from) &&
      (ignored === "visited_to" || to === undefined || one <= to);
    return { status: 200, body: { total: visits.filter(isCounted).length } };
  };
}

describe("A bound of what is counted", () => {
  test("is right where it leaves out what is beyond it", async () => {
    expect(await failedRules(counting(true), counter())).toEqual([]);
  });

  test("is blamed where it changes nothing, if the description says that it is one", async () => {
    expect(await failedRules(counting(true), counter("from"))).toEqual(["P025"]);
    expect(await failedRules(counting(true), counter("visited_to"))).toEqual(["P025"]);
    expect(await failedRules(counting(false), counter("from"))).toEqual([]);
  });
});
