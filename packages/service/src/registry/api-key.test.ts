import { describe, expect, it } from "vitest";
import { createRandomKey, digestOfKey, maximumKeyLength, prefixOfKey, problemOfKey } from "./api-key.ts";

describe("a random key", () => {
  it("has 256 bits in characters that need no escape in a URL, and is another one each time", () => {
    const keys = [createRandomKey(), createRandomKey()];
    for (const key of keys) {
      expect(key).toMatch(/^nwk_[\w-]{43}$/);
      expect(encodeURIComponent(key)).toBe(key);
      expect(problemOfKey(key)).toBeUndefined();
    }
    expect(keys[0]).not.toBe(keys[1]);
  });

  it("shows its first five characters, and a key that a person chose none", () => {
    const random = "x".repeat(43);
    expect(prefixOfKey(`nwk_${random}`)).toBe("nwk_xxxxx");
    for (const chosen of [`nwk_${random}x`, `nwk_${random.slice(1)}`, `NWK_${random}`, `x${random}nwk`, ""]) {
      expect(prefixOfKey(chosen)).toBe("");
    }
  });
});

it("keeps SHA-256 of a key (FIPS 180-4, example of one block)", () => {
  expect(digestOfKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

describe("a key that a person chose", () => {
  it.each(["k", "a/b", "/k", "!~", "k".repeat(maximumKeyLength)])("may be %s", (key) => {
    expect(problemOfKey(key)).toBeUndefined();
  });

  it.each([
    ["", "a key can't be empty"],
    ["k".repeat(maximumKeyLength + 1), "a key has at most 256 characters"],
    ["a b", "a key has printable ASCII characters without spaces only"],
    [" ab", "a key has printable ASCII characters without spaces only"],
    ["ab\n", "a key has printable ASCII characters without spaces only"],
    ["a\u007f", "a key has printable ASCII characters without spaces only"],
    ["ké", "a key has printable ASCII characters without spaces only"],
    ["k/", "a key can't end with a slash, which some clients append"],
    ["/", "a key can't end with a slash, which some clients append"],
  ])("can't be %j", (key, problem) => {
    expect(problemOfKey(key)).toBe(problem);
  });
});
