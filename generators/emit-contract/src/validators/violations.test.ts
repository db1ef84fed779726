import type { TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { type LoadedValidator, loadValidator } from "../testing/loaded-validator.ts";
import {
  anything,
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  nullNode,
  numberNode,
  objectOf,
  operation,
  record,
  reference,
  source,
  text,
  union,
} from "../testing/type-nodes.ts";

function validatorOfType(type: Parameters<typeof declaration>[1]): Promise<LoadedValidator> {
  return loadValidator(model([declaration("Thing", type)]), "Thing");
}

describe("violations", () => {
  it("are all reported, each with pointer, keyword and message", async () => {
    const thing = await validatorOfType(
      record(
        [
          field("id", node({ kind: "string", pattern: "^[0-9a-f]{4}$" })),
          field("height", numberNode({ integer: true, minimum: 0 })),
          field("tags", list(text, { maxItems: 2, uniqueItems: true })),
          field("kind", node({ kind: "enumeration", values: ["a", "b"] }), false),
          field("prevout", union(record([field("value", numberNode())]), nullNode)),
        ],
        { additional: nothing },
      ),
    );
    const value = { id: "xyz", height: -1.5, tags: ["a", "a", 3], kind: "c", prevout: {}, more: 1 };
    expect(thing.is(value)).toBe(false);
    expect(thing.violationsOf(value, "/body")).toEqual([
      { pointer: "/body/id", keyword: "pattern", message: 'must match pattern "^[0-9a-f]{4}$"' },
      { pointer: "/body/height", keyword: "type", message: "must be integer" },
      { pointer: "/body/tags", keyword: "maxItems", message: "must NOT have more than 2 items" },
      { pointer: "/body/tags/2", keyword: "type", message: "must be string" },
      {
        pointer: "/body/tags",
        keyword: "uniqueItems",
        message: "must NOT have duplicate items (items ## 0 and 1 are identical)",
      },
      { pointer: "/body/kind", keyword: "enum", message: "must be equal to one of the allowed values" },
      { pointer: "/body/prevout", keyword: "required", message: "must have required property 'value'" },
      { pointer: "/body/more", keyword: "additionalProperties", message: "must NOT have additional properties" },
    ]);
  });

  it("name all kinds that a union of kinds allows", async () => {
    const thing = await validatorOfType(union(record([]), nullNode, text));
    expect(thing.violationsOf(5)).toEqual([
      { pointer: "", keyword: "type", message: "must be object or null or string" },
    ]);
    const count = await validatorOfType(union(text, numberNode({ integer: true })));
    expect(count.violationsOf(true)).toMatchObject([{ message: "must be string or integer" }]);
  });

  it("of alternatives within alternatives stay few, and are found in time, however deep they are nested", async () => {
    const alternative = (name: string): TypeNode =>
      record([field("inner", list(reference("Thing"))), field(name, name === "d" ? list(text) : text)]);
    const thing = await validatorOfType(union(...["a", "b", "c", "d"].map(alternative)));
    let value: unknown = { a: 1, inner: [] };
    for (let depth = 0; depth < 100; depth += 1) value = { [depth % 2 === 0 ? "a" : "d"]: [], inner: [value] };
    expect(thing.is(value)).toBe(false);
    const violations = thing.violationsOf(value);
    expect(violations[0]).toMatchObject({ pointer: "", keyword: "anyOf" });
    expect(violations.length).toBeLessThan(250);
  });

  it("of a union whose members could all be meant are the union's and its members'", async () => {
    const thing = await validatorOfType(
      node({
        kind: "union",
        mode: "one-of",
        members: [numberNode({ multipleOf: 2 }), numberNode({ multipleOf: 3 }), text],
      }),
    );
    expect(thing.violationsOf(6)).toEqual([
      { pointer: "", keyword: "oneOf", message: "must match exactly one schema in oneOf" },
    ]);
    expect(thing.violationsOf(7).map(({ message }) => message)).toEqual([
      "must match exactly one schema in oneOf",
      "must be multiple of 2",
      "must be multiple of 3",
    ]);
  });

  it("point with escaped tokens (RFC 6901, section 3)", async () => {
    const thing = await validatorOfType(record([field("a/b~c", text)], { additional: text }));
    expect(thing.violationsOf({ "a/b~c": 1, "~/": 2 }).map(({ pointer }) => pointer)).toEqual(["/a~1b~0c", "/~0~1"]);
  });

  it("never hold the value itself", async () => {
    const thing = await validatorOfType(
      record([
        field("a", node({ kind: "enumeration", values: ["x"] })),
        field("b", node({ kind: "string", pattern: "^y" })),
      ]),
    );
    expect(JSON.stringify(thing.violationsOf({ a: "secret", b: "secret" }))).not.toContain("secret");
  });
});

describe("validators of a record", () => {
  it("look at own members alone, not at inherited ones", async () => {
    const thing = await validatorOfType(
      record([field("constructor", anything), field("__proto__", text, false), field("toString", text, false)]),
    );
    expect(thing.is({})).toBe(false);
    expect(thing.is(objectOf([["constructor", 1]]))).toBe(true);
    expect(
      thing.is(
        objectOf([
          ["constructor", 1],
          ["__proto__", 5],
        ]),
      ),
    ).toBe(false);
    expect(
      thing.is(
        objectOf([
          ["constructor", 1],
          ["__proto__", "a"],
        ]),
      ),
    ).toBe(true);
    expect(
      thing.is(
        objectOf([
          ["constructor", 1],
          ["toString", 5],
        ]),
      ),
    ).toBe(false);
  });

  it("count `__proto__` from the wire as a member like any other", async () => {
    const closed = await validatorOfType(record([field("a", text, false)], { additional: nothing }));
    const hostile = JSON.parse('{"__proto__": {"a": 1}}');
    expect(closed.is(hostile)).toBe(false);
    expect(closed.violationsOf(hostile).map(({ pointer }) => pointer)).toEqual(["/__proto__"]);
  });

  it("know a member with an empty name", async () => {
    const thing = await validatorOfType(record([field("", text)]));
    expect(thing.is({})).toBe(false);
    expect(thing.is({ "": "a" })).toBe(true);
    expect(thing.violationsOf({ "": 1 })).toEqual([{ pointer: "/", keyword: "type", message: "must be string" }]);
  });

  it("take neither lists nor null for objects", async () => {
    const thing = await validatorOfType(record([]));
    expect([[], null, "a", 1, true, undefined].map((value) => thing.is(value))).toEqual(Array(6).fill(false));
  });
});

describe("validators of numbers", () => {
  it("refuse what JSON cannot say", async () => {
    const thing = await validatorOfType(numberNode());
    expect(
      [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5n].map((value) => thing.is(value)),
    ).toEqual(Array(4).fill(false));
  });

  it("keep to bounds beyond 2^53 exactly", async () => {
    const maximum = 18_446_744_073_709_551_615n;
    const thing = await validatorOfType(numberNode({ integer: true, representation: "bigint", minimum: 0, maximum }));
    expect(thing.is(maximum)).toBe(true);
    expect(thing.is(maximum + 1n)).toBe(false);
    expect(thing.is(7)).toBe(true);
    expect(thing.is(-1n)).toBe(false);
    expect(thing.violationsOf(maximum + 1n)).toEqual([
      { pointer: "", keyword: "maximum", message: "must be <= 18446744073709551615" },
    ]);
  });

  it("accept long integers in everything that is decoded", async () => {
    const api = model([
      declaration(
        "Sum",
        record([
          field("total", numberNode({ integer: true, representation: "bigint" })),
          field("part", reference("Part")),
        ]),
      ),
      declaration("Part", record([field("count", numberNode({ integer: true }))])),
      declaration("Apart", record([field("count", numberNode({ integer: true }))])),
    ]);
    const long = 2n ** 60n;
    expect((await loadValidator(api, "Sum")).is({ total: long, part: { count: long } })).toBe(true);
    expect((await loadValidator(api, "Apart")).is({ count: long })).toBe(false);
  });
});

describe("validators of strings", () => {
  it("count code points, not UTF-16 units", async () => {
    const thing = await validatorOfType(node({ kind: "string", minLength: 2, maxLength: 3 }));
    expect(["😀", "😀😀", "😀😀😀", "😀😀😀😀", "ab", "\ud83d\ud83d"].map((value) => thing.is(value))).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it("match patterns with the u flag", async () => {
    const thing = await validatorOfType(node({ kind: "string", pattern: "^.$" }));
    expect(thing.is("😀")).toBe(true);
  });
});

describe("validators of an operation's input", () => {
  it("check each parameter by its property, and the body", async () => {
    const api = model([], {
      operations: [
        operation("sendTransaction", {
          parameters: [
            {
              name: "block-height",
              property: "blockHeight",
              location: "query",
              required: false,
              type: numberNode({ integer: true }),
              style: "form",
              explode: true,
              source,
            },
          ],
          body: { required: true, contents: [{ mediaType: "text/plain", form: "text", type: text }], source },
        }),
      ],
    });
    const input = await loadValidator(api, "SendTransactionInput");
    expect(input.is({ body: "00" })).toBe(true);
    expect(input.violationsOf({ blockHeight: 1.5 })).toEqual([
      { pointer: "/blockHeight", keyword: "type", message: "must be integer" },
      { pointer: "", keyword: "required", message: "must have required property 'body'" },
    ]);
  });
});

describe("validators of recursive types", () => {
  it("follow the recursion", async () => {
    const api = model([
      declaration("Tree", record([field("children", list(reference("Tree")))], { additional: nothing })),
    ]);
    const tree = await loadValidator(api, "Tree");
    expect(tree.is({ children: [{ children: [] }, { children: [{ children: [] }] }] })).toBe(true);
    expect(tree.violationsOf({ children: [{ children: [{}] }] })).toEqual([
      { pointer: "/children/0/children/0", keyword: "required", message: "must have required property 'children'" },
    ]);
  });
});
