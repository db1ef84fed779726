import { describe, expect, it } from "vitest";
import { type HelperName, helperNames, helperText } from "./helpers.ts";

const names = new Map(helperNames.map((name) => [name, name]));

function textOf(...used: readonly HelperName[]): string {
  return helperText(new Set(used), names, "Violation").text;
}

function declaredIn(text: string): readonly string[] {
  return [...text.matchAll(/^function (\w+)/gm)].map(([, name = ""]) => name);
}

/** Returns the helpers that a text calls or passes on, once for each occurrence. */
function calledIn(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^function \w+/gm, "");
  return helperNames.filter((name) => new RegExp(`\\b${name}(?:\\(|\\))`).test(code));
}

describe("the functions that validators call", () => {
  it.each(helperNames)("%s stands with those that it calls, and no others", (name) => {
    const text = textOf(name);
    const declared = declaredIn(text);
    expect(new Set(declared).size).toBe(declared.length);
    expect(new Set([...calledIn(text), name])).toEqual(new Set(declared));
    expect(text).not.toMatch(/\b(?:false|undefined)\(/);
    expect(text).toBe(text.trimEnd());
  });

  it("stand once each, whoever calls them", () => {
    expect(declaredIn(textOf(...helperNames)).toSorted()).toEqual(helperNames.toSorted());
    expect(textOf()).toBe("");
  });

  it("have the names that the file leaves them, and the type of violations that it has", () => {
    const { text } = helperText(
      new Set(["isRecord", "noteMembers", "violate"]),
      new Map([...names, ["isRecord", "isRecord2"]]),
      "Violation2",
    );
    expect(declaredIn(text)).toContain("isRecord2");
    expect(text).toContain("Violation2[]");
    expect(text).not.toMatch(/\bisRecord\b|\bViolation\b/);
  });
});
