import { describe, expect, it } from "vitest";
import { ImmutableCache } from "./immutable-cache.ts";

describe("the cache", () => {
  const create = (capacity: number): ImmutableCache<string> => new ImmutableCache(capacity, (value) => value.length);

  it("drops what was used longest ago when it holds too much", () => {
    const cache = create(6);
    cache.set("a", "aa");
    cache.set("b", "bb");
    cache.set("c", "cc");
    expect(cache.get("a")).toBe("aa");
    cache.set("d", "dd");
    expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual(["aa", undefined, "cc", "dd"]);
  });

  it("replaces a value with its weight", () => {
    const cache = create(4);
    cache.set("a", "aaaa");
    cache.set("a", "a");
    cache.set("b", "bbb");
    expect([cache.get("a"), cache.get("b")]).toEqual(["a", "bbb"]);
  });

  it("does not keep what is heavier than all it may hold", () => {
    const cache = create(3);
    cache.set("a", "aa");
    cache.set("b", "bbbb");
    expect([cache.get("a"), cache.get("b")]).toEqual(["aa", undefined]);
  });
});
