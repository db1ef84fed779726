import { describe, expect, it } from "vitest";
import { OpaqueTexts } from "./opaque-texts.ts";

describe("OpaqueTexts", () => {
  it("puts each text back where its identifier stands", () => {
    const opaque = new OpaqueTexts();
    const [first, second] = [opaque.put("one"), opaque.put("{\n  two,\n\n}", "  ")];
    expect(opaque.restore(`a = ${second};\nb = ${first}`)).toBe("a = {\n    two,\n\n  };\nb = one");
  });

  it("leaves no space in front of a text that begins with a new line", () => {
    const opaque = new OpaqueTexts();
    expect(opaque.restore(`type A = ${opaque.put("\n  | B")};`)).toBe("type A =\n  | B;");
  });

  it("takes no text of a document for an identifier of its own", () => {
    const opaque = new OpaqueTexts();
    const other = new OpaqueTexts().put("other");
    expect(opaque.restore(`${opaque.put(other)} ${other}`)).toBe(`${other} ${other}`);
  });
});
