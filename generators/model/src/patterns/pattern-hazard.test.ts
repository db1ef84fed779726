import { describe, expect, it } from "vitest";
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

  it("comes with a text that shows it", () => {
    expect(patternHazard("^(a+)+$")?.attack).toBe(`"${"a".repeat(31)}!"`);
    expect(patternHazard("^a\\s*\\s*$")?.attack).toBe('"a " + " ".repeat(100000) + "!"');
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
    expect(patternHazard(source)).toBeDefined();
  });

  it("looks at patterns of many steps in a few of them", () => {
    const before = process.cpuUsage();
    for (const source of ["^((\\d{3})+;?)*$", "^(?:abcd|abcd)*$", "^(a{7,})+$", "^.*.*.*.*=.*$"]) patternHazard(source);
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
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
