import type { TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { declaration, field, list, model, node, numberNode, record, text, union } from "../testing/type-nodes.ts";
import { emitValidators } from "../validators/emit-validators.ts";
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

describe("structures that grow", () => {
  const inner = record([field("a", text)]);
  const outer = list(inner);

  it("count the places where each stands, and the nodes in it", () => {
    const structures = findStructures([outer, inner, text]);
    const found = [outer, inner, text].map((type) => structures.find(type));
    // A known type counts once more, without its parts; the additional members of a record are a part of it.
    expect(found.map((each) => [each?.places, each?.weight])).toEqual([
      [1, 4],
      [2, 3],
      [2, 1],
    ]);
    expect(structures.find(numberNode())).toBeUndefined();
  });

  it("are the same ones where they go on from what is settled", () => {
    const first = findStructures([outer]);
    const { settled } = first;
    expect(settled.keys).toHaveLength(4);
    expect(settled.weights).toEqual(settled.keys.map((_, id) => [1, 1, 3, 4][id]));
    const other = list(text);
    const second = findStructures([{ ...outer }, other], JSON.parse(JSON.stringify(settled)) as typeof settled);
    expect(second.find(other)).toEqual({ id: 4, weight: 2, places: 1 });
    const again = findStructures([other, list(record([field("a", text)]))], settled);
    expect(again.find(other)?.id).toBe(4);
    expect(again.settled.keys.slice(0, 4)).toEqual(settled.keys);
    expect(again.settled.places).toEqual([3, 2, 2, 2, 1]);
    expect(again.settled.weights).toEqual([...settled.weights, 2]);
  });

  it("differ by the names and values of a document, and not by what says nothing about values", () => {
    const differ = (left: TypeNode, right: TypeNode): boolean => {
      const structures = findStructures([left, right]);
      return structures.find(left) !== structures.find(right);
    };
    const tagged = (mapping: Readonly<Record<string, string>>): TypeNode =>
      ({ ...union(inner, text), discriminator: { property: "kind", mapping } }) as TypeNode;
    expect(differ(tagged({ a: "A" }), tagged({ a: "B" }))).toBe(true);
    expect(differ(tagged({ kind: "A" }), tagged({ kind: "A" }))).toBe(false);
    expect(
      differ(
        node({ kind: "enumeration", values: [{ source: 1 }] }),
        node({ kind: "enumeration", values: [{ source: 2 }] }),
      ),
    ).toBe(true);
    expect(differ(node({ kind: "string", minLength: 1 }), node({ kind: "string", maxLength: 1 }))).toBe(true);
    expect(differ(node({ kind: "string", pattern: "a" }), node({ kind: "string", format: "a" }))).toBe(true);
    for (const silent of ["source", "documentation", "default", "defaultSource", "access", "arguments"])
      expect(differ(text, { ...text, [silent]: { other: true } } as TypeNode), silent).toBe(false);
    expect(differ(text, { ...text, pattern: undefined } as never)).toBe(false);
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
