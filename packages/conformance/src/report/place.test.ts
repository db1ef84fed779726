import { describe, expect, it } from "vitest";
import { placeText, readPlace } from "./place.ts";

describe("a place", () => {
  it.each([
    ["12:5", { file: "pets.yaml", line: 12, column: 5 }],
    ["schemas/a:b.yaml:1:2", { file: "schemas/a:b.yaml", line: 1, column: 2 }],
    ["#/paths/~1pets", undefined],
  ])("is read: %s", (place, expected) => {
    expect(readPlace(place, "pets.yaml")).toEqual(expected);
  });

  it.each([
    ["12:5", "pets.yaml:12:5"],
    ["other.yaml:1:2", "other.yaml:1:2"],
    ["#/paths/~1pets", "pets.yaml#/paths/~1pets"],
    ["other.yaml#/a", "other.yaml#/a"],
  ])("is told: %s", (place, text) => {
    expect(placeText(place, "pets.yaml")).toBe(text);
  });
});
