import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResponseCache, sizeOf } from "./response-cache.ts";

function createClockedCache(maximumBytes = 100_000) {
  const clock = { time: 0 };
  return { clock, cache: new ResponseCache({ maximumBytes, headMilliseconds: 1_000, now: () => clock.time }) };
}

describe("the cache of responses", () => {
  it("keeps what a hash names through every change of the chain", () => {
    const { cache, clock } = createClockedCache();
    cache.keep("a", "hash", "00", cache.moment);
    cache.changeHead(false);
    cache.changeHead(true);
    clock.time = 1e9;
    expect(cache.find("a")?.response).toBe("00");
  });

  it("keeps what is buried until a reorganisation", () => {
    const { cache } = createClockedCache();
    cache.keep("a", "buried", "00", cache.moment);
    cache.changeHead(false);
    expect(cache.find("a")?.response).toBe("00");
    cache.changeHead(true);
    expect(cache.find("a")).toBeUndefined();
  });

  it("keeps what depends on the head until that changes, and never long", () => {
    const { cache, clock } = createClockedCache();
    cache.keep("a", "head", null, cache.moment);
    clock.time = 1_000;
    expect(cache.find("a")).toMatchObject({ response: null });
    clock.time = 1_001;
    expect(cache.find("a")).toBeUndefined();
    expect(cache.bytes).toBe(0);
    cache.keep("a", "head", 1, cache.moment);
    cache.changeHead(false);
    expect(cache.find("a")).toBeUndefined();
  });

  it("keeps that for a second where nothing else is said", () => {
    let now = 0;
    const cache = new ResponseCache({ maximumBytes: 100_000, now: () => now });
    cache.keep("a", "head", 1, cache.moment);
    now = 1_000;
    expect(cache.find("a")).toMatchObject({ response: 1 });
    now = 1_001;
    expect(cache.find("a")).toBeUndefined();
    const clocked = new ResponseCache({ maximumBytes: 100_000 });
    clocked.keep("a", "head", 1, clocked.moment);
    expect(clocked.find("a")).toMatchObject({ response: 1 });
  });

  it("does not keep what was asked of another chain", () => {
    const { cache } = createClockedCache();
    const { moment } = cache;
    cache.changeHead(true);
    for (const finality of ["head", "buried"] as const) cache.keep(finality, finality, 1, moment);
    expect([cache.find("head"), cache.find("buried")]).toEqual([undefined, undefined]);
    cache.keep("hash", "hash", 1, moment);
    expect(cache.find("hash")?.response).toBe(1);
    const later = cache.moment;
    cache.changeHead(false);
    cache.keep("head", "head", 1, later);
    expect(cache.find("head")).toBeUndefined();
    cache.keep("buried", "buried", 1, later);
    expect(cache.find("buried")?.response).toBe(1);
  });

  it("stays within its bound, and keeps nothing that is a large part of it", () => {
    const { cache } = createClockedCache(10_000);
    cache.keep("large", "hash", "x".repeat(2_000), cache.moment);
    expect(cache.find("large")).toBeUndefined();
    for (let each = 0; each < 100; each += 1) cache.keep(String(each), "hash", "x".repeat(500), cache.moment);
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    expect(cache.find("99")).toBeDefined();
    expect(cache.find("0")).toBeUndefined();
  });

  it("keeps what is an eighth of it, its key included, and not more", () => {
    const { cache } = createClockedCache(8_000);
    // 200 for the entry, two for each unit of the key, 16 and the text.
    cache.keep("ab", "hash", "x".repeat(1_000 - 200 - 4 - 16), cache.moment);
    expect([cache.find("ab"), cache.bytes]).toEqual([expect.anything(), 1_000]);
    cache.keep("abc", "hash", "x".repeat(1_000 - 200 - 4 - 16), cache.moment);
    expect(cache.find("abc")).toBeUndefined();
  });

  it.each([
    [null, 8],
    [true, 8],
    [1.5, 8],
    ["", 16],
    ["abc", 19],
    ["x".repeat(101), 117],
    [`${"x".repeat(100)}\u20ac`, 218],
    [[], 32],
    [{}, 32],
    [[1, "a"], 32 + 2 * 8 + 8 + 17],
    [{ ab: 1, c: [] }, 32 + 10 + 8 + 9 + 32],
  ])("counts %j as %i bytes", (value, bytes) => expect(sizeOf(value, 1_000)).toBe(bytes));

  it("counts at least the texts of a response, and no further than it has to", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const texts = [...JSON.stringify(value).matchAll(/"([a-z0-9]*)"/gi)].reduce(
          (sum, [, text = ""]) => sum + text.length,
          0,
        );
        expect(sizeOf(value, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(texts);
      }),
    );
    const list = Array.from({ length: 1_000 }, () => "x");
    Object.defineProperty(list, 999, { enumerable: true, get: () => expect.unreachable("it is not looked at") });
    expect(sizeOf(list, 1_000)).toBeGreaterThan(1_000);
  });
});
