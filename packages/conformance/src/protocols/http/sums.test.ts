import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer } from "../../run/testing/suites.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const number: SuiteType = { kind: "number", integer: false };
const time: SuiteType = { kind: "string", format: "date-time" };

function member(name: string, type: SuiteType): RecordMember {
  return { name, type, required: true };
}

const state: SuiteType = { kind: "enumeration", values: ["open", "closed"] };
const colour: SuiteType = { kind: "enumeration", values: ["red", "blue"] };
const traffic = httpSuite(
  [
    httpOperation("getTraffic", "/traffic", {
      kind: "record",
      members: [
        member("count", integer),
        member("total_weight", integer),
        member("min_weight", number),
        member("mean_weight", number),
        member("max_weight", number),
        member("first_seen", time),
        member("last_seen", time),
        member("by_state", { kind: "record", members: [member("open", integer), member("closed", integer)] }),
        member("by_colour", {
          kind: "list",
          element: {
            kind: "record",
            members: [
              member("colour", { kind: "reference", target: "Colour" }),
              member("count", integer),
              member("total_weight", integer),
            ],
          },
        }),
      ],
    }),
  ],
  { types: { Colour: colour, Gate: { kind: "record", members: [member("state", state)] } } },
);

const right = {
  count: 5,
  total_weight: 40,
  min_weight: 2,
  mean_weight: 8,
  max_weight: 20,
  first_seen: "2024-05-01T10:00:00Z",
  last_seen: "2024-05-02T10:00:00Z",
  by_state: { open: 2, closed: 3 },
  by_colour: [
    { colour: "red", count: 1, total_weight: 20 },
    { colour: "blue", count: 4, total_weight: 20 },
  ],
};

function failing(change: Partial<typeof right>): Promise<readonly string[]> {
  const response = ({ path }: TestRequest): TestResponse =>
    path === "/traffic" ? { status: 200, body: { ...right, ...change } } : { status: 404, body: {} };
  return failedRules(traffic, response);
}

describe("What is told of all", () => {
  test("is right where its groups make it", async () => {
    expect(await failing({})).toEqual([]);
  });

  test("is blamed where its groups make something else", async () => {
    expect(await failing({ count: 4, by_state: { open: 2, closed: 2 } })).toEqual(["P008"]);
    expect(await failing({ total_weight: 39 })).toEqual(["P008"]);
    expect(await failing({ by_state: { open: 2, closed: 2 } })).toEqual(["P008"]);
  });

  test("is not blamed where a group may be left out", async () => {
    expect(await failing({ by_colour: [{ colour: "red", count: 1, total_weight: 20 }] })).toEqual([]);
  });
});
