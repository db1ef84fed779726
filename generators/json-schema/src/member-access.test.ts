// OpenAPI 3.1, section 4.8.24: readOnly and writeOnly.
import { createDiagnosticSink, createDocumentSet, type SourceValue } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { MemberAccess } from "./member-access.ts";

/** Returns a schema among others that `$ref` refers to by name. */
function located(schemas: Readonly<Record<string, object>>) {
  const documents = createDocumentSet("/", createDiagnosticSink());
  documents.register("a.json", JSON.stringify(schemas));
  const root = documents.read("a.json")?.root as SourceValue;
  const access = new MemberAccess((schema) => root.member(schema.member("$ref")?.string ?? ""));
  return { access, at: (name: string) => root.member(name) as SourceValue };
}

const readOnly = { readOnly: true };
const writeOnly = { writeOnly: true };

describe("the access to a member", () => {
  it.each<[string, object, string]>([
    ["nothing", {}, "read-write"],
    ["readOnly", readOnly, "read-only"],
    ["writeOnly", writeOnly, "write-only"],
    ["flags that are false", { readOnly: false, writeOnly: false }, "read-write"],
    ["flags that are texts", { readOnly: "true", writeOnly: 1 }, "read-write"],
    ["both", { ...readOnly, ...writeOnly }, "read-only"],
    ["a reference", { $ref: "ReadOnly" }, "read-only"],
    ["a reference to a reference", { $ref: "Link" }, "write-only"],
    ["a reference to itself", { $ref: "Circle" }, "read-write"],
    ["a reference to nothing", { $ref: "Nothing" }, "read-write"],
    ["a part", { allOf: [{}, writeOnly] }, "write-only"],
    ["a part of a part", { allOf: [{ allOf: [{ $ref: "ReadOnly" }] }] }, "read-only"],
    ["no part", { allOf: 1 }, "read-write"],
    ["an alternative, which need not hold", { anyOf: [readOnly], oneOf: [readOnly] }, "read-write"],
    ["itself more than by a reference", { ...writeOnly, $ref: "ReadOnly" }, "write-only"],
  ])("is said by %s", (_what, property, expected) => {
    const { access, at } = located({
      property,
      ReadOnly: readOnly,
      Link: { $ref: "WriteOnly" },
      WriteOnly: writeOnly,
      Circle: { $ref: "Circle" },
    });
    expect(access.accessOf(at("property"))).toBe(expected);
  });
});

describe("the members that an object may lack", () => {
  const object = (properties: object, required: readonly unknown[] = []): object => ({ properties, required });
  const both = { a: readOnly, b: writeOnly, c: {} };

  it.each<[string, object, readonly string[], readonly string[], boolean]>([
    ["neither", {}, [], [], false],
    ["its own", object(both), ["a"], ["b"], false],
    ["its own, required in a request", object(both, ["b"]), ["a"], ["b"], true],
    ["its own, required in an answer", object(both, ["a"]), ["a"], ["b"], true],
    ["its own, others required", object(both, ["c", 1, "d"]), ["a"], ["b"], false],
    ["those of what it refers to", { $ref: "Both" }, ["a"], ["b"], false],
    ["those of what it refers to, required here", { $ref: "Both", required: ["a"] }, ["a"], ["b"], true],
    ["those of its parts", { allOf: [object(both), { required: ["b"] }] }, ["a"], ["b"], true],
    ["those of alternatives", { anyOf: [object(both), {}], required: ["b"] }, ["a"], ["b"], true],
    ["those of one alternative", { oneOf: [object(both), { required: ["a"] }] }, ["a"], ["b"], true],
    ["those of what its parts refer to", { allOf: [{ $ref: "Both" }] }, ["a"], ["b"], false],
    ["not those of a member", object({ d: object(both, ["a"]) }), [], [], false],
    ["not those that are negated", { not: object(both, ["a"]) }, [], [], false],
    ["those of a circle", { $ref: "Circle", required: ["a"] }, ["a"], ["b"], true],
  ])("are %s", (_what, schema, inRequests, inAnswers, isSplit) => {
    const { access, at } = located({
      schema,
      Both: object(both),
      Circle: { allOf: [{ $ref: "schema" }, { $ref: "Both" }, { $ref: "Circle" }] },
    });
    for (const _again of [1, 2]) {
      expect(access.relaxedNames(at("schema"), "request")).toEqual(inRequests);
      expect(access.relaxedNames(at("schema"), "response")).toEqual(inAnswers);
      expect(access.isSplit(at("schema"))).toBe(isSplit);
    }
  });

  it("are all known of each schema of a circle, whichever is requested first", () => {
    const schemas = {
      A: { allOf: [{ $ref: "B" }, object({ a: readOnly })] },
      B: { allOf: [{ $ref: "A" }, object({ b: readOnly })] },
    };
    for (const order of [
      ["A", "B"],
      ["B", "A"],
    ]) {
      const { access, at } = located(schemas);
      for (const name of order) expect(access.relaxedNames(at(name), "request").toSorted()).toEqual(["a", "b"]);
    }
  });
});
