import { expect, test } from "vitest";
import { declarationOf, resolveType } from "./model-declarations.ts";
import type { TypeDeclaration, TypeNode } from "./type-node.ts";

const text: TypeNode = { kind: "string" };
const reference = (target: string): TypeNode => ({ kind: "reference", target });
const declared = (name: string, type: TypeNode): TypeDeclaration => ({
  name,
  originalName: name,
  role: "value",
  type,
  implements: [],
});
const model = {
  declarations: [declared("A", reference("B")), declared("B", reference("C")), declared("C", text)],
};

test("a declaration is found by its name, or named where there is none", () => {
  expect(declarationOf(model, "B")).toBe(model.declarations[1]);
  expect(declarationOf(model, "C")).toBe(model.declarations[2]);
  expect(() => declarationOf(model, "b")).toThrow('The model has no "b"');
  expect(() => declarationOf({ declarations: [] }, "A")).toThrow('The model has no "A"');
});

test("a reference is followed to what is no reference", () => {
  expect(["A", "B", "C"].map((name) => resolveType(reference(name), model))).toEqual([text, text, text]);
  expect(resolveType(text, model)).toBe(text);
});

test("a circle of references ends", () => {
  const circle = { declarations: [declared("A", reference("B")), declared("B", reference("A"))] };
  expect(resolveType(reference("A"), circle).kind).toBe("reference");
});
