import { describe, expect, it } from "vitest";
import { readFiles } from "./testing/read-files.ts";

describe("a field that a type has twice", () => {
  it.each([
    ["type", "x: Int", "x: Int"],
    ["interface", "x: Int", "x: Int"],
    ["type", '"One." x: Int', '"Other." x: Int @deprecated'],
    ["type", 'x(a: [Int!] = [1], b: String = "a"): Int!', 'x("A." a: [Int!] = [1], b: String = "a"): Int!'],
  ])("is left out where both say the same: %s T { %s %s }", (keyword, first, second) => {
    const { model, reports } = readFiles(
      `type Query { ok: Int }\n${keyword} T {\n  y: Int ${first}\n  ${second}\n  z: Int\n}`,
    );
    const hint = "Section 3.6 allows a field once in each type.";
    const message = "T.x is described twice, in the same words; the second is left out.";
    expect(reports).toEqual([expect.stringMatching(/^repeated-field schema\.graphql:4:3 T\.x: /)]);
    expect(reports[0]).toContain(`T.x: ${message} ${hint}`);
    const type = model?.declarations[0]?.type;
    expect(type?.kind === "record" ? type.members.map(({ name }) => name) : []).toEqual(["y", "x", "z"]);
  });

  it.each([
    ["type T { x: Int x: String }"],
    ["type T { x: Int x: Int! }"],
    ["type T { x(a: Int): Int x(b: Int): Int }"],
    ["type T { x(a: Int): Int x(a: ID): Int }"],
    ["type T { x(a: Int): Int x(a: Int = 1): Int }"],
    ["type T { x(a: Int = 2): Int x(a: Int = 1): Int }"],
    ["type T { x(a: Int, b: Int): Int x(a: Int): Int }"],
    ["input T { x: Int x: Int }"],
  ])("is a mistake otherwise: %s", (sdl) => {
    const { model, reports } = readFiles(`type Query { ok: Int }\n${sdl}`);
    expect(model).toBeUndefined();
    expect(reports).toEqual([expect.stringMatching(/^invalid-schema schema\.graphql:2:\d+ : /)]);
    expect(reports[0]).toContain('Field "T.x" can only be defined once.');
  });

  it("is left out each time", () => {
    const { model, diagnostics } = readFiles("type Query {\n  a: Int\n  a: Int\n  b: Int\n  a: Int\n  b: Int\n}");
    expect(model?.operations.map(({ origin }) => origin)).toEqual(["Query.a", "Query.b"]);
    expect(diagnostics).toEqual([3, 5, 6].map((line) => `warning graphql/repeated-field schema.graphql:${line}:3`));
  });
});

describe("a type that is extended", () => {
  it.each([
    ["Query", "type Query { ok: Int }\nextend type Query { more: Int }"],
    ["Query", "extend type Query { more: Int }\ntype Query { ok: Int }"],
    [
      "Query",
      'type Query @key(fields: "a") { ok: Int }\nextend type Query { more: Int }\ndirective @key(fields: String) on OBJECT',
    ],
  ])("and defined, is both: %s of %s", (_, sdl) => {
    const { model, diagnostics } = readFiles(sdl);
    expect(diagnostics).toEqual([]);
    expect(model?.operations.map(({ origin }) => origin).toSorted()).toEqual(["Query.more", "Query.ok"]);
    expect(model?.schemaSource).toBe(sdl);
  });

  it.each(["Query", "Mutation", "Subscription"])(
    "and defined nowhere, is defined by that where it is the root %s",
    (name) => {
      const sdl = `${name === "Query" ? "" : "type Query { ok: Int }"}\nextend type ${name} { a: Int }\nextend type ${name} { b: Int }`;
      const { model, reports } = readFiles(sdl);
      expect(model?.operations.map(({ origin }) => origin)).toEqual([
        ...(name === "Query" ? [] : ["Query.ok"]),
        `${name}.a`,
        `${name}.b`,
      ]);
      expect(reports).toEqual([
        `only-extended schema.graphql:2:13 ${name}: The type "${name}" is extended here and not defined; the extension is read as its definition. Leave out the word extend where nothing else defines it.`,
      ]);
      expect(model).not.toHaveProperty("schemaSource");
    },
  );

  it.each([
    ["type", "{ x: Int }", "object"],
    ["interface", "{ x: Int }", "interface"],
    ["input", "{ x: Int }", "input"],
    ["enum", "{ X }", "value"],
    ["union", "= Query", "value"],
    ["scalar", "@d", "scalar"],
  ])(
    "and defined nowhere, is defined by that in a part of a federated schema: extend %s T %s",
    (keyword, body, role) => {
      const sdl = (mark: string) =>
        `directive @d on SCALAR\ndirective @${mark} on FIELD_DEFINITION\ntype Query { ok: Int @${mark} }\nextend ${keyword} T ${body}`;
      for (const mark of ["key", "external"]) {
        const { model, diagnostics } = readFiles(sdl(mark));
        const column = `extend ${keyword} `.length + 1;
        expect(diagnostics).toEqual([`warning graphql/only-extended schema.graphql:4:${column}`]);
        expect(model?.declarations.find(({ name }) => name === "T")?.role).toBe(role);
      }
      const { model, reports } = readFiles(sdl("keys"));
      expect(model).toBeUndefined();
      expect(reports).toEqual([expect.stringContaining('Cannot extend type "T" because it is not defined.')]);
    },
  );
});

describe("a directive that the document does not define", () => {
  it("is warned of once, and left out", () => {
    const { model, reports } = readFiles("type Query {\n  a: Int @shareable @inaccessible\n  b: Int @shareable\n}");
    expect(model?.operations).toHaveLength(2);
    expect(reports).toEqual(
      ["shareable 10", "inaccessible 21"].map((each) => {
        const [name = "", column = ""] = each.split(" ");
        return `unknown-directive schema.graphql:2:${column} : The directive "@${name}" is not defined in this document; it changes nothing here. Define it, as in: directive @${name} on FIELD_DEFINITION.`;
      }),
    );
  });

  it("is distinguished from GraphQL's own next to it", () => {
    const { model, reports } = readFiles("type Query { a: Int @shareable b: Int @deprecated }");
    expect(reports).toEqual([expect.stringMatching(/^unknown-directive schema\.graphql:1:21 : /)]);
    expect(model?.operations.map(({ documentation }) => documentation?.deprecated !== undefined)).toEqual([
      false,
      true,
    ]);
  });

  it("is a mistake where it is a slip of one of GraphQL's own", () => {
    for (const name of ["deprecate", "depracated", "skp", "includes", "specifiedby"]) {
      const { model, reports } = readFiles(`type Query { a: Int @${name} }`);
      expect(model).toBeUndefined();
      expect(reports).toEqual([`invalid-schema schema.graphql:1:21 : Unknown directive "@${name}". `]);
    }
  });

  it("does not hide what else is wrong", () => {
    const { model, diagnostics } = readFiles("type Query { a: Itn @shareable b: Int @skip(if: true) }");
    expect(model).toBeUndefined();
    expect(diagnostics.toSorted()).toEqual([
      "error graphql/invalid-schema schema.graphql:1:17",
      "error graphql/invalid-schema schema.graphql:1:39",
      "warning graphql/unknown-directive schema.graphql:1:21",
    ]);
  });

  it("is none where the document defines it", () => {
    const sdl = "directive @mine on FIELD_DEFINITION\ntype Query { a: Int @mine b: Int @deprecated }";
    expect(readFiles(sdl).diagnostics).toEqual([]);
  });
});
