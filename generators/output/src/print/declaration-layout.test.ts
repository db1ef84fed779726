import { describe, expect, it } from "vitest";
import { allShapes, fillLayout, shapeName } from "./declaration-layout.ts";
import { layoutTexts } from "./declaration-layouts.ts";
import { layOut } from "../testing/lay-out.ts";

describe("layouts of declarations", () => {
  it("are what ts-morph gives, for every shape", () => {
    const given = Object.fromEntries(allShapes().map((shape) => [shapeName(shape), layOut(shape)]));
    expect(layoutTexts).toEqual(given);
  });

  it("take texts into their holes, whatever these hold", () => {
    const texts = { comment: "/** $& ⟨name⟩ */", name: "Price", type: '"$1" | "⟨comment⟩"' };
    expect(fillLayout({ kind: "type", hasComment: true }, texts)).toBe(
      '/** $& ⟨name⟩ */\nexport type Price = "$1" | "⟨comment⟩";',
    );
  });

  it("leave no space in front of a text that begins with a new line", () => {
    const texts = { name: "Price", type: "\n  | A\n  | B" };
    expect(fillLayout({ kind: "type", hasComment: false }, texts)).toBe("export type Price =\n  | A\n  | B;");
  });
});
