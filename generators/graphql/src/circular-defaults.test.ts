import { describe, expect, it } from "vitest";
import { readFiles } from "./testing/read-files.ts";

const query = "\ntype Query { ok: Int }";

describe("the default of an input field", () => {
  it.each<[string, readonly string[]]>([
    ["input A { a: A = {} }", ["1:18 A.a {} A"]],
    ["input A { x: Int = 3 a: A = { x: 4 } }", ["1:29 A.a {x: 4} A"]],
    ["input A { a: [A!]! = [{}] }", ["1:22 A.a [{}] A"]],
    ["input A { a: [[A]] = [[], [null, {}]] }", ["1:22 A.a [[], [null, {}]] A"]],
    ["input A { a: [A] = {} }", ["1:20 A.a {} A"]],
    ["input A { x: Int } extend input A { a: A = {} }", ["1:44 A.a {} A"]],
    ["extend input A { a: A = {} } input A { x: Int }", ["1:25 A.a {} A"]],
    ["input A { b: B = {} } input B { a: A = {} }", ["1:18 A.b {} A", "1:40 B.a {} B"]],
    ["input A { b: B = { a: {} } } input B { a: A }", ["1:18 A.b {a: {}} A"]],
    [
      "input A { b: B = {} } input B { c: [C] = [{}] } input C { d: Int a: A! = {} }",
      ["1:18 A.b {} A", "1:42 B.c [{}] B", "1:74 C.a {} C"],
    ],
    // A type that leads to a cycle is not a part of it.
    ["input A { b: B = {} } input B { b: B = {} }", ["1:40 B.b {} B"]],
  ])("does not lead back to its own type: %s", (sdl, places) => {
    const { model, reports } = readFiles(sdl + query);
    expect(model).toBeUndefined();
    expect(reports).toEqual(
      places.map((each) => {
        const [at = "", place = "", ...rest] = each.split(" ");
        const type = rest.at(-1) ?? "";
        const value = rest.slice(0, -1).join(" ");
        return `circular-default schema.graphql:${at} ${place}: The default ${value} of ${place} contains a value of ${type}, of which this field is a part. A default that contains itself has no end (section 3.10); leave it out, or give it to the arguments.`;
      }),
    );
  });

  it.each([
    "input A { a: A = null }",
    "input A { a: [A] = [] b: [A] = [null] }",
    "input A { b: B = {} } input B { a: A }",
    "input A { b: B = { a: null } } input B { a: A c: C = {} } input C { x: Int a: A }",
    "scalar J input A { j: J = { a: { b: {} } } a: A }",
    "input A { a: A } input B { a: A = { a: { a: {} } } }",
  ])("may be of another type that refers to it: %s", (sdl) => {
    expect(readFiles(sdl + query).reports).toEqual([]);
  });

  it("is looked at next to other mistakes", () => {
    expect(readFiles(`input A { a: A = {} b: B }${query}`).reports).toEqual([
      'invalid-schema schema.graphql:1:24 : Unknown type "B". Did you mean "A"? ',
      expect.stringMatching(/^circular-default schema\.graphql:1:18 A\.a: /),
    ]);
  });
});
