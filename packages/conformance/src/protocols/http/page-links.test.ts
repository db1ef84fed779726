import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const integer: SuiteType = { kind: "number", integer: true };
const moon: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: integer, required: true },
    { name: "name", type: { kind: "string" }, required: true },
  ],
};
const moons = Array.from({ length: 11 }, (_none, index) => ({ id: index + 1, name: `Moon ${index + 1}` }));

function query(name: string, type: SuiteType): SuiteParameter {
  return { name, property: name, location: "query", required: false, type };
}

const limit = query("limit", { ...integer, minimum: 1, maximum: 20, default: 5 });
const failures = [
  {
    name: "Invalid",
    status: 400,
    contents: [{ mediaType: "application/json", form: "json" as const, type: { kind: "any" as const } }],
    headers: [],
  },
];

const byHeader = httpSuite([
  httpOperation(
    "listMoons",
    "/moons",
    { kind: "list", element: moon },
    { parameters: [query("page", { ...integer, minimum: 1, default: 1 }), limit], failures },
  ),
]);

const byBody = httpSuite([
  httpOperation(
    "listMoons",
    "/moons",
    {
      kind: "record",
      members: [
        { name: "items", type: { kind: "list", element: moon }, required: true },
        {
          name: "next",
          type: { kind: "union", mode: "any-of", members: [{ kind: "string" }, { kind: "null" }] },
          required: true,
        },
      ],
    },
    { parameters: [query("cursor", { kind: "string", pattern: "^m[0-9]+$" }), limit], failures },
  ),
]);

type Links = Record<string, number | undefined>;

function isNumber(text: string | null): boolean {
  return text === null || /^[1-9]\d{0,8}$/.test(text);
}

/** Creates a server with pages and a `Link` header; `change` receives the numbers of the linked pages. */
function paged(change: (links: Links, page: number, last: number) => Links = (links) => links) {
  return ({ path, target, query: given }: TestRequest): TestResponse => {
    if (path !== "/moons") return { status: 404, body: { message: "nothing" } };
    const size = Number(given.get("limit") ?? 5);
    if (!isNumber(given.get("page")) || !isNumber(given.get("limit")) || size > 20) return { status: 400, body: {} };
    const page = Number(given.get("page") ?? 1);
    const last = Math.ceil(moons.length / size);
    const links: Links = {
      first: 1,
      last,
      ...(page > 1 && page <= last ? { prev: page - 1 } : {}),
      ...(page < last ? { next: page + 1 } : {}),
    };
    const text = Object.entries(change(links, page, last)).flatMap(([relation, number]) => {
      const url = new URL(target, "http://localhost");
      url.searchParams.set("page", String(number));
      return number === undefined ? [] : [`<${url.pathname}${url.search}>; rel="${relation}"`];
    });
    const body = moons.slice((page - 1) * size, page * size);
    return { status: 200, body, headers: { link: text.join(", ") } };
  };
}

/** Creates a server with pages and the URL of the next one in the body. */
function scrolled(change: (next: string | null, at: number) => string | null = (next) => next) {
  return ({ path, target, query: given }: TestRequest): TestResponse => {
    if (path !== "/moons") return { status: 404, body: { message: "nothing" } };
    const cursor = given.get("cursor");
    const size = Number(given.get("limit") ?? 5);
    if (!isNumber(given.get("limit")) || size > 20 || !/^m\d+$/.test(cursor ?? "m0")) return { status: 400, body: {} };
    const at = Number((cursor ?? "m0").slice(1));
    const url = new URL(target, "http://localhost");
    url.searchParams.set("cursor", `m${at + size}`);
    const next = at + size < moons.length ? `${url.pathname}${url.search}` : null;
    return { status: 200, body: { items: moons.slice(at, at + size), next: change(next, at) } };
  };
}

