import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

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
  readonly hasMore?: (reported: boolean) => boolean;
  readonly hit?: (text: string) => unknown;
}

function counter({
  longest = 20,
  total = kettles.length,
  hasMore = (reported) => reported,
  hit = (one) => one,
}: Fault = {}) {
  return ({ path, query: given }: TestRequest): TestResponse => {
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

  test("may be shorter than what was asked for, but not shorter than it is by itself", async () => {
    expect(await failedRules(shop, counter({ longest: 10 }))).toEqual([]);
    expect(await failedRules(shop, counter({ longest: 4 }))).toContain("P006");
  });

  test("is blamed where its total is another than the pages have", async () => {
    expect(await failedRules(shop, counter({ total: 22 }))).toContain("P006");
    expect(await failedRules(shop, counter({ total: 24 }))).toContain("P006");
  });

  test("is blamed where it tells wrongly whether there is more", async () => {
    expect(await failedRules(shop, counter({ hasMore: () => false }))).toEqual(["P006"]);
    expect(await failedRules(shop, counter({ hasMore: () => true }))).toEqual(["P003", "P006"]);
  });
});

test("What can only be searched for is searched for with a word of another answer", async () => {
  expect(await failedRules(shop, counter({ hit: () => 5 }))).toEqual(["H108"]);
});

const colours = ["red", "blue", "green"];
const pot: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: integer, required: true },
    { name: "colour", type: { kind: "enumeration", values: colours }, required: true },
  ],
};
const pots = Array.from({ length: 23 }, (_none, index) => ({ id: index + 1, colour: colours[index % 3] ?? "" }));
const kitchen = httpSuite([
  httpOperation(
    "listPots",
    "/pots",
    {
      kind: "record",
      members: [
        { name: "items", type: { kind: "list", element: pot }, required: true },
        ...["page", "total", "pages"].map((name) => ({ name, type: integer, required: true })),
      ],
    },
    {
      parameters: [
        query("page", { ...integer, minimum: 1, default: 1 }),
        query("size", { ...integer, minimum: 1, maximum: 20, default: 5 }),
        query("colour", { kind: "enumeration", values: colours }),
      ],
      failures,
    },
  ),
]);

interface PotsPage {
  readonly items: readonly unknown[];
  readonly page: number;
  readonly total: number;
  readonly pages: number;
}

function cupboard(change: (page: PotsPage, size: number) => PotsPage = (page) => page) {
  return ({ path, query: given }: TestRequest): TestResponse => {
    if (path !== "/pots") return { status: 404, body: {} };
    const [page, size, colour] = [given.get("page") ?? "1", given.get("size") ?? "5", given.get("colour")];
    const isRight = /^[1-9]\d{0,8}$/.test(page) && /^[1-9]\d{0,8}$/.test(size) && Number(size) <= 20;
    if (!isRight || (colour !== null && !colours.includes(colour))) return { status: 400, body: {} };
    const chosen = pots.filter((one) => colour === null || one.colour === colour);
    const start = (Number(page) - 1) * Number(size);
    const items = chosen.slice(start, start + Number(size));
    const reported = {
      items,
      page: Number(page),
      total: chosen.length,
      pages: Math.ceil(chosen.length / Number(size)),
    };
    return { status: 200, body: change(reported, Number(size)) };
  };
}

describe("The total of pages", () => {
  test("is right with a filter and without", async () => {
    expect(await failedRules(kitchen, cupboard())).toEqual([]);
  });

  test("is blamed where it is that of all, whatever was chosen", async () => {
    const all = cupboard((page, size) => ({ ...page, total: pots.length, pages: Math.ceil(pots.length / size) }));
    expect(await failedRules(kitchen, all)).toContain("P004");
  });

  test("is blamed where it is that of the page", async () => {
    const own = cupboard((page) => ({ ...page, total: page.items.length, pages: Math.min(1, page.items.length) }));
    expect(await failedRules(kitchen, own)).toEqual(["P003", "P004"]);
  });

  test("is blamed where there are not as many pages as it takes", async () => {
    const rounded = cupboard((page, size) => ({ ...page, pages: Math.floor(page.total / size) }));
    expect(await failedRules(kitchen, rounded)).toEqual(["P006"]);
  });
});
