import { parsePattern } from "@nodewright/runtime/patterns";
import { describe, expect, it } from "vitest";
import { countSteps } from "./counting-matcher.ts";
import { patternHazard } from "./pattern-hazard.ts";

describe("the hazard of a pattern", () => {
  it.each([
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|ab|b)*$",
    "^([a-zA-Z0-9]+\\s?)*$",
    "^(\\d+|\\d+\\.\\d+)*$",
    "(x+x+)+y",
    "^(a?){50}a{50}$",
    "^((\\d{3})+,?)*$",
    "^(?:abc|abc)*$",
    "^(([A-Za-z0-9+/]{4})+\\s?)*$",
    "^([a-z]{8,}\\s?)*$",
    "^(a{6,})+$",
    "^(?:a?){50}$",
    "^(a+)+(?:$|[^]$)",
    "^\\w+([.-]?\\w+)*@\\w+([.-]?\\w+)*(\\.\\w{2,3})+$",
    // The polynomial part is slow before the exponential part is reached.
    "^\\s*\\s*(a+)+$",
    "^.*.*.*(?:b|b)*$",
    // A part that matches any few characters follows the slow part.
    `^(?:a|a)*${"[^]?".repeat(11)}$`,
    `^(?:a|a)*${"[^]?".repeat(25)}$`,
    `^(?:a|a)*${"[^]?".repeat(25)}!*$`,
    // The repeated character is the last code unit, or a space that is neither named nor next to a named one.
    "^\\uffff(?:\\uffff+)+$",
    "^(?:[^\\S\\t-\\r \\xa0\\u1680\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+)+$",
    "^(?:[^\\S\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff]+)+$",
    "^(?:[^\\S\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+)+$",
  ])("%s is exponential", (source) => {
    expect(patternHazard(source)?.growth).toBe("exponential");
  });

  it.each([
    "\\s+$",
    "[a-z]+$",
    "^.*a.*b.*$",
    "^.+@.+$",
    "^(?:a(?=.*b))*$",
    "(?<=a+)b",
    "[A-Za-z0-9]+:[0-9]+",
    "^(\\w+)\\1$",
    "^.*.*.*=.*$",
  ])("%s is polynomial", (source) => {
    expect(patternHazard(source)?.growth).toBe("polynomial");
  });

  it.each([
    "",
    "a",
    "^[a-z]+$",
    "[a-z]+",
    "^[a-z]+(-[a-z]+)*$",
    "^([^:]+:)*x$",
    "^[0-9]{4}-[0-9]{2}$",
    "^[a-z]{1,255}[a-z0-9]{0,255}$",
    "^(?=.*\\d)(?=.*[a-z]).*$",
    "^(?!.*\\.\\.).+$",
    "^(\\w)\\1+$",
    "^[\\p{L}\\d]+(?:-[\\p{L}\\d]+)*$",
    "^(a+)+",
    "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$",
  ])("%s has none", (source) => {
    expect(patternHazard(source)).toBeUndefined();
  });

  it.each<[string, string | undefined]>([
    ["^a{0,315}a{0,315}$", undefined],
    ["^a{0,316}a{0,316}$", "polynomial"],
    ["a{1,1000}b", undefined],
    ["a{1,1001}b", "polynomial"],
  ])("of %s, whose bounds are near what is harmless, is %s", (source, growth) => {
    expect(patternHazard(source)?.growth).toBe(growth);
  });

  it.each([
    "^(a+)+$",
    "^(?:xyz)(?:ab|ab)*$",
    "^(a+)+(?:$|[^]$)",
    "^(?:a|a)*(?:[^]?){3}$",
    "^(?:a|a)*[^]{0,12}$",
    "^([a-z]+\\n?)*[a-z!\\n]$",
  ])("of %s is shown by a text of few characters", (source) => {
    const attack = JSON.parse(patternHazard(source)?.attack ?? "") as string;
    expect(attack.length).toBeLessThan(200);
    expect(countSteps(parsePattern(source), attack, 30_000)).toBe(30_000);
  });

  it.each([
    ["\\s+$", '"a" + " ".repeat(100000) + "!"'],
    ["^.*a.*b.*$", '"a" + "aa".repeat(50000)'],
    ["^a\\s*\\s*$", '"a " + " ".repeat(100000) + "!"'],
  ])("of %s is shown by a repeated text: %s", (source, attack) => {
    expect(patternHazard(source)?.attack).toBe(attack);
  });

  it.each([
    ["^(a+)+\\1$", true],
    ["^(?:(a)\\1|(?:b+)+)$", true],
    ["^(a+)+$", false],
  ])("of %s says whether the pattern refers back to a group: %s", (source, hasBackReference) => {
    expect(patternHazard(source)?.hasBackReference).toBe(hasBackReference);
  });

  it("is that of the pattern with its flags", () => {
    expect(patternHazard("^(?:\\u{2}+)+$", "u")?.growth).toBe("exponential");
    expect(patternHazard("^(?:\\u{2})+$", "u")).toBeUndefined();
    expect(patternHazard("^(?:\\u{2}|uu)+$", "")?.growth).toBe("exponential");
    expect(patternHazard("^(?:\\u{2}|uu)+$", "u")).toBeUndefined();
  });

  it("comes with a text that shows it", () => {
    expect(patternHazard("^(a+)+$")?.attack).toBe(`"${"a".repeat(31)}!"`);
  });

  it.each([
    "^[0-9a-f]{8}-([a-z]+\\s?)*$",
    "^(?=.*\\d)(\\w+\\s?)*$",
    "^(?:a+\\b\\s?)*x$",
    "^(\\p{Script=Thai}+)+$",
    "^(?:[a\\p{Script=Thai}]|[b\\p{Script=Thai}])*$",
    "^(?:[\\u{1F600}-\\u{1F64F}]+)+$",
    "^(?:(?i:ω)|Ω)*$",
    "^(?:abcdefghijklmnopqrstuvwxyz012345)?(?:_+)+$",
  ])("%s is not left to an engine", (source) => {
    const hazard = patternHazard(source);
    expect(hazard).toBeDefined();
    // Growth without an attack is unknown.
    expect(hazard?.growth === "unknown").toBe(hazard?.attack === undefined);
  });

  it("looks at patterns of many steps in a few of them", () => {
    const before = process.cpuUsage();
    for (const source of ["^((\\d{3})+;?)*$", "^(?:abcd|abcd)*$", "^(a{7,})+$", "^.*.*.*.*=.*$"]) patternHazard(source);
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });

  it("is unknown for a pattern that is too large to be analysed", () => {
    const source = `^(?:${Array.from({ length: 200 }, (_, index) => `[a-z]x${index}`).join("|")})*$`;
    expect(patternHazard(source)).toEqual({ growth: "unknown", attack: undefined, hasBackReference: false });
  });

  it("notes back-references", () => {
    expect(patternHazard("^(\\w+)\\1$")?.hasBackReference).toBe(true);
    expect(patternHazard("^(a+)+$")?.hasBackReference).toBe(false);
  });
});
