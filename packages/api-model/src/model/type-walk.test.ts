import fastCheck from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content, Operation } from "./operation.ts";
import type { Parameter, TypeDeclaration, TypeNode } from "./type-node.ts";
import { orderDeclarations, partsOfType, referencesOfType, typesOfOperation, walkType } from "./type-walk.ts";

const reference = (target: string): TypeNode => ({ kind: "reference", target });
const union = (...members: readonly TypeNode[]): TypeNode => ({ kind: "union", mode: "any-of", members });

function declaration(name: string, ...targets: readonly string[]): TypeDeclaration {
  return { name, originalName: name, role: "value", type: union(...targets.map(reference)), implements: [] };
}

describe("a type", () => {
  it("is walked with everything that it is made of, in document order", () => {
    const text: TypeNode = { kind: "string" };
    const list: TypeNode = { kind: "list", prefix: [text], element: reference("A") };
    const type: TypeNode = {
      kind: "unevaluated",
      base: {
        kind: "conditional",
        condition: list,
        consequence: { kind: "not", type: text },
        alternative: text,
      },
      members: reference("B"),
    };
    expect([...walkType(type)].map(({ kind }) => kind)).toEqual([
      "unevaluated",
      "conditional",
      "list",
      "string",
      "reference",
      "not",
      "string",
      "string",
      "reference",
    ]);
    expect([...referencesOfType(type)]).toEqual(["A", "B"]);
    expect(partsOfType(text)).toEqual([]);
  });

  it("is made of all that its keywords hold, in document order", () => {
    const [a, b, c, d, e] = [..."ABCDE"].map(reference) as [TypeNode, TypeNode, TypeNode, TypeNode, TypeNode];
    const any: TypeNode = { kind: "any" };
    const field = { name: "a", type: a, required: true, access: "read-write", arguments: [] } as const;
    const open = { kind: "record", members: [field], additional: any, patterns: [] } as const;
    const parts: readonly (readonly [TypeNode, readonly TypeNode[]])[] = [
      [open, [a, any]],
      [
        {
          ...open,
          patterns: [{ pattern: "^x", type: b }],
          additional: c,
          names: d,
          dependencies: [{ property: "a", type: e, keyword: "dependentSchemas" }],
        },
        [a, b, c, d, e],
      ],
      [{ kind: "list", prefix: [a, b], element: c }, [a, b, c]],
      [{ kind: "list", prefix: [], element: c, contains: { type: d, minimum: 1 } }, [c, d]],
      [union(a, b), [a, b]],
      [{ kind: "intersection", members: [a, b] }, [a, b]],
      [{ kind: "not", type: a }, [a]],
      [{ kind: "conditional", condition: a, consequence: b, alternative: c }, [a, b, c]],
      [{ kind: "unevaluated", base: a }, [a]],
      [{ kind: "unevaluated", base: a, members: b, elements: c }, [a, b, c]],
    ];
    for (const [type, expected] of parts) expect(partsOfType(type)).toEqual(expected);
    const leaves: readonly TypeNode[] = [
      any,
      a,
      { kind: "never" },
      { kind: "null" },
      { kind: "boolean" },
      { kind: "string" },
      { kind: "bytes" },
      { kind: "number", integer: false, representation: "number" },
      { kind: "enumeration", values: [1] },
    ];
    for (const leaf of leaves) expect(partsOfType(leaf)).toEqual([]);
    expect(() => partsOfType({ kind: "tuple" } as never)).toThrow('Unexpected value: {"kind":"tuple"}');
  });
});

describe("the types of an operation", () => {
  const parameter: Parameter = {
    name: "height",
    property: "height",
    location: "path",
    required: true,
    type: reference("Height"),
    style: "simple",
    explode: false,
  };
  const content = (target: string): Content => ({
    mediaType: "application/json",
    form: "json",
    type: reference(target),
  });
  const header = (name: string) => ({ ...parameter, name, location: "header" as const, type: reference(name) });
  const operation: Operation = {
    name: "getBlock",
    origin: "GET /block",
    binding: { kind: "http", method: "GET", path: "/block" },
    tags: [],
    parameters: [parameter],
    successes: [{ status: 204, headers: [], description: "" }],
    failures: [],
    examples: [],
    links: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
  };
  const targetsOf = (parts: Partial<Operation>) =>
    typesOfOperation({ ...operation, ...parts }).map((type) => (type.kind === "reference" ? type.target : type.kind));

  it("are those of its parameters alone where it has no bodies", () => {
    expect(targetsOf({})).toEqual(["Height"]);
  });

  it("are those of its bodies and headers, in document order", () => {
    const parts = {
      body: { required: true, contents: [content("Query"), content("Form")] },
      successes: [{ status: 200, content: content("Block"), headers: [header("Etag")], description: "" }],
      failures: [{ contents: [content("Problem")], headers: [header("Retry")], description: "" }],
    } as never;
    expect(targetsOf(parts)).toEqual(["Height", "Query", "Form", "Block", "Etag", "Problem", "Retry"]);
  });
});

describe("declarations", () => {
  it("are ordered so that each stands behind what it leads to; circles are named", () => {
    const order = orderDeclarations({
      declarations: [
        declaration("Order", "Pet", "Customer"),
        declaration("Pet", "Category"),
        declaration("Customer", "Order"),
        declaration("Tree", "Tree"),
        declaration("Category"),
      ],
    });
    expect(order.declarations.map(({ name }) => name)).toEqual(["Category", "Pet", "Order", "Customer", "Tree"]);
    expect([...order.recursive].toSorted()).toEqual(["Customer", "Order", "Tree"]);
  });

  it("all come out once, and only circles lead forwards", () => {
    const graph = fastCheck.array(fastCheck.array(fastCheck.nat(11), { maxLength: 4 }), {
      minLength: 12,
      maxLength: 12,
    });
    fastCheck.assert(
      fastCheck.property(graph, (targets) => {
        const declarations = targets.map((to, index) => declaration(`T${index}`, ...to.map((target) => `T${target}`)));
        const order = orderDeclarations({ declarations });
        const place = new Map(order.declarations.map(({ name }, index) => [name, index]));
        expect(place.size).toBe(declarations.length);
        for (const { name, type } of order.declarations) {
          for (const target of referencesOfType(type)) {
            const isForward = (place.get(target) ?? 0) >= (place.get(name) ?? 0);
            expect(!isForward || (order.recursive.has(name) && order.recursive.has(target))).toBe(true);
          }
        }
      }),
    );
  });

  it("are recursive only where they lead to themselves, over members of a circle as well", () => {
    const order = orderDeclarations({
      declarations: [
        declaration("A", "B", "X"),
        declaration("B", "C", "A"),
        declaration("C", "B"),
        declaration("X"),
        declaration("Y", "A", "Z"),
        { ...declaration("Z"), implements: ["Y2"] },
        { ...declaration("Y2"), implements: ["Y2"] },
        declaration("Missing", "Nobody"),
      ],
    });
    expect([...order.recursive].toSorted()).toEqual(["A", "B", "C", "Y2"]);
    expect(order.declarations.map(({ name }) => name)).toEqual(["X", "A", "B", "C", "Y2", "Z", "Y", "Missing"]);
  });

  it("may lead to each other in a chain of any length", () => {
    const declarations = Array.from({ length: 20_000 }, (_, index) => declaration(`T${index}`, `T${index + 1}`));
    expect(orderDeclarations({ declarations }).declarations[0]?.name).toBe("T19999");
  });
});
