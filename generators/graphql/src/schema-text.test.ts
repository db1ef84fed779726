import { buildSchema, parse, print } from "graphql";
import { describe, expect, it } from "vitest";
import { schemaTextOf } from "./schema-text.ts";

describe("the text of a schema", () => {
  it.each([
    "type Query {\n  a(x: Int = 1, y: [Int!] = [1, 2], z: String): Int\n}",
    "input In {\n  a: Int = 3\n  b: Other = {c: 4}\n}\n\ninput Other {\n  c: Int\n}\n\ntype Query {\n  a(x: In = {a: 5, b: {c: 6}}): Int\n}",
    "scalar JSON\n\ntype Query {\n  a(x: JSON = {b: [1]}, y: Int = 2, z: Int): Int\n  b(x: JSON = [true]): Int\n}",
    "scalar JSON\n\ninterface I {\n  a(x: JSON = {i: 1}): Int\n}\n\ntype A implements I {\n  a(x: JSON = {a: 1}): Int\n  b(x: JSON): Int\n}\n\ntype Query {\n  a(x: JSON = {q: 1}): A\n}",
    "scalar JSON\n\ninput In {\n  a: JSON = {in: 1}\n  x: JSON\n}\n\ninput Other {\n  a: JSON = {other: 1}\n}\n\ntype Query {\n  a(x: In): Int\n  x(x: Other): Int\n}",
    "directive @tag(x: JSON = {d: 1}, y: JSON) on FIELD\n\ndirective @a(x: JSON = [2]) on FIELD\n\nscalar JSON\n\ntype Query {\n  tag(x: JSON = {q: 1}): Int\n}",
  ])("has defaults as they are written: %s", (sdl) => {
    const schema = buildSchema(sdl);
    expect(print(parse(schemaTextOf(schema)))).toBe(sdl);
    // Printing does not change the schema.
    expect(schemaTextOf(schema)).toBe(schemaTextOf(schema));
    expect(schema.getQueryType()?.getFields()["a"]?.args[0]?.defaultValue).toEqual(
      buildSchema(sdl).getQueryType()?.getFields()["a"]?.args[0]?.defaultValue,
    );
  });

  it("has what extensions add in its place", () => {
    expect(schemaTextOf(buildSchema("type Query { a: Int }\nextend type Query { b: Int }"))).toBe(
      "type Query {\n  a: Int\n  b: Int\n}",
    );
  });
});
