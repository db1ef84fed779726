import { describe, expect, it } from "vitest";
import { kebabCase, UniqueNames } from "./kebab-case.ts";

describe("names of cases", () => {
  it.each([
    ["blockHash", "block-hash"],
    ["x_Y z", "x-y-z"],
    ["--", "value"],
    ["日本", "value"],
  ])("are kebab-case: %s", (text, name) => {
    expect(kebabCase(text)).toBe(name);
  });

  it("are each given once, however long and whatever was given before", () => {
    const names = new UniqueNames();
    expect(["a-2", "a", "a", "a"].map((wanted) => names.take(wanted))).toEqual(["a-2", "a", "a-3", "a-4"]);
    const long = "word-".repeat(100);
    const taken = Array.from({ length: 50 }, () => names.take(long));
    expect(new Set(taken).size).toBe(50);
  });
});
