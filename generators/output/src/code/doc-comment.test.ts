import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declarationComment, docComment, lineComment, memberComment } from "./doc-comment.ts";

describe("a doc comment", () => {
  it("stands on one line when it is short, and closes with where it comes from", () => {
    expect(docComment(memberComment({ description: "A hash." }))).toEqual(["/** A hash. */"]);
    expect(
      docComment(declarationComment({ summary: "A block.", description: "Two\n\nparagraphs." }, "#/Block")),
    ).toEqual([
      "/**",
      " * A block.",
      " *",
      " * Two",
      " *",
      " * paragraphs.",
      " *",
      " * @generated from #/Block",
      " */",
    ]);
    expect(docComment(memberComment(undefined))).toEqual([]);
  });

  it("cannot be ended, or be given tags, by what a document says", () => {
    const text = fc.string({
      unit: fc.constantFrom("*", "/", "\\", "\n", "\r", "\u2028", " ", "@", "a", "\u202e"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, text, (description, origin) => {
        const lines = docComment(declarationComment({ description }, origin));
        const whole = lines.join("\n");
        expect(whole.indexOf("*/")).toBe(whole.length - 2);
        expect(whole).not.toMatch(/[\r\u2028\u2029\u202e]/);
        expect(lines.filter((line) => /^\s*(\/\*)?\*+ *@/.test(line))).toHaveLength(1);
      }),
      { seed: 7 },
    );
  });
});

describe("a line comment", () => {
  it("stays on its line", () => {
    expect(lineComment("a\nb\u2028c\rd")).toBe("// a b c d");
  });
});
