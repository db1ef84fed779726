import type { TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { declaration, field, list, model, node, numberNode, record, text, union } from "../testing/type-nodes.ts";
import { emitValidators } from "./emit-validators.ts";
import { findStructures } from "./structure.ts";

function person(facts: Partial<TypeNode> = {}): TypeNode {
  const names = ["first", "middle", "last", "street", "town", "country"];
  return { ...record(names.map((name) => field(name, text))), ...facts } as TypeNode;
}

describe("structures", () => {
  it("are equal where types assert the same, however they are documented", () => {
    const [left, right] = [person(), person({ documentation: { summary: "Somebody" }, default: {} })];
    const structures = findStructures([left, right]);
    expect(structures.find(left)).toBe(structures.find(right));
    expect(structures.find(left)).toMatchObject({ places: 2, weight: 8 });
  });

  it.each([
    [numberNode({ minimum: 1 }), numberNode({ minimum: 1n })],
    [node({ kind: "enumeration", values: ["1"] }), node({ kind: "enumeration", values: [1] })],
    [record([field("a", text)]), record([field("a", text, false)])],
    [list(text), list(text, { minItems: 1 })],
    [union(text, node({ kind: "null" })), union(node({ kind: "null" }), text)],
  ])("differ where types do", (left, right) => {
    const structures = findStructures([left, right]);
    expect(structures.find(left)).not.toBe(structures.find(right));
  });
});

describe("validators", () => {
  it("look at equal parts with one function, and with the exported one where there is one", () => {
    const order = (name: string): ReturnType<typeof declaration> =>
      declaration(name, record([field(`buyerOf${name}`, person()), field(`sellerOf${name}`, person())]));
    const parts = emitValidators(model([order("Sale"), order("Rent")])).text;
    expect(parts.match(/"middle"/g)).toHaveLength(2);
    const exported = emitValidators(model([order("Sale"), declaration("Person", person())])).text;
    expect(exported).toContain("if (!isPerson(buyerOfSale)) return false;");
    expect(exported.match(/"middle"/g)).toHaveLength(2);
  });
});
