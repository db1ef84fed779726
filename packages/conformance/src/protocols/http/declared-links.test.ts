import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer, text } from "../../run/testing/suites.ts";
import type { SuiteLink, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const record = (members: Readonly<Record<string, SuiteType>>): SuiteType => ({
  kind: "record",
  members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
});
const parameter = (name: string, location: "path" | "query", type: SuiteType): SuiteParameter => ({
  name,
  property: name,
  location,
  required: true,
  type,
});

const links: readonly SuiteLink[] = [
  { name: "other", operation: "getSlot", inputs: { slot: "$response.body#/takenBy" }, status: 409 },
  { name: "why", operation: "explain", inputs: { of: "$url", status: "$statusCode" }, status: 409 },
];

/** A client that books has to follow the link of the conflict, to the booking of the desk. */
const suite = httpSuite([
  httpOperation("bookDesk", "/desk/booking", record({ booked: { kind: "boolean" } }), {
    links,
    failures: [
      {
        name: "Conflict",
        status: 409,
        contents: [{ mediaType: "application/json", form: "json", type: record({ takenBy: text }) }],
        headers: [],
      },
    ],
  }),
  httpOperation("getSlot", "/slots/{slot}", record({ hour: integer }), {
    parameters: [parameter("slot", "path", text)],
    failures: [{ name: "NotFound", status: 404, contents: [], headers: [] }],
  }),
  httpOperation("explain", "/explanation", record({ reason: text }), {
    parameters: [parameter("of", "query", text), parameter("status", "query", integer)],
    failures: [{ name: "NotFound", status: 404, contents: [], headers: [] }],
  }),
]);

function desk(slot: unknown = { hour: 9 }, explanation: unknown = { reason: "Somebody was first" }) {
  return ({ path, query }: TestRequest): TestResponse => {
    if (path === "/desk/booking") return { status: 409, body: { takenBy: "slot of Ann" } };
    if (path === "/slots/slot%20of%20Ann") return { status: 200, body: slot };
    const isOfBooking = /^http:\/\/127\.0\.0\.1:\d+\/desk\/booking$/.test(query.get("of") ?? "");
    if (path === "/explanation" && isOfBooking && query.get("status") === "409")
      return { status: 200, body: explanation };
    return { status: 404 };
  };
}

describe("A link of a documented failure", () => {
  test("is followed, by its body, its status and the address that was requested", async () => {
    expect(await failedRules(suite, desk({ hour: "nine" }))).toEqual(["H108"]);
    expect(await failedRules(suite, desk({ hour: 9 }, { reason: 5 }))).toEqual(["H108"]);
  });

  test("leads to what is right at a right server", async () => {
    expect(await failedRules(suite, desk())).toEqual([]);
  });
});
