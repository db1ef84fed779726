import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer, text } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const day: SuiteType = { kind: "string", format: "date" };
const genre: SuiteType = { kind: "enumeration", values: ["novel", "poem", "play"] };

function member(name: string, type: SuiteType): RecordMember {
  return { name, type, required: true };
}

function query(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "query", required: false, type, ...more };
}

const book: SuiteType = {
  kind: "record",
  members: [
    member("id", integer),
    member("published", day),
    member("pages", integer),
    member("genres", { kind: "list", element: genre }),
  ],
};
const failures = [{ name: "Invalid", status: 400, contents: [], headers: [] }];

function library(includesBound: boolean) {
  return httpSuite([
    httpOperation(
      "listBooks",
      "/books",
      { kind: "list", element: book },
      {
        failures,
        parameters: [
          query("published_from", day, includesBound ? { includesBound } : {}),
          query("max_pages", { ...integer, minimum: 1 } as SuiteType, includesBound ? { includesBound } : {}),
          query("genre", { kind: "list", element: genre, minItems: 1, maxItems: 3 }, { explode: false }),
          query("limit", { ...integer, minimum: 1, maximum: 20, default: 5 } as SuiteType),
        ],
      },
    ),
  ]);
}

const genres = [["novel"], ["poem"], ["novel", "poem"], ["play"], ["play", "novel"]];
const books = Array.from({ length: 30 }, (_none, index) => ({
  id: index + 1,
  published: `20${String(10 + (index % 9))}-05-0${(index % 7) + 1}`,
  pages: 100 + index * 3,
  genres: genres[index % genres.length] ?? [],
}));
type Book = (typeof books)[number];

interface Fault {
  readonly isFrom?: (own: string, bound: string) => boolean;
  readonly isShort?: (own: number, bound: number) => boolean;
  readonly isOf?: (own: readonly string[], wanted: readonly string[]) => boolean;
}

function shelf({
  isFrom = (own, bound) => own >= bound,
  isShort = (own, bound) => own <= bound,
  isOf = (own, wanted) => wanted.some((one) => own.includes(one)),
}: Fault = {}) {
  return ({ path, query: given }: TestRequest): TestResponse => {
    if (path !== "/books") return { status: 404, body: {} };
    const [from, most, wanted] = [given.get("published_from"), given.get("max_pages"), given.get("genre")];
    const limit = Number(given.get("limit") ?? 5);
    const isRight =
      /^\d{4}-\d{2}-\d{2}$/.test(from ?? "2000-01-01") &&
      /^[1-9]\d{0,8}$/.test(most ?? "1") &&
      /^(?:(?:novel|poem|play)(?:,|$)){1,3}$/.test(wanted ?? "novel") &&
      !/,$/.test(wanted ?? "") &&
      /^[1-9]\d?$/.test(given.get("limit") ?? "5") &&
      limit <= 20;
    if (!isRight) return { status: 400 };
    const isKept = (one: Book): boolean =>
      (from === null || isFrom(one.published, from)) &&
      (most === null || isShort(one.pages, Number(most))) &&
      (wanted === null || isOf(one.genres, wanted.split(",")));
    return { status: 200, body: books.filter(isKept).slice(0, limit) };
  };
}

describe("A bound", () => {
  test("is right where what is at it is within, said or not", async () => {
    expect(await failedRules(library(true), shelf())).toEqual([]);
    expect(await failedRules(library(false), shelf())).toEqual([]);
  });

  test("is blamed where what is at it is left out, though the description says otherwise", async () => {
    const exclusiveFrom = shelf({ isFrom: (own, bound) => own > bound });
    const exclusiveMost = shelf({ isShort: (own, bound) => own < bound });
    expect(await failedRules(library(true), exclusiveFrom)).toEqual(["P005"]);
    expect(await failedRules(library(true), exclusiveMost)).toEqual(["P005"]);
    expect(await failedRules(library(false), exclusiveFrom)).toEqual([]);
    expect(await failedRules(library(false), exclusiveMost)).toEqual([]);
  });
});

