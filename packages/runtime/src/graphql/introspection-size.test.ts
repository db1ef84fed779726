import { buildSchema } from "graphql";
import { expect, it } from "vitest";
import { introspectionListsOf } from "./introspection-size.ts";

it("the lists of introspection are as long as the longest of their kind", () => {
  const schema = buildSchema(`
    directive @a(x: Int, y: Int) on FIELD | QUERY | MUTATION
    interface Node { id: ID }
    interface Other { id: ID }
    type A implements Node & Other { id: ID b(p: Int, q: Int, r: Int): Int }
    type B implements Node { id: ID }
    union Both = A | B
    enum Color { RED GREEN BLUE VIOLET BROWN BLACK WHITE GREY PINK CYAN LIME TEAL PLUM GOLD ROSE NAVY RUST SAND MINT ROOT }
    input Point { x: Int y: Int z: Int }
    type Query { a: A point(at: Point): Both color: Color }
  `);
  const lists = introspectionListsOf(schema);
  expect(Object.fromEntries(lists)).toEqual({
    types: Object.keys(schema.getTypeMap()).length,
    directives: schema.getDirectives().length,
    args: 3,
    locations: Math.max(...schema.getDirectives().map((directive) => directive.locations.length)),
    // Fields of __Type, in graphql-js with its experimental ones.
    fields: 11,
    interfaces: 2,
    possibleTypes: 2,
    enumValues: 20,
    inputFields: 3,
  });
});
