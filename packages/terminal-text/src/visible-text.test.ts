import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  it.each([
    ["a colour", "\u001b[31mred", "\\u001b[31mred"],
    ["a turned direction", "a\u202egpj.exe", "a\\u202egpj.exe"],
    ["an isolate", "\u2066x\u2069", "\\u2066x\\u2069"],
    ["what nobody sees", "a\u200bb\ufeffc\u00add", "a\\u200bb\\ufeffc\\u00add"],
    ["a line feed", "a\nb\r\tc", "a\\nb\\r\\tc"],
    ["half a character", "a\ud83dx", "a\\ud83dx"],
    ["a tag", "a\u{E0041}", "a\\u{e0041}"],
    ["a control of C1", "\u009b31m", "\\u009b31m"],
  ])("shows %s", (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it("leaves alone what can be read", () => {
    expect(visibleText("Žluťoučký 東京 🐈 {}\\n")).toBe("Žluťoučký 東京 🐈 {}\\n");
  });

  it("lets no control character through, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not come through
        expect(visibleText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
