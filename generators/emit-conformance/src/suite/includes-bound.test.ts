import { describe, expect, it } from "vitest";
import { includesBound, isOrdered } from "./includes-bound.ts";

describe("includesBound", () => {
  it.each([
    "Only what has a `time` at or after this one.",
    "Only books published on or\nbefore this day.",
    "Only transactions with at least this fee.",
    "The last day (inclusive).",
    "Values >= this one.",
    "This price or less.",
    "No later than this.",
  ])("is so where the description says it: %s", (description) => {
    expect(includesBound({ description })).toBe(true);
  });

  it.each([
    "Only what was made after this.",
    "The end of the time, exclusive; at least a day.",
    "The last day (not inclusive).",
    "The least price.",
  ])("is not so where it does not: %s", (description) => {
    expect(includesBound({ description })).toBe(false);
  });

  it("is not so without a description", () => {
    expect(includesBound(undefined)).toBe(false);
  });
});

describe("isOrdered", () => {
  it("holds for numbers and times, and for what only has a name yet", () => {
    expect(isOrdered({ kind: "number", integer: false })).toBe(true);
    expect(isOrdered({ kind: "string", format: "date-time" })).toBe(true);
    expect(isOrdered({ kind: "reference", target: "Height" })).toBe(true);
  });

  it("does not for other texts and for lists", () => {
    expect(isOrdered({ kind: "string" })).toBe(false);
    expect(isOrdered({ kind: "list", element: { kind: "number", integer: true } })).toBe(false);
  });
});