describe("Links to other pages", () => {
  test("are right in the header, and in the body with what was asked for in them", async () => {
    expect(await failedRules(byHeader, paged())).toEqual([]);
    expect(await failedRules(byBody, scrolled())).toEqual([]);
  });

  test.each([
    ["leads to the page itself", "P028", (links: Links, page: number) => ({ ...links, next: links["next"] && page })],
    ["leaves a page out", "P003", (links: Links) => ({ ...links, next: links["next"] && links["next"] + 1 })],
    ["is left out", "P003", ({ next: _next, ...links }: Links) => links],
    ["leads back elsewhere", "P028", (links: Links) => ({ ...links, prev: links["prev"] && links["prev"] + 1 })],
    [
      "ends behind the last page",
      "P003",
      (links: Links, _page: number, last: number) => ({ ...links, last: last + 1 }),
    ],
  ])("of a header are blamed where one %s", async (_what, rule, change) => {
    expect(await failedRules(byHeader, paged(change))).toEqual([rule]);
  });

  test("of a header that is no list of links are blamed", async () => {
    const response = paged();
    const broken = (requested: TestRequest): TestResponse => {
      const reported = response(requested);
      const link = reported.headers?.["link"]?.replaceAll(/[<>]/g, "");
      return link === undefined ? reported : { ...reported, headers: { link } };
    };
    expect(await failedRules(byHeader, broken)).toEqual(["H117"]);
  });

  test("of a body are blamed where the list goes on without, or leads nowhere", async () => {
    expect(
      await failedRules(
        byBody,
        scrolled(() => null),
      ),
    ).toEqual(["P001", "P003"]);
    expect(
      await failedRules(
        byBody,
        scrolled((next) => next && "/moonz?cursor=m1"),
      ),
    ).toEqual(["P003"]);
    expect(
      await failedRules(
        byBody,
        scrolled((next) => next?.replace(/cursor=m\d+/, "cursor=m0") ?? null),
      ),
    ).toEqual(["P003"]);
  });
});

const sizes = ["small", "large"];
const bySize = httpSuite([
  httpOperation(
    "listMoons",
    "/moons",
    {
      kind: "record",
      members: [
        {
          name: "items",
          type: {
            kind: "list",
            element: {
              kind: "record",
              members: [
                { name: "id", type: integer, required: true },
                { name: "size", type: { kind: "enumeration", values: sizes }, required: true },
              ],
            },
          },
          required: true,
        },
        { name: "has_more", type: { kind: "boolean" }, required: true },
        {
          name: "next",
          type: { kind: "union", mode: "any-of", members: [{ kind: "string" }, { kind: "null" }] },
          required: true,
        },
      ],
    },
    {
      parameters: [
        query("cursor", { kind: "string", pattern: "^m[0-9]+$" }),
        limit,
        query("size", { kind: "enumeration", values: sizes }),
      ],
      failures,
    },
  ),
]);

interface MoonsPage {
  readonly items: readonly unknown[];
  readonly has_more: boolean;
  readonly next: string | null;
}

function chosen(change: (page: MoonsPage) => MoonsPage = (page) => page) {
  return ({ path, target, query: given }: TestRequest): TestResponse => {
    if (path !== "/moons") return { status: 404, body: { message: "nothing" } };
    const [cursor, wanted] = [given.get("cursor") ?? "m0", given.get("size")];
    const count = Number(given.get("limit") ?? 5);
    const isRight = isNumber(given.get("limit")) && count <= 20 && /^m\d+$/.test(cursor);
    if (!isRight || (wanted !== null && !sizes.includes(wanted))) return { status: 400, body: {} };
    const all = moons
      .map(({ id }) => ({ id, size: sizes[id % 2] ?? "" }))
      .filter(({ size }) => wanted === null || size === wanted);
    const at = Number(cursor.slice(1));
    const url = new URL(target, "http://localhost");
    url.searchParams.set("cursor", `m${at + count}`);
    const hasMore = at + count < all.length;
    const next = hasMore ? `${url.pathname}${url.search}` : null;
    return { status: 200, body: change({ items: all.slice(at, at + count), has_more: hasMore, next }) };
  };
}

describe("The link next of a filtered list", () => {
  test("is right with the filter in it", async () => {
    expect(await failedRules(bySize, chosen())).toEqual([]);
  });

  test("is blamed where it leaves the filter out", async () => {
    const dropped = chosen((page) => ({
      ...page,
      next: page.next?.replace(/[?&]size=[a-z]+/, (text) => `${text[0] ?? ""}x=1`) ?? null,
    }));
    expect(await failedRules(bySize, dropped)).toEqual(["P003"]);
  });
});

describe("What says whether there is more", () => {
  test("is blamed where it denies what the link next leads to, and the other way round", async () => {
    expect(
      await failedRules(
        bySize,
        chosen((page) => ({ ...page, has_more: false })),
      ),
    ).toEqual(["P003"]);
    expect(
      await failedRules(
        bySize,
        chosen((page) => ({ ...page, has_more: true })),
      ),
    ).toEqual(["P003"]);
  });
});
