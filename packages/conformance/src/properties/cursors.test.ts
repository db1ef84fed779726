import { describe, expect, it } from "vitest";
import { isRecord } from "@nodewright/api-model";
import type { SuiteType } from "../suite/suite-type.ts";
import { paginationProperty } from "./pagination.ts";
import { placesProperty } from "./places.ts";
import type { Input, Page } from "./operation.ts";
import { optional, problemsOf } from "./testing/check-operation.ts";

const text: SuiteType = { kind: "string" };
const integer: SuiteType = { kind: "number", integer: true, minimum: 1, maximum: 20 };
const element: SuiteType = {
  kind: "record",
  members: ["id", "name"].map((name) => ({ name, type: text, required: true })),
};
/** The newest first. */
const notes = Array.from({ length: 9 }, (_none, index) => ({ id: `n${19 - index}`, name: `note ${index % 4}` }));

/** Returns a list with a cursor that is an identifier. */
function listWith(name: string, select: (place: number) => readonly unknown[]) {
  return {
    parameters: [optional("limit", integer, 10), optional(name, text)],
    element,
    pages: ({ limit = 10, [name]: id }: Input): readonly Page[] => {
      const items = id === undefined ? notes : select(notes.findIndex((one) => one.id === id));
      return [{ items: items.slice(0, Number(limit)) }];
    },
  };
}

describe("a cursor that is an identifier", () => {
  it.each(["before", "until", "max_id", "since_id", "ending_before"])("may lead to either side: %s", async (name) => {
    for (const select of [(at: number) => notes.slice(at + 1), (at: number) => notes.slice(0, at)])
      expect(await problemsOf(listWith(name, select), paginationProperty)).toEqual([]);
  });

  it("excludes the element, where its name does not leave that open", async () => {
    const withIt = (name: string) =>
      problemsOf(
        listWith(name, (at) => notes.slice(at)),
        paginationProperty,
      );
    expect(await withIt("before")).toEqual(["the elements for before contain the element that it identifies"]);
    expect(await withIt("until")).toEqual([]);
  });

  it("leaves no gap, and has an effect", async () => {
    const message = "the elements for max_id are not those on one side of the element that it identifies";
    expect(
      await problemsOf(
        listWith("max_id", (at) => notes.slice(at + 2)),
        paginationProperty,
      ),
    ).toEqual([message]);
    expect(
      await problemsOf(
        listWith("max_id", () => notes),
        paginationProperty,
      ),
    ).toEqual([message]);
  });
});

describe("tokens of pages", () => {
  /** Returns a list whose pages name the next one by `tokenOf`. */
  const paged = (tokenOf: (start: number, end: number) => number | undefined, total = notes.length) => ({
    parameters: [optional("limit", integer, 3), optional("cursor", text)],
    element,
    pages: ({ limit = 3, cursor = "p0" }: Input): readonly Page[] => {
      const start = Number(String(cursor).slice(1));
      const items = notes.slice(start, start + Number(limit));
      const next = tokenOf(start, start + items.length);
      return [{ items, total, links: { isOfHeader: false, next: { cursor: next === undefined ? null : `p${next}` } } }];
    },
    valueAround: ({ items, links }: Page) => ({
      items,
      nextCursor: isRecord(links?.next) ? links.next["cursor"] : null,
    }),
  });
  const nextOf = (_start: number, end: number) => (end < notes.length ? end : undefined);

  it("lead to the end, past each element once", async () => {
    expect(await problemsOf(paged(nextOf), paginationProperty)).toEqual([]);
  });

  it("do not lead back, and do not end early", async () => {
    const looping = paged((start, end) => (start > 2 ? start : nextOf(start, end)));
    expect(await problemsOf(looping, paginationProperty)).toContain(
      "a page that cursor leads to has a token of an earlier page as the next one",
    );
    const ending = paged((start, end) => (start > 2 ? undefined : end));
    expect(await problemsOf(ending, paginationProperty)).toContain(
      "all pages that cursor leads to have fewer or more elements than the total",
    );
  });
});

describe("a list for several identifiers", () => {
  const orNull: SuiteType = { kind: "union", mode: "any-of", members: [element, { kind: "null" }] };
  const byIds = (change: (found: readonly unknown[]) => readonly unknown[]) => ({
    parameters: [{ ...optional("ids", { kind: "list", element: text }), required: true }],
    element: orNull,
    base: { ids: ["n11", "n17"] },
    pages: ({ ids }: Input): readonly Page[] => [
      { items: change((ids as readonly string[]).map((id) => notes.find((one) => one.id === id) ?? null)) },
    ],
  });

  it("has an element for each, at its place", async () => {
    expect(
      await problemsOf(
        byIds((found) => found),
        placesProperty,
      ),
    ).toEqual([]);
    expect(
      await problemsOf(
        byIds((found) => found.toReversed()),
        placesProperty,
      ),
    ).toEqual(["the elements are not in the order of ids"]);
    expect(
      await problemsOf(
        byIds((found) => found.filter((one) => one !== null)),
        placesProperty,
      ),
    ).toEqual(["the list does not have one element for each of ids"]);
  });
});
