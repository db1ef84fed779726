import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { limitProperty } from "./limit.ts";
import type { Input, Page } from "./operation.ts";
import { paginationProperty } from "./pagination.ts";
import { sortProperty } from "./sort.ts";
import { optional, problemsOf } from "./testing/check-operation.ts";

const integer: SuiteType = { kind: "number", integer: true, minimum: 0, maximum: 20 };
const lamps = Array.from({ length: 9 }, (_none, index) => ({
  id: `lamp${index}`,
  price: (index * 5) % 9,
  weight: `${index * 7}`,
}));
const element: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: { kind: "string" }, required: true },
    { name: "price", type: { kind: "number", integer: true }, required: true },
    { name: "weight", type: { kind: "any" }, required: true },
  ],
};

type Lamps = typeof lamps;

/** Returns a list with a limit and an offset, whose pages are changed by `change`. */
function paged(change: (page: Page, input: Input) => Page = (page) => page) {
  return {
    parameters: [optional("limit", integer, 4), optional("offset", integer, 0)],
    element,
    pages: (input: Input) => {
      const { limit = 4, offset = 0 } = input as { limit?: number; offset?: number };
      const items = lamps.slice(offset, offset + limit);
      return [change({ items, total: lamps.length, more: offset + limit < lamps.length }, input)];
    },
  };
}

describe("limit", () => {
  it("finds nothing where limits hold", async () => {
    expect(await problemsOf(paged(), limitProperty)).toEqual([]);
  });

  it.each<[string, (page: Page, input: Input) => Page, string]>([
    ["is ignored", (page) => ({ ...page, items: lamps }), "there are more elements than limit allows"],
    [
      "is one too small",
      (page, { limit = 4, offset = 0 }) => ({ ...page, items: lamps.slice(Number(offset), Number(limit) - 1) }),
      "there are fewer elements than limit allows and the list has",
    ],
    [
      "returns other elements than the first",
      (page, { limit = 4 }) => ({ ...page, items: limit === 2 ? lamps.slice(4, 6) : page.items }),
      "the elements for a limit are not the first of the list",
    ],
    [
      "hides that more follow",
      (page) => ({ ...page, more: false }),
      "the response states that no more elements follow where limit has cut the list",
    ],
  ])("finds that a limit %s", async (_name, change, message) => {
    expect(await problemsOf(paged(change), limitProperty)).toContain(message);
  });

  it("finds elements where a limit of 0 is allowed", async () => {
    const usual = (page: Page, { limit }: Input): Page => (limit === 0 ? { ...page, items: lamps.slice(0, 4) } : page);
    expect(await problemsOf(paged(usual), limitProperty)).toEqual(["there are more elements than limit allows"]);
  });

  it("finds that more elements follow a page of all of them", async () => {
    const full = (page: Page, { limit = 4 }: Input): Page => ({ ...page, more: page.items.length === limit });
    expect(await problemsOf(paged(full), limitProperty)).toEqual([
      "more elements follow where limit is as many as there are",
    ]);
  });

  it("finds a limit that is ignored within an object", async () => {
    const page: SuiteType = { kind: "record", members: [{ name: "size", type: integer, required: false }] };
    const sizeOf = (input: Input): number => (input as { page?: { size?: number } }).page?.size ?? 4;
    const nested = (size: (input: Input) => number) => ({
      parameters: [optional("page", page)],
      element,
      pages: (input: Input) => [{ items: lamps.slice(0, size(input)), total: lamps.length }],
    });
    expect(await problemsOf(nested(sizeOf), limitProperty)).toEqual([]);
    expect(
      await problemsOf(
        nested(() => 4),
        limitProperty,
      ),
    ).toContain("there are more elements than page.size allows");
  });

  it("finds a default that is another than the documented one", async () => {
    const other = paged((page, { limit }) => (limit === undefined ? { ...page, items: lamps.slice(0, 6) } : page));
    expect(await problemsOf(other, limitProperty)).toContain("there are more elements than limit allows");
  });

  it("looks at the list of each object", async () => {
    const { pages, ...list } = paged();
    const ignoring = { items: lamps, total: lamps.length };
    expect(await problemsOf({ ...list, pages: (input) => [...pages(input), ignoring] }, limitProperty)).toContain(
      "there are more elements than limit allows",
    );
  });

  it("does not blame a list whose order is another in each call", async () => {
    const { pages, ...list } = paged();
    let turn = 0;
    const turning = (input: Input): readonly Page[] =>
      pages(input).map((page) => {
        turn += 1;
        const start = turn % lamps.length;
        const all = [...lamps.slice(start), ...lamps.slice(0, start)];
        return { ...page, items: all.slice(0, page.items.length) };
      });
    expect(await problemsOf({ ...list, pages: turning }, limitProperty)).toEqual([]);
  });

  it("says nothing where calls have no value", async () => {
    const { pages, ...list } = paged();
    const refusing = (input: Input) => (input["limit"] === undefined ? pages(input) : undefined);
    expect(await problemsOf({ ...list, pages: refusing }, limitProperty)).toEqual([]);
  });
});

