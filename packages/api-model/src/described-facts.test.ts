import { describe, expect, it } from "vitest";
import { saysByChance, saysExcerpt } from "./described-facts.ts";

describe("saysExcerpt", () => {
  it.each(["The main ones only", "His three best known", "The latest comments. All are on other pages."])(
    "is true of %s",
    (text) => {
      expect(saysExcerpt([undefined, text])).toBe(true);
    },
  );

  it.each([
    undefined,
    null,
    "",
    "All comments",
    "Comments, newest first",
    "Hashes, only present where verbose is true",
    "Inputs of the transaction. The first one is the coinbase.",
  ])("is false of %s", (text) => {
    expect(saysExcerpt([text])).toBe(false);
  });
});

describe("saysByChance", () => {
  it.each(["Chosen by chance", "Returns randomly chosen products."])("is true of %s", (text) => {
    expect(saysByChance([text])).toBe(true);
  });

  it.each([undefined, "All products", "The balance after the exchange"])("is false of %s", (text) => {
    expect(saysByChance([text])).toBe(false);
  });
});
