import { expect, test } from "vitest";
import { decodeRepeatedly } from "./decoded-text.ts";

test.each([
  ["nothing here", []],
  ["a%2Fb%2fc", ["a/b/c"]],
  ["%E2%82%AC %e2%82%ac", ["€ €"]],
  ["a%252Fb", ["a%2Fb", "a/b"]],
  ["%25%32f", ["%2f", "/"]],
  [String.raw`\u0041\"\\n`, [String.raw`A"\n`, 'A"\n']],
  [String.raw`\\\"`, [String.raw`\"`, '"']],
  ["&amp;lt;&#47;&#x2F;&apos;", ["&lt;//'", "<//'"]],
  ["100 % of %ff, &#9999999; and &nbsp;", []],
])("%j is decoded to %j", (text, levels) => {
  expect(decodeRepeatedly(text).map((level) => level.text)).toEqual([text, ...levels]);
});

test("each code unit has its place in the source, through all levels", () => {
  const source = "key=a%252Fb%F0%9F%98%80.";
  const level = decodeRepeatedly(source).at(-1);
  const written = [..."key=a/b"].map((_, index) => source.slice(level?.starts?.[index], level?.ends?.[index]));
  expect(written).toEqual([..."key=a", "%252F", "b"]);
  expect(level?.text).toBe("key=a/b😀.");
  expect([7, 8, 9].map((index) => source.slice(level?.starts?.[index], level?.ends?.[index]))).toEqual([
    "%F0%9F%98%80",
    "%F0%9F%98%80",
    ".",
  ]);
});

test("what is nested without end is given up", () => {
  expect(decodeRepeatedly(`%${"25".repeat(100)}41`)).toHaveLength(9);
});