describe("A filter by several values of what has several", () => {
  test("may mean any of them or all", async () => {
    expect(
      await failedRules(library(true), shelf({ isOf: (own, wanted) => wanted.every((one) => own.includes(one)) })),
    ).toEqual([]);
  });

  test("is blamed where one value alone counts", async () => {
    expect(
      await failedRules(library(true), shelf({ isOf: (own, wanted) => own.includes(wanted.at(-1) ?? "") })),
    ).toEqual(["P004"]);
  });
});

test("A bound that is a day is not asked for with the moments that elements have", async () => {
  const moment: SuiteType = { kind: "string", format: "date-time" };
  const events = httpSuite([
    httpOperation(
      "listEvents",
      "/events",
      { kind: "list", element: { kind: "record", members: [member("id", integer), member("created", moment)] } },
      { failures, parameters: [query("created_from", day), query("created_until", moment)] },
    ),
  ]);
  const created = Array.from({ length: 9 }, (_none, index) => `2024-05-0${index + 1}T10:00:00Z`);
  const requested: string[] = [];
  const response = ({ path, query: given }: TestRequest): TestResponse => {
    const [from, until] = [
      given.get("created_from") ?? "2000-01-01",
      given.get("created_until") ?? "2100-01-01T00:00:00Z",
    ];
    requested.push(from, until);
    if (path !== "/events") return { status: 404, body: {} };
    if (!/^\d{4}-\d{2}-\d{2}$/.test(from) || !/^\d{4}-\d{2}-\d{2}T/.test(until)) return { status: 400 };
    const body = created
      .map((one, id) => ({ id, created: one }))
      .filter((one) => one.created >= from && one.created <= until);
    return { status: 200, body };
  };

  expect(await failedRules(events, response)).toEqual([]);
  expect(requested.some((value) => value.startsWith("2024-05"))).toBe(true);
});

describe("A listed value of a filter that stands for all others", () => {
  const states = ["open", "closed"];
  const issues = (state: SuiteType) =>
    httpSuite([
      httpOperation(
        "listIssues",
        "/issues",
        { kind: "list", element: { kind: "record", members: [member("id", integer), member("state", state)] } },
        {
          failures,
          parameters: [query("state", { kind: "enumeration", values: [...states, "all"] }, { default: "open" })],
        },
      ),
    ]);
  const all = Array.from({ length: 8 }, (_none, id) => ({ id, state: states[id % 2] ?? "" }));
  const response =
    (ignored: string) =>
    ({ path, query: given }: TestRequest): TestResponse => {
      const state = given.get("state") ?? "open";
      if (path !== "/issues") return { status: 404, body: {} };
      if (![...states, "all"].includes(state)) return { status: 400 };
      return { status: 200, body: all.filter((one) => [one.state, "all", ignored].includes(state)) };
    };

  test.each<[string, SuiteType]>([
    ["names its values", { kind: "enumeration", values: states }],
    ["is any text", text],
  ])("is no fault, and the other values are checked, where the member %s", async (_what, state) => {
    expect(await failedRules(issues(state), response("all"))).toEqual([]);
    expect(await failedRules(issues(state), response("closed"))).toContain("P004");
  });
});

const kinds = ["loan", "return"];
const desk = httpSuite([
  httpOperation(
    "getTraffic",
    "/traffic",
    {
      kind: "record",
      members: [
        member("total", integer),
        member("by_kind", {
          kind: "list",
          element: {
            kind: "record",
            members: [
              member("kind", { kind: "enumeration", values: kinds }),
              member("share", { kind: "number", integer: false }),
              member("note", text),
            ],
          },
        }),
      ],
    },
    { parameters: [query("kind", { kind: "enumeration", values: kinds })], failures },
  ),
]);

test("Groups whose numbers are those of what is chosen are the same groups", async () => {
  const response = ({ path, query: given }: TestRequest): TestResponse => {
    const kind = given.get("kind");
    if (path !== "/traffic") return { status: 404, body: {} };
    if (kind !== null && !kinds.includes(kind)) return { status: 400 };
    const chosen = kinds.filter((one) => kind === null || one === kind);
    const groups = chosen.map((one) => ({ kind: one, share: 1 / chosen.length, note: `${one}s` }));
    return { status: 200, body: { total: chosen.length, by_kind: groups } };
  };
  expect(await failedRules(desk, response)).toEqual([]);
});
