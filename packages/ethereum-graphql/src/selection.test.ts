import { type FieldNode, type FragmentDefinitionNode, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { Selection } from "./selection.ts";

/** The selection below the first field of a query. */
function read(text: string, variableValues: Readonly<Record<string, unknown>> = {}): Selection {
  const { definitions } = parse(text);
  const fragments = Object.fromEntries(
    definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === "FragmentDefinition")
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const operation = definitions.find((definition) => definition.kind === "OperationDefinition");
  const fieldNodes = operation?.selectionSet.selections as readonly FieldNode[];
  return Selection.of({ fieldNodes, fragments, variableValues });
}

describe("a selection", () => {
  it("has the fields that are asked for, by their names and not their aliases", () => {
    const selection = read("{ block { alias: number hash __typename } }");
    expect(["number", "hash", "alias", "__typename", "gasUsed"].map((name) => selection.has(name))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(selection.hasOther(new Set(["number", "hash"]))).toBe(false);
    expect(selection.hasOther(new Set(["number"]))).toBe(true);
    expect(selection.hasAny(new Set(["gasUsed", "hash"]))).toBe(true);
  });

  it("looks into fragments, each once, and into inline fragments", () => {
    const selection = read(
      "{ block { ...a ... on Block { gasUsed } ... { nonce } } } fragment a on Block { number ...b ...b } fragment b on Block { hash }",
    );
    expect(["number", "hash", "gasUsed", "nonce"].every((name) => selection.has(name))).toBe(true);
  });

  it("joins what is asked for below a field in several places", () => {
    const below = read(
      "{ block { a: parent { number } b: parent { hash } ...c } } fragment c on Block { parent { nonce } }",
    ).below("parent");
    expect(["number", "hash", "nonce"].every((name) => below.has(name))).toBe(true);
    expect(read("{ block { number } }").below("parent").hasOther(new Set())).toBe(false);
  });

  it("leaves out what is skipped or not included", () => {
    const text =
      "query ($x: Boolean!) { block { number @skip(if: $x) hash @include(if: $x) ... @include(if: false) { nonce } gasUsed @skip(if: false) } }";
    const names = ["number", "hash", "nonce", "gasUsed"];
    expect(names.filter((name) => read(text, { x: true }).has(name))).toEqual(["hash", "gasUsed"]);
    expect(names.filter((name) => read(text, { x: false }).has(name))).toEqual(["number", "gasUsed"]);
  });
});
