import type { TypeDeclaration } from "@nodewright/model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findReferenceProblems, maximumReferenceChain } from "./reference-problems.ts";
import { readSchemas } from "./testing/read-schemas.ts";

const source = { file: "a.json", line: 1, column: 1, start: 0, end: 0, pointer: "" };

/** Returns declarations that are intersections of references to others. */
function declarationsOf(targets: Readonly<Record<string, readonly string[]>>): readonly TypeDeclaration[] {
  return Object.entries(targets).map(([name, others]) => ({
    name,
    originalName: name,
    role: "value",
    implements: [],
    source,
    type: {
      kind: "intersection",
      members: others.map((target) => ({ kind: "reference", target, source })),
      source,
    },
  }));
}

function problemsOf(targets: Readonly<Record<string, readonly string[]>>) {
  const { endless, tooDeep } = findReferenceProblems(declarationsOf(targets));
  return { endless: endless.map(({ target }) => target), tooDeep: tooDeep.map(({ name }) => name) };
}

/** Returns a chain of names: each refers to the next, and the last to nothing. */
function chain(length: number, prefix = "A"): Record<string, readonly string[]> {
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [`${prefix}${index}`, index + 1 < length ? [`${prefix}${index + 1}`] : []]),
  );
}

describe("findReferenceProblems", () => {
  it.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
    ["nothing", {}, []],
    ["a tree", { A: ["B", "C"], B: ["D"], C: ["D"], D: [] }, []],
    ["a reference to nothing known", { A: ["Z"] }, []],
    ["a schema that is itself", { A: ["A"] }, ["A"]],
    ["a circle of three", { A: ["B"], B: ["C"], C: ["A"] }, ["B", "C", "A"]],
    ["what leads into a circle", { A: ["B"], B: ["C"], C: ["B"], D: ["A"] }, ["C", "B"]],
    ["what leads out of a circle", { A: ["B", "D"], B: ["A"], D: [] }, ["B", "A"]],
    ["two circles one after the other", { A: ["B", "C"], B: ["A"], C: ["D"], D: ["C"] }, ["B", "A", "D", "C"]],
    ["two circles with a schema in common", { A: ["B", "C"], B: ["A"], C: ["A"] }, ["B", "C", "A", "A"]],
    ["a circle that is met again", { A: ["B"], B: ["A"], C: ["B"], D: ["C", "A"] }, ["B", "A"]],
  ])("finds the references of circles in %s", (_what, targets, endless) => {
    expect(problemsOf(targets)).toEqual({ endless, tooDeep: [] });
  });

  it("finds a circle wherever one can go from a reference back to where it stands", () => {
    const property = fc.property(
      fc.array(fc.array(fc.nat({ max: 6 }), { maxLength: 3 }), { minLength: 7, maxLength: 7 }),
      (targets) => {
        const named = Object.fromEntries(targets.map((others, index) => [`N${index}`, others.map((one) => `N${one}`)]));
        const leads = (from: string, to: string): boolean => {
          const seen = new Set([from]);
          for (const node of seen) for (const target of named[node] ?? []) seen.add(target);
          return seen.has(to);
        };
        const expected = Object.entries(named).flatMap(([name, others]) => others.filter((one) => leads(one, name)));
        expect(problemsOf(named).endless).toEqual(expected);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it("allows a chain up to a length, and names the schema from which it is longer", () => {
    expect(problemsOf(chain(maximumReferenceChain)).tooDeep).toEqual([]);
    expect(problemsOf(chain(maximumReferenceChain + 1)).tooDeep).toEqual(["A0"]);
    expect(problemsOf(chain(maximumReferenceChain + 3)).tooDeep).toEqual(["A2"]);
  });

  it("counts the longest of several chains, in whatever order they are met", () => {
    const long = chain(maximumReferenceChain);
    for (const first of [
      ["B", "A0"],
      ["A0", "B"],
    ])
      expect(problemsOf({ First: first, B: [], ...long }).tooDeep).toEqual(["First"]);
    expect(problemsOf({ ...long, B: ["A0"], First: ["A500", "B"], Other: ["A500"] }).tooDeep).toEqual(["B"]);
  });

  it("says nothing of long chains where something has no end", () => {
    const problems = problemsOf({ ...chain(maximumReferenceChain + 1), B: ["B"] });
    expect(problems).toEqual({ endless: ["B"], tooDeep: [] });
  });

  const itself = { $ref: "#/components/A" };
  const conditional = (keyword: string): object =>
    JSON.parse(`{"if": true, "${keyword}": {"$ref": "#/components/A"}}`) as object;

  it.each<[string, object, number]>([
    ["anyOf", { anyOf: [{ type: "string" }, itself] }, 1],
    ["oneOf", { oneOf: [itself, itself] }, 2],
    ["allOf", { allOf: [itself] }, 1],
    ["not", { not: itself }, 1],
    ["if", { if: itself }, 1],
    ["then", conditional("then"), 1],
    ["else", conditional("else"), 1],
    ["dependentSchemas", { type: "object", dependentSchemas: { a: itself } }, 1],
    ["unevaluatedItems beside it", { ...itself, unevaluatedItems: true }, 1],
    ["items", { type: "array", items: itself }, 0],
    ["prefixItems", { type: "array", prefixItems: [itself] }, 0],
    ["properties", { type: "object", properties: { a: itself } }, 0],
    ["patternProperties", { type: "object", patternProperties: { a: itself } }, 0],
    ["additionalProperties", { type: "object", additionalProperties: itself }, 0],
    ["propertyNames", { type: "object", propertyNames: itself }, 0],
    ["unevaluatedItems", { unevaluatedItems: itself }, 0],
    ["dependentRequired", { type: "object", dependentRequired: { a: ["A"] } }, 0],
  ])("counts the references of %s that hold for the same value", (_what, A, count) => {
    const { declarations } = readSchemas({ schema: true, components: { A } });
    expect(findReferenceProblems(declarations).endless).toHaveLength(count);
  });
});