describe("pagination", () => {
  it("finds nothing where pages follow each other", async () => {
    expect(await problemsOf(paged(), paginationProperty)).toEqual([]);
  });

  const shifted = (by: number) =>
    paged((page, { limit = 4, offset }) => {
      const start = Number(offset) + by;
      return offset === undefined ? page : { ...page, items: lamps.slice(start, start + Number(limit)) };
    });

  it("finds an offset that skips one more, or none", async () => {
    const message = "the elements for offset do not go on where those before them ended";
    expect(await problemsOf(shifted(1), paginationProperty)).toContain(message);
    expect(await problemsOf(shifted(-1), paginationProperty)).toContain(message);
  });

  it("finds a total that is less by what an offset leaves out", async () => {
    const left = (page: Page, { offset = 0 }: Input): Page => ({ ...page, total: lamps.length - Number(offset) });
    expect(await problemsOf(paged(left), paginationProperty)).toContain("the total is less by what offset leaves out");
  });

  it("knows a start next to a limit", async () => {
    const from = (first: number, by: number) => ({
      parameters: [optional("count", integer, 4), optional("start", integer, first)],
      element,
      pages: ({ count = 4, start = first }: Input) => {
        const offset = Math.max(0, Number(start) - by);
        return [{ items: lamps.slice(offset, offset + Number(count)), total: lamps.length }];
      },
    });
    expect(await problemsOf(from(0, 0), paginationProperty)).toEqual([]);
    expect(await problemsOf(from(0, 1), paginationProperty)).toContain(
      "the elements for start do not go on where those before them ended",
    );
    // Any list may start at 7.
    expect(await problemsOf(from(7, 1), paginationProperty)).toEqual([]);
  });

  it("finds a total that is not the number of elements", async () => {
    const wrong = paged((page) => ({ ...page, total: lamps.length + 1 }));
    expect(await problemsOf(wrong, paginationProperty)).toContain(
      "the last page has fewer or more elements than the total implies",
    );
  });

  it("takes a round total for an estimate", async () => {
    expect(
      await problemsOf(
        paged((page) => ({ ...page, total: 100 })),
        paginationProperty,
      ),
    ).toEqual([]);
  });

  it("finds a cursor whose page holds the element that it names", async () => {
    const behind = (by: number) => ({
      parameters: [optional("limit", integer, 4), optional("after_id", { kind: "string" })],
      element,
      pages: ({ limit = 4, after_id: after }: Input) => {
        const start = after === undefined ? 0 : lamps.findIndex(({ id }) => id === after) + by;
        return [{ items: lamps.slice(start, start + Number(limit)) }];
      },
    });
    expect(await problemsOf(behind(1), paginationProperty)).toEqual([]);
    expect(await problemsOf(behind(0), paginationProperty)).toEqual([
      "the elements for after_id hold the one that it names",
    ]);
    expect(await problemsOf(behind(2), paginationProperty)).toEqual([
      "the elements for after_id do not go on where those before them ended",
    ]);
  });

  it("finds a cursor whose page says too early that nothing follows", async () => {
    const cut = (isEnd: (start: number, limit: number) => boolean) => ({
      parameters: [optional("limit", integer, 4), optional("after_id", { kind: "string" })],
      element,
      pages: ({ limit = 4, after_id: after }: Input) => {
        const start = after === undefined ? 0 : lamps.findIndex(({ id }) => id === after) + 1;
        const items = lamps.slice(start, start + Number(limit));
        return [{ items, more: !isEnd(start, Number(limit)) }];
      },
    });
    const right = (start: number, limit: number): boolean => start + limit >= lamps.length;
    expect(await problemsOf(cut(right), paginationProperty)).toEqual([]);
    expect(
      await problemsOf(
        cut((start, limit) => start > 0 || right(start, limit)),
        paginationProperty,
      ),
    ).toEqual(["a page for after_id states that no more elements follow, and there are more"]);
  });

  it("finds pages that share elements where no limit says how long they are", async () => {
    const numbered = (step: number) => ({
      parameters: [optional("page", { kind: "number", integer: true, minimum: 1 })],
      element,
      pages: ({ page = 1 }: Input) => [
        { items: lamps.slice((Number(page) - 1) * step, (Number(page) - 1) * step + 3) },
      ],
    });
    expect(await problemsOf(numbered(3), paginationProperty)).toEqual([]);
    expect(await problemsOf(numbered(2), paginationProperty)).toEqual(["two pages of page share elements"]);
  });

  it("lets the first page be called 0 or 1 where nothing says which", async () => {
    const numbered = (skipped: (page: number) => number) => ({
      parameters: [optional("limit", integer), optional("page", { kind: "number", integer: true })],
      element,
      pages: ({ limit = 4, page = 1 }: Input) => {
        const start = skipped(Number(page)) * Number(limit);
        return [{ items: lamps.slice(start, start + Number(limit)) }];
      },
    });
    for (const first of [0, 1]) {
      const right = numbered((page) => Math.max(0, page - first));
      expect(await problemsOf(right, paginationProperty)).toEqual([]);
    }
    const ignoring = numbered(() => 0);
    expect(await problemsOf(ignoring, paginationProperty)).toEqual(["two pages of page share elements"]);
  });
});

