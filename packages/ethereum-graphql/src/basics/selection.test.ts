import { type FieldNode, type FragmentDefinitionNode, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { planOnce, Selection, type SelectionInfo } from "./selection.ts";

/** Returns the selection below the first field of a query. */
function read(text: string, variableValues: Readonly<Record<string, unknown>> = {}): Selection {
  return Selection.of(infoOf(text, variableValues));
}

function infoOf(text: string, variableValues: Readonly<Record<string, unknown>> = {}): SelectionInfo {
  const { definitions } = parse(text);
  const fragments = Object.fromEntries(
    definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === "FragmentDefinition")
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const operation = definitions.find((definition) => definition.kind === "OperationDefinition");
  const fieldNodes = operation?.selectionSet.selections as readonly FieldNode[];
  return { fieldNodes, fragments, variableValues };
}

describe("a selection", () => {
  it("has the fields that are requested, by their names and not their aliases", () => {
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

  it("joins what is requested below a field in several places", () => {
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

  it("counts under how many names a field is in the response", () => {
    const text = "{ block { logs { a } x: logs { b } ...f } } fragment f on Block { logs { c } }";
    expect(read(text).countAliases("logs")).toBe(2);
    expect(read(text).countAliases("hash")).toBe(0);
  });
});

describe("a plan", () => {
  function createPlan(): { plan: (info: SelectionInfo) => boolean; made: () => number } {
    let made = 0;
    const plan = planOnce((selection) => {
      made += 1;
      return selection.below("transactions").has("value");
    });
    return { plan, made: () => made };
  }

  it("is made once for all objects with the field, and for all variables that change nothing", () => {
    const { plan, made } = createPlan();
    const info = infoOf("{ block { transactions { value } } }");
    expect([plan(info), plan(info), plan({ ...info, variableValues: { other: 1 } })]).toEqual([true, true, true]);
    expect(made()).toBe(1);
  });

  it("is made for each set of variables that could change it, wherever below it they stand", () => {
    const { plan, made } = createPlan();
    const info = infoOf("query ($x: Boolean!) { block { transactions { value @include(if: $x) } } }", { x: true });
    const other = { ...info, variableValues: { x: false } };
    expect([plan(info), plan(other), plan(info), plan(other)]).toEqual([true, false, true, false]);
    expect(made()).toBe(2);
  });
});
