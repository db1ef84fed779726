import { describe, expect, it } from "vitest";
import { describedFactsOf, describedOrderOf, mentionsByChance, statesExcerpt } from "./described-facts.ts";

describe("statesExcerpt", () => {
  it.each(["The main ones only", "His three best known", "The latest comments. All are on other pages."])(
    "is true of %s",
    (text) => {
      expect(statesExcerpt([undefined, text])).toBe(true);
    },
  );

  it.each([
    undefined,
    null,
    "",
    "All comments",
    "Comments, newest first",
    "Hashes, only present where verbose is true",
    "Inputs of the transaction. The first one is the coinbase.",
  ])("is false of %s", (text) => {
    expect(statesExcerpt([text])).toBe(false);
  });
});

describe("mentionsByChance", () => {
  it.each(["Chosen by chance", "Returns randomly chosen products."])("is true of %s", (text) => {
    expect(mentionsByChance([text])).toBe(true);
  });

  it.each([undefined, "All products", "The balance after the exchange"])("is false of %s", (text) => {
    expect(mentionsByChance([text])).toBe(false);
  });
});

describe("isOneSided", () => {
  it.each(["Only open ones", "If true, closed ones are left out", "Include archived projects"])(
    "is true of %s",
    (text) => {
      expect(describedFactsOf("open", { kind: "boolean" }, [text])).toEqual({ isOneSided: true });
    },
  );

  it.each([undefined, "Whether it is open", "Filters by prescription"])("is false of %s", (text) => {
    expect(describedFactsOf("open", { kind: "boolean" }, [text])).toEqual({});
  });
});

describe("isExactTo", () => {
  it.each([
    ["Specimens on all pages. Counting stops at 40.", { isTotal: true, isExactTo: 40 }],
    ["All that match, but never more than 60.", { isTotal: true, isExactTo: 60 }],
    ["At most 10,000", { isExactTo: 10_000 }],
    ["An estimate", { isExactTo: 0 }],
    ["Lots on all pages", { isTotal: true }],
    ["Lots on this page", { isOfPage: true }],
    ["The largest that lots of this page may have", {}],
    ["How many bids there are", {}],
    [undefined, {}],
  ])("is what is said by %s", (text, facts) => {
    expect(describedFactsOf("total", { kind: "number" }, [text])).toEqual(facts);
  });
});

describe("describedOrderOf", () => {
  it.each([
    ["All bids on a lot, the highest first.", { by: "highest", sign: -1 }],
    ["Observations, the latest first", { by: "time", sign: -1 }],
    ["Everything that was done, the newest first unless `newest_first` is false.", { by: "time", sign: -1 }],
    ["Trips. The earliest first.", { by: "time", sign: 1 }],
    ["Most recent comments first", { by: "time", sign: -1 }],
    ["Towers, sorted by height, descending", { by: "height", sign: -1 }],
    ["Towers in ascending order of height", { by: "height", sign: 1 }],
  ])("reads the order of %s", (text, order) => {
    expect(describedOrderOf([undefined, text])).toEqual(order);
  });

  it.each([
    undefined,
    "The latest ones",
    "Sorted by name",
    "Newest first if `desc` is given",
    "Sorted by height, ascending or descending",
    "The first page",
  ])("reads none of %s", (text) => {
    expect(describedOrderOf([text])).toBeUndefined();
  });
});
