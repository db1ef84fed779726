import { describe, expect, it } from "vitest";
import { followsOf } from "./page-members.ts";

describe("followsOf", () => {
  it.each<[boolean | undefined, unknown]>([
    [true, { items: [], hasMore: true, nextCursor: null }],
    [false, { items: [], nextCursor: null }],
    [false, { items: [], next_page_token: "" }],
    [false, { items: [], links: { next: null } }],
    [false, { items: [], _links: { next: null } }],
    [true, { items: [], _links: { next: { href: "/items?page=2" } } }],
    [true, { items: [], meta: { next: 3 } }],
    [false, { edges: [], pageInfo: { hasNextPage: false, endCursor: "b" } }],
    // The cursor of the page itself, and members of the elements.
    [undefined, { items: [], cursor: null, after: null }],
    [undefined, { items: [{ next: null }], nextBlock: null, step: { next: null } }],
    [undefined, []],
  ])("is %s for %j", (expected, value) => {
    expect(followsOf(value)).toBe(expected);
  });
});
