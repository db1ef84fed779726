import { describe, expect, it } from "vitest";
import { includesBound, isOrderedType } from "./includes-bound.ts";

describe("includesBound", () => {
  it.each([
    "Only what has a `time` at or after this one.",
    "Only books published on or\nbefore this day.",
    "Only transactions with at least this fee.",
    "The last day (inclusive).",
    "Values >= this one.",
    "This price or less.",
    "No later than this.",
  ])("is true where the description says it: %s", (description) => {
    expect(includesBound("day", { own: [description], whole: [] })).toBe(true);
  });

  it.each([
    ["The end of the time, exclusive; at least a day.", false],
    ["The last day (not inclusive).", false],
    ["Published after this time, not at it.", false],
    ["Departures before this moment; not at it.", false],
    ["Readings before this day (but not on it).", false],
    ["Strictly after this time.", false],
    ["Only what was made after this.", undefined],
    ["Made after this, not at the weekend or on the day itself.", undefined],
    ["Exclusive to members. Made after this.", undefined],
    ["Strictly less than this, or equal by rounding.", undefined],
    ["The least price.", undefined],
    ["A number between 0 and 100.", undefined],
  ])("is not so where it does not: %s", (description, expected) => {
    expect(includesBound("day", { own: [description], whole: [] })).toBe(expected);
  });

  it.each([
    ["The blocks between `from` and `to`.", true],
    ["Lists readings. Those between from and until are returned, until exclusive.", false],
    ["Both ends are included.", true],
    ["The blocks from height `from` to height `to`, inclusive.", true],
    ["Lists what is at most a day old, by from.", undefined],
    ["Lists blocks, inclusive of stale ones. Starts at `from`.", undefined],
  ])("is what a sentence of the whole says that names it: %s", (description, expected) => {
    expect(includesBound("from", { own: ["The first one."], whole: [description] })).toBe(expected);
  });

  it("is not said without a description", () => {
    expect(includesBound("day", { own: [undefined], whole: [null] })).toBeUndefined();
  });
});

describe("isOrderedType", () => {
  it("holds for numbers and times, and for what only has a name yet", () => {
    expect(isOrderedType({ kind: "number", integer: false })).toBe(true);
    expect(isOrderedType({ kind: "string", format: "date-time" })).toBe(true);
    expect(isOrderedType({ kind: "reference", target: "Height" })).toBe(true);
  });

  it("does not for other texts and for lists", () => {
    expect(isOrderedType({ kind: "string" })).toBe(false);
    expect(isOrderedType({ kind: "list", element: { kind: "number", integer: true } })).toBe(false);
  });
});
