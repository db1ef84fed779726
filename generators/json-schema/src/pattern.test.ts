import type { SourceRange } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { readPattern } from "./pattern.ts";

const place: SourceRange = { file: "a.json", line: 1, column: 1, start: 0, end: 1, pointer: "/pattern" };

/** Returns the pattern as read, and the diagnostics about it. */
function read(pattern: string, maxLength?: number) {
  const reports: (readonly [code: string, source: SourceRange, facts: object])[] = [];
  const report: Parameters<typeof readPattern>[2] = (code, source, facts) => reports.push([code, source, facts]);
  const result = readPattern(pattern, () => place, report, maxLength);
  return { result, reports };
}

describe("readPattern", () => {
  it.each([
    ["^a+$", "^a+$"],
    ["", ""],
    ["\\d{2}-\\p{L}", "\\d{2}-\\p{L}"],
    ["\\@a\\_", "@a_"],
    ["\\@\\-", "@-"],
    ["\\@[\\-a\\_]\\-", "@[\\-a_]-"],
    ["[\\]\\-]\\-\\@", "[\\]\\-]-@"],
    ["\\[\\-\\@", "\\[-@"],
    ["\\ä\\😀", "ä😀"],
    ["\\\\\\@", "\\\\@"],
    ["\\@\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/", "@\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/"],
    ["\\@\\w\\D\\b\\0", "@\\w\\D\\b\\0"],
    ["\\@\n\\:", "@\n:"],
    ["(?i)abc", "(?i:abc)"],
    ["^(?i)abc$", "^(?i:abc$)"],
    ["(?i)a\nb", "(?i:a\nb)"],
    ["^(?i)\\@$", "^(?i:@$)"],
  ])("%j becomes %j", (pattern, expected) => {
    expect(read(pattern)).toEqual({ result: expected, reports: [] });
    expect(() => new RegExp(expected, "u")).not.toThrow();
  });

  it.each([
    ["[", "/[/u: Unterminated character class"],
    ["(", "/(/u: Unterminated group"],
    ["a**", "/a**/u: Nothing to repeat"],
    ["\\@[", "/\\@[/u: Invalid escape"],
    ["a(?i)b", "/a(?i)b/u: Invalid group"],
    ["\\y", "/\\y/u: Invalid escape"],
  ])("reports what is wrong with %j", (pattern, problem) => {
    const expected = { result: undefined, reports: [["invalid-pattern", place, { problem }]] };
    expect(read(pattern)).toEqual(expected);
    // Repeated for another place.
    expect(read(pattern)).toEqual(expected);
  });

  it("reports nothing where there is no place", () => {
    const report = (): void => {
      throw new Error("reported");
    };
    expect(readPattern("[", () => undefined, report)).toBeUndefined();
    expect(readPattern("^(a+)+$", () => undefined, report)).toBe("^(a+)+$");
  });

  it.each<[string, number | undefined, string | undefined]>([
    ["^(a+)+$", undefined, "exponential"],
    ["^(a+)+$", 10, "exponential"],
    ["^a*a*$", undefined, "polynomial"],
    ["^a*a*$", 1001, "polynomial"],
    ["^a*a*$", 1000, undefined],
    ["^\\@(a+)+$", undefined, "exponential"],
    ["^a*$", undefined, undefined],
  ])("warns of what %s costs for texts up to %s characters: %s", (pattern, maxLength, growth) => {
    const { result, reports } = read(pattern, maxLength);
    expect(result).toBe(pattern.replace("\\@", "@"));
    const facts = { growth, attack: expect.stringContaining("a") as string, linear: "it in linear time" };
    expect(reports).toEqual(growth === undefined ? [] : [["costly-pattern", place, facts]]);
  });

  it("says what becomes of back-references where a pattern is costly", () => {
    const { reports } = read("^(a+)+\\1$");
    expect(reports).toMatchObject([
      [
        "costly-pattern",
        place,
        { linear: "it in linear time, and may take any text of the group for a back-reference" },
      ],
    ]);
  });
});
