import { describe, expect, it } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

describe("a bounded cache", () => {
  const byLength = (text: string): number => text.length;

  it("forgets what was used longest ago", () => {
    const cache = new BoundedCache<string, string>(2);
    cache.set("a", "1");
    cache.set("b", "2");
    cache.find("a");
    cache.set("c", "3");

    expect([cache.find("a"), cache.find("b"), cache.find("c"), cache.size]).toEqual(["1", undefined, "3", 2]);
  });

  it("is empty once it is cleared, and holds as much as before", () => {
    const cache = new BoundedCache<string, string>(4, byLength);
    cache.set("a", "xxxx");
    cache.clear();
    expect([cache.find("a"), cache.size]).toEqual([undefined, 0]);

    cache.set("b", "xxxx");

    expect([cache.find("b"), cache.size]).toEqual(["xxxx", 1]);
  });

  it("bounds the sum of the weights, whatever is replaced", () => {
    const cache = new BoundedCache<string, string>(10, byLength);
    cache.set("a", "xxxx");
    cache.set("b", "xxxx");
    cache.set("b", "xxxxxx");
    expect(cache.size).toBe(2);

    cache.set("c", "xxxxx");

    expect([cache.find("a"), cache.find("b"), cache.find("c")]).toEqual([undefined, undefined, "xxxxx"]);
  });

  it("does not keep what is too heavy alone, nor what that would replace", () => {
    const cache = new BoundedCache<string, string>(3, byLength);
    cache.set("a", "xx");
    cache.set("b", "xxxx");
    cache.set("a", "xxxxx");

    expect([cache.find("a"), cache.find("b"), cache.size]).toEqual([undefined, undefined, 0]);
  });
});

describe("a cache by weight", () => {
  const create = (capacity: number): BoundedCache<string, string> =>
    new BoundedCache(capacity, (value) => value.length);

  it("drops what was used longest ago when it holds too much", () => {
    const cache = create(6);
    cache.set("a", "aa");
    cache.set("b", "bb");
    cache.set("c", "cc");
    expect(cache.find("a")).toBe("aa");
    cache.set("d", "dd");
    expect(["a", "b", "c", "d"].map((key) => cache.find(key))).toEqual(["aa", undefined, "cc", "dd"]);
  });

  it("replaces a value with its weight", () => {
    const cache = create(4);
    cache.set("a", "aaaa");
    cache.set("a", "a");
    cache.set("b", "bbb");
    expect([cache.find("a"), cache.find("b")]).toEqual(["a", "bbb"]);
  });

  it("does not keep what is heavier than all it may hold", () => {
    const cache = create(3);
    cache.set("a", "aa");
    cache.set("b", "bbbb");
    expect([cache.find("a"), cache.find("b")]).toEqual(["aa", undefined]);
  });
});
