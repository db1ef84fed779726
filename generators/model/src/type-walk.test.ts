import fastCheck from "fast-check";
import { describe, expect, it } from "vitest";
import type { TypeDeclaration, TypeNode } from "./type-node.ts";
import { orderDeclarations, partsOfType, referencesOfType, walkType } from "./type-walk.ts";

const source = { file: "x.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const reference = (target: string): TypeNode => ({ kind: "reference", target, source });
const union = (...members: readonly TypeNode[]): TypeNode => ({ kind: "union", mode: "any-of", members, source });

function declaration(name: string, ...targets: readonly string[]): TypeDeclaration {
  return { name, originalName: name, role: "value", type: union(...targets.map(reference)), implements: [], source };
}

describe("a type", () => {
  it("is walked with everything that it is made of, in document order", () => {
    const text: TypeNode = { kind: "string", source };
    const list: TypeNode = { kind: "list", prefix: [text], element: reference("A"), source };
    const type: TypeNode = {
      kind: "unevaluated",
      base: {
        kind: "conditional",
        condition: list,
        consequence: { kind: "not", type: text, source },
        alternative: text,
        source,
      },
      members: reference("B"),
      source,
    };
    expect([...walkType(type)].map(({ kind }) => kind)).toEqual([
      "unevaluated",
      "conditional",
      "list",
      "string",
      "reference",
      "not",
      "string",
      "string",
      "reference",
    ]);
    expect([...referencesOfType(type)]).toEqual(["A", "B"]);
    expect(partsOfType(text)).toEqual([]);
  });
});

describe("declarations", () => {
  it("are ordered so that each stands behind what it leads to; circles are named", () => {
    const order = orderDeclarations({
      declarations: [
        declaration("Order", "Pet", "Customer"),
        declaration("Pet", "Category"),
        declaration("Customer", "Order"),
        declaration("Tree", "Tree"),
        declaration("Category"),
      ],
    });
    expect(order.declarations.map(({ name }) => name)).toEqual(["Category", "Pet", "Order", "Customer", "Tree"]);
    expect([...order.recursive].toSorted()).toEqual(["Customer", "Order", "Tree"]);
  });

  it("all come out once, and only circles lead forwards", () => {
    const graph = fastCheck.array(fastCheck.array(fastCheck.nat(11), { maxLength: 4 }), {
      minLength: 12,
      maxLength: 12,
    });
    fastCheck.assert(
      fastCheck.property(graph, (targets) => {
        const declarations = targets.map((to, index) => declaration(`T${index}`, ...to.map((target) => `T${target}`)));
        const order = orderDeclarations({ declarations });
        const place = new Map(order.declarations.map(({ name }, index) => [name, index]));
        expect(place.size).toBe(declarations.length);
        for (const { name, type } of order.declarations) {
          for (const target of referencesOfType(type)) {
            const isForward = (place.get(target) ?? 0) >= (place.get(name) ?? 0);
            expect(!isForward || (order.recursive.has(name) && order.recursive.has(target))).toBe(true);
          }
        }
      }),
    );
  });

  it("may lead to each other in a chain of any length", () => {
    const declarations = Array.from({ length: 20_000 }, (_, index) => declaration(`T${index}`, `T${index + 1}`));
    expect(orderDeclarations({ declarations }).declarations[0]?.name).toBe("T19999");
  });
});
