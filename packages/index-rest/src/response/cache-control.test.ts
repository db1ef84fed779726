import { describe, expect, test } from "vitest";
import { cacheByDepth, cacheLong, cacheShort } from "./cache-control.ts";

describe("what may be kept for long", () => {
  test("begins with ten blocks above", () => {
    expect(cacheByDepth(109, 100)).toBe(cacheShort);
    expect(cacheByDepth(110, 100)).toBe(cacheLong);
  });

  test("is nothing that is in no block of the best chain", () => {
    expect(cacheByDepth(1_000, undefined)).toBe(cacheShort);
    expect(cacheByDepth(undefined, 0)).toBe(cacheShort);
  });
});
