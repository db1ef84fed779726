import type { SourceDeclaration } from "@nodewright/output";
import { describe, expect, it } from "vitest";
import { usedDeclarations } from "./used-declarations.ts";

function declared(name: string, body: string, isExported = false): SourceDeclaration {
  return { kind: "function", name, isExported, parameters: [], returns: "boolean", body };
}

describe("declarations that are used", () => {
  it("are the exported ones and what they lead to", () => {
    const constant: SourceDeclaration = {
      kind: "constant",
      name: "idPattern",
      isExported: false,
      value: 'pattern("^a")',
    };
    const declarations = [
      constant,
      declared("isPage", "return isItem(value);", true),
      declared("isItem", "return idPattern.test(value) || isItem(value);"),
      declared("isOther", "return isMore(value);"),
      declared("isMore", "return isOther(value);"),
    ];
    const { declarations: left, words } = usedDeclarations(declarations);
    expect(left).toEqual(declarations.slice(0, 3));
    expect(words.has("pattern")).toBe(true);
    expect(words.has("isMore")).toBe(false);
  });
});