describe("sort", () => {
  const sorted = (
    type: SuiteType,
    order: (input: Input) => Lamps,
    ...more: readonly ReturnType<typeof optional>[]
  ) => ({
    parameters: [optional("sort", type), ...more],
    element,
    pages: (input: Input) => [{ items: order(input) }],
  });
  const by = (member: "price" | "weight", sign: number): Lamps =>
    lamps.toSorted((left, right) => sign * (Number(left[member]) - Number(right[member])));
  const words: SuiteType = { kind: "enumeration", values: ["price", "-price", "weight_desc"] };

  it("finds nothing where elements are in order", async () => {
    const right = ({ sort }: Input): Lamps =>
      sort === undefined ? lamps : by(sort === "weight_desc" ? "weight" : "price", sort === "price" ? 1 : -1);
    expect(await problemsOf(sorted(words, right), sortProperty)).toEqual([]);
  });

  it("finds orders that are ignored, and numbers that are ordered by their digits", async () => {
    const digits = lamps.toSorted((left, right) => (left.weight < right.weight ? 1 : -1));
    const wrong = ({ sort }: Input): Lamps => (sort === "weight_desc" ? digits : by("price", 1));
    expect(await problemsOf(sorted(words, wrong), sortProperty)).toEqual([
      "the elements are not in descending order of price",
      "the elements are not in descending order of weight",
      "the order by price is the same in both directions",
    ]);
  });

  it("finds words for the newest that are ignored, or mean the oldest", async () => {
    const events = lamps.map(({ id }, index) => ({ id, at: `2026-03-0${index + 1}T00:00:00Z` }));
    const timed: SuiteType = {
      kind: "record",
      members: ["id", "at"].map((name) => ({ name, type: { kind: "string" }, required: true })),
    };
    const inOrder = (name: string, type: SuiteType, isNewest: (value: unknown) => boolean) => ({
      parameters: [optional(name, type)],
      element: timed,
      pages: (input: Input) => [{ items: isNewest(input[name]) ? events.toReversed() : events }],
    });
    const ages: SuiteType = { kind: "enumeration", values: ["newest", "oldest"] };
    const flag: SuiteType = { kind: "boolean" };
    expect(
      await problemsOf(
        inOrder("order", ages, (value) => value === "newest"),
        sortProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        inOrder("order", ages, () => true),
        sortProperty,
      ),
    ).toHaveLength(1);
    expect(
      await problemsOf(
        inOrder("newest_first", flag, (value) => value === true),
        sortProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        inOrder("newest_first", flag, (value) => value === false),
        sortProperty,
      ),
    ).toEqual(["newest_first means the other direction"]);
    const mixed: SuiteType = { kind: "enumeration", values: ["newest", "id_asc"] };
    expect(
      await problemsOf(
        inOrder("sort", mixed, (value) => value === "newest"),
        sortProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        inOrder("sort", mixed, () => false),
        sortProperty,
      ),
    ).toEqual(["the elements are not in descending order of at"]);
  });

  it("knows no order of opaque identifiers", async () => {
    const encoded = lamps.map((lamp, index) => ({ ...lamp, id: btoa(`Lamp:${index + 3}`) }));
    const byId: SuiteType = { kind: "enumeration", values: ["id"] };
    expect(
      await problemsOf(
        sorted(byId, () => encoded),
        sortProperty,
      ),
    ).toEqual([]);
    const shuffled = by("price", 1).map((lamp) => ({ ...lamp, id: `${lamp.id}-of-${lamp.weight}` }));
    expect(
      await problemsOf(
        sorted(byId, () => shuffled),
        sortProperty,
      ),
    ).toHaveLength(1);
    const opaque: SuiteType = {
      kind: "record",
      members: [{ name: "id", type: { kind: "string", format: "opaque-id" }, required: true }],
    };
    expect(await problemsOf({ ...sorted(byId, () => shuffled), element: opaque }, sortProperty)).toEqual([]);
  });

  it("finds an order by a part of a member's name that is ignored", async () => {
    const films = lamps.map(({ id, price }) => ({ id, lengthMinutes: price }));
    const long: SuiteType = {
      kind: "record",
      members: [{ name: "lengthMinutes", type: { kind: "number", integer: true }, required: true }],
    };
    const ordered = (sign: (sort: unknown) => number) => ({
      parameters: [optional("sort", { kind: "enumeration", values: ["LENGTH_ASC", "LENGTH_DESC"] })],
      element: long,
      pages: ({ sort }: Input) => [
        { items: films.toSorted((left, right) => sign(sort) * (left.lengthMinutes - right.lengthMinutes)) },
      ],
    });
    expect(
      await problemsOf(
        ordered((sort) => (sort === "LENGTH_DESC" ? -1 : 1)),
        sortProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        ordered(() => 1),
        sortProperty,
      ),
    ).toEqual([
      "the elements are not in descending order of lengthMinutes",
      "the order by lengthMinutes is the same in both directions",
    ]);
  });

  it("reads directions of their own, and orders that are objects", async () => {
    const ways: SuiteType = { kind: "enumeration", values: ["ASC", "DESC"] };
    const field: SuiteType = { kind: "enumeration", values: ["PRICE"] };
    const object: SuiteType = {
      kind: "record",
      members: [
        { name: "field", type: field, required: true },
        { name: "direction", type: ways, required: true },
      ],
    };
    const up = (): Lamps => by("price", 1);
    const messages = [
      "the elements are not in descending order of price",
      "the order by price is the same in both directions",
    ];
    expect(await problemsOf(sorted(field, up, optional("direction", ways)), sortProperty)).toEqual(messages);
    expect(await problemsOf(sorted(object, up), sortProperty)).toEqual(messages);
  });

  it("finds a direction without a member that means the other one", async () => {
    const reversed = ({ reverse }: Input): Lamps => by("price", reverse === true ? 1 : -1);
    const list = {
      parameters: [optional("reverse", { kind: "boolean" })],
      element,
      pages: (input: Input) => [{ items: reversed(input) }],
    };
    expect(await problemsOf(list, sortProperty)).toEqual(["reverse means the other direction"]);
  });
});
