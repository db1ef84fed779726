import { createDiagnosticSink, createDocumentSet, type SourceValue } from "@nodewright/source";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SchemaGraph } from "./schema-graph.ts";

/** A graph of schemas that refer to others from their members. Some have the property, in themselves or in a member. */
interface RandomGraph {
  readonly targets: readonly (readonly number[])[];
  readonly holding: readonly ("nowhere" | "itself" | "member")[];
  readonly questions: readonly number[];
}

const graphs: fc.Arbitrary<RandomGraph> = fc.integer({ min: 1, max: 8 }).chain((size) => {
  const index = fc.nat({ max: size - 1 });
  const each = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
    fc.array(value, { minLength: size, maxLength: size });
  return fc.record({
    targets: each(fc.array(index, { maxLength: 2 })),
    holding: each(fc.constantFrom("nowhere", "nowhere", "nowhere", "itself", "member")),
    questions: fc.array(index, { minLength: 1, maxLength: 10 }),
  });
});

function schemasOf({ targets, holding }: RandomGraph): readonly SourceValue[] {
  const schemas = targets.map((others, index) => ({
    ...(holding[index] === "itself" ? { title: "here" } : {}),
    allOf: [
      { type: "object", ...(holding[index] === "member" ? { title: "here" } : {}) },
      { properties: Object.fromEntries(others.map((other, at) => [at, { $ref: String(other) }])) },
    ],
  }));
  const documents = createDocumentSet("/", createDiagnosticSink());
  documents.register("a.json", JSON.stringify(schemas));
  return documents.read("a.json")?.root.items ?? [];
}

/** Returns whether a node with the property is reachable from a node: a search without a cache. */
function leadsToHolding({ targets, holding }: RandomGraph, start: number): boolean {
  const seen = new Set([start]);
  for (const node of seen) for (const target of targets[node] ?? []) seen.add(target);
  return [...seen].some((node) => holding[node] !== "nowhere");
}

describe("SchemaGraph", () => {
  it("says of every schema whether it leads to one with the quality, whatever was asked before", () => {
    const property = fc.property(graphs, (graph) => {
      const schemas = schemasOf(graph);
      const looks = new Map<string, number>();
      const reader = new SchemaGraph({
        holds: (schema) => {
          looks.set(schema.pointer, (looks.get(schema.pointer) ?? 0) + 1);
          return schema.has("title");
        },
        targets: (schema) => {
          const target = schema.member("$ref")?.string;
          return target === undefined ? [] : schemas.slice(Number(target), Number(target) + 1);
        },
      });
      for (const question of graph.questions) {
        const schema = schemas[question] as SourceValue;
        expect([question, reader.reaches(schema)]).toEqual([question, leadsToHolding(graph, question)]);
      }
      expect([...looks.values()].every((times) => times === 1)).toBe(true);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
