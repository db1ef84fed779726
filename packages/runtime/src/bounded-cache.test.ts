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
