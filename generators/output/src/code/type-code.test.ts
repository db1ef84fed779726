import { describe, expect, it } from "vitest";
import { renderCode } from "./code.ts";
import { genericType, namedType, objectType, unionType } from "./type-code.ts";

const object = (name: string) => objectType([{ name, type: namedType("string") }], undefined);
const printed = (...parameters: Parameters<typeof genericType>[1]): string =>
  renderCode(genericType("Box", parameters).code);

describe("a generic type", () => {
  it("stands on one line where it fits", () => {
    expect(printed(namedType('"a"'), unionType([namedType("B"), namedType("C")]))).toBe('Box<"a", B | C>');
  });

  it("keeps the braces of its only parameter", () => {
    expect(printed(object("a"))).toBe("Box<{\n  readonly a: string;\n}>");
  });

  it("puts the members of a union below one another", () => {
    const union = unionType([object("a"), namedType("B")]);
    const members = "  | {\n      readonly a: string;\n    }\n  | B\n";
    expect(printed(union)).toBe(`Box<\n${members}>`);
    expect(printed(namedType("1"), union)).toBe(`Box<\n  1,\n${members}>`);
  });
});
