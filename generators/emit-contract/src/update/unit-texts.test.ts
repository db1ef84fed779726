import { describe, expect, it } from "vitest";
import { unitTexts } from "./unit-texts.ts";

const group = (texts: readonly string[], isClose = false) => ({
  isClose,
  units: texts.map(({ length }) => ({ unit: { length, requests: [], helpers: [], mentions: [] } })),
});

describe("the texts of units in a file", () => {
  const constants = ["const a = 1;", "const bb = 2;"];
  const types = ["function one() {}", "function three() {}"];
  const parts = ["function part() {\n\n}"];
  const helpers = "function helper() {}";
  const head = "// head\n\nimport x;";

  it.each<[string, readonly string[], readonly string[], readonly string[], string]>([
    ["all groups", constants, types, parts, helpers],
    ["no helpers", constants, types, parts, ""],
    ["no constants", [], types, parts, helpers],
    ["no parts", constants, types, [], helpers],
    ["types alone", [], types, [], ""],
    ["constants alone", constants, [], [], ""],
    ["one constant", constants.slice(1), types, parts, helpers],
    ["one that is left out", ["", ...constants, ""], ["", ...types], ["", ...parts], helpers],
    ["constants that are left out", ["", ""], types, parts, helpers],
  ])("are found from its end: %s", (_, ofConstants, ofTypes, ofParts, last) => {
    const printed = (texts: readonly string[], between: string) => texts.filter((text) => text !== "").join(between);
    const blocks = [head, printed(ofConstants, "\n"), printed(ofTypes, "\n\n"), printed(ofParts, "\n\n"), last];
    const text = `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
    const groups = [group(ofConstants, true), group(ofTypes), group(ofParts)];
    expect(unitTexts(text, groups, last.length)).toEqual([ofConstants, ofTypes, ofParts]);
  });

  it("are not found in a file that is shorter", () => {
    const groups = [group(types)];
    const text = `${types.join("\n\n")}\n`;
    expect(unitTexts(text, groups, 0)).toEqual([types]);
    expect(unitTexts(text.slice(1), groups, 0)).toBeUndefined();
    expect(unitTexts(`${text.slice(0, -1)}\n\n${helpers}\n`, groups, helpers.length)).toEqual([types]);
    expect(unitTexts(text, groups, helpers.length)).toBeUndefined();
    expect(unitTexts("", [group([])], 0)).toEqual([[]]);
    expect(unitTexts("", [], 0)).toEqual([]);
  });
});
