import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite } from "../run/testing/suites.ts";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { type Asked, failedRules, type Told } from "./testing/failed-rules.ts";

const integer: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };
const kettle: SuiteType = { kind: "record", members: [{ name: "id", type: integer, required: true }] };
const kettles = Array.from({ length: 23 }, (_none, index) => ({ id: index + 1 }));
const failures = [
  {
    name: "Invalid",
    status: 400,
    contents: [{ mediaType: "application/json", form: "json" as const, type: { kind: "any" as const } }],
    headers: [],
  },
];

function query(name: string, type: SuiteType, required = false): SuiteParameter {
  return { name, property: name, location: "query", required, type };
}

const shop = httpSuite([
  httpOperation(
    "listKettles",
    "/kettles",
    {
      kind: "record",
      members: [
        { name: "items", type: { kind: "list", element: kettle }, required: true },
        {
          name: "meta",
          type: {
            kind: "record",
            members: [
              { name: "total", type: integer, required: true },
              { name: "hasMore", type: { kind: "boolean" }, required: true },
            ],
          },
          required: true,
        },
      ],
    },
    {
      parameters: [
        query("offset", { ...integer, minimum: 0, default: 0 }),
        query("limit", { ...integer, minimum: 1, maximum: 20, default: 5 }),
      ],
      failures,
    },
  ),
  httpOperation(
    "listNotes",
    "/notes",
    { kind: "list", element: { kind: "record", members: [{ name: "text", type: text, required: true }] } },
    {},
  ),
  httpOperation(
    "search",
    "/search",
    { kind: "list", element: { kind: "record", members: [{ name: "hit", type: text, required: true }] } },
    { parameters: [query("q", { kind: "string", minLength: 2, maxLength: 12 }, true)], failures },
  ),
]);

interface Fault {
  readonly longest?: number;
  readonly total?: number;
  readonly hasMore?: (told: boolean) => boolean;
  readonly hit?: (text: string) => unknown;
}

function counter({ longest = 20, total = kettles.length, hasMore = (told) => told, hit = (one) => one }: Fault = {}) {
  return ({ path, query: given }: Asked): Told => {
    if (path === "/notes") return { status: 200, body: [{ text: "copper kettle" }, { text: "whistling lid" }] };
    if (path === "/search") {
      const wanted = given.get("q") ?? "";
      if (wanted.length < 2 || wanted.length > 12) return { status: 400, body: {} };
      const found = ["copper kettle", "whistling lid"].filter((one) => one.includes(wanted));
      return { status: 200, body: found.map((one) => ({ hit: hit(one) })) };
    }
    if (path !== "/kettles") return { status: 404, body: {} };
    const [offset, limit] = [given.get("offset") ?? "0", given.get("limit") ?? "5"];
    const isRight = /^\d{1,9}$/.test(offset) && /^\d{1,9}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 20;
    if (!isRight) return { status: 400, body: {} };
    const start = Number(offset);
    const items = kettles.slice(start, start + Math.min(Number(limit), longest));
    return { status: 200, body: { items, meta: { total, hasMore: hasMore(start + Number(limit) < kettles.length) } } };
  };
}

describe("A page", () => {
  test("is right with as many elements as its total and what was asked for say", async () => {
    expect(await failedRules(shop, counter())).toEqual([]);
  });

  test("is blamed where it is shorter than the documented size that was asked for", async () => {
    expect(await failedRules(shop, counter({ longest: 10 }))).toEqual(["R116"]);
  });

  test("is blamed where its total is another than the pages have", async () => {
    expect(await failedRules(shop, counter({ total: 22 }))).toContain("R116");
    expect(await failedRules(shop, counter({ total: 24 }))).toContain("R116");
  });

  test("is blamed where it tells wrongly whether there is more", async () => {
    expect(await failedRules(shop, counter({ hasMore: () => false }))).toEqual(["R116"]);
    expect(await failedRules(shop, counter({ hasMore: () => true }))).toEqual(["R116"]);
  });
});

test("What can only be searched for is searched for with a word of another answer", async () => {
  expect(await failedRules(shop, counter({ hit: () => 5 }))).toEqual(["H108"]);
});
