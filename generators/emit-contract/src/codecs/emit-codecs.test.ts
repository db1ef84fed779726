import type { ApiModel, TypeNode } from "@nodewright/model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeGeneratedFiles } from "../testing/generated-files.ts";
import {
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  nullNode,
  numberNode,
  record,
  reference,
  text,
  union,
} from "../testing/type-nodes.ts";
import { emitTypes } from "../types/emit-types.ts";
import { emitCodecs } from "./emit-codecs.ts";

interface Codec {
  decode(wire: unknown): unknown;
  encode(value: unknown): unknown;
}

async function codecOf(api: ApiModel, name: string): Promise<Codec> {
  const codecs = emitCodecs(api);
  if (codecs === undefined) throw new Error("no codecs were made");
  const files = writeGeneratedFiles([codecs]);
  const module = await files.load("codecs.ts");
  return { decode: module[`decode${name}`] as Codec["decode"], encode: module[`encode${name}`] as Codec["encode"] };
}

/** Parses JSON with its long integers as bigints, like the runtime's lossless parser. */
function readLosslessJson(json: string): unknown {
  return JSON.parse(json, (_, value: unknown, { source }: { source?: string } = {}) =>
    source !== undefined && /^-?[0-9]{16,}$/.test(source) ? BigInt(source) : value,
  );
}

const amount: TypeNode = numberNode({ representation: "bitcoin-amount" });
const long: TypeNode = numberNode({ integer: true, representation: "bigint" });

const api = model([
  declaration(
    "Output",
    record([field("value", amount), field("n", numberNode({ integer: true })), field("note", text, false)]),
  ),
  declaration(
    "Transaction",
    record([field("vout", list(reference("Output"))), field("fee", union(amount, nullNode), false)]),
  ),
  declaration(
    "Block",
    record([field("hash", text), field("tx", list(text)), field("work", numberNode())], { additional: nothing }),
  ),
  declaration(
    "BlockWithTransactions",
    record([field("hash", text), field("tx", list(reference("Transaction"))), field("work", numberNode())]),
  ),
  declaration("Answer", union(text, reference("Block"), reference("BlockWithTransactions"))),
  declaration("Balances", record([], { additional: amount })),
  declaration("Pair", list(text, { prefix: [long, amount] })),
  declaration("Tree", record([field("sum", long), field("children", list(reference("Tree")), false)])),
  declaration("Odd", record([field("constructor", amount, false), field("__proto__", amount, false)])),
  declaration("Plain", record([field("n", numberNode())])),
]);

describe("codecs", () => {
  it("are made for types that hold bigints, directly or through references, and for no others", () => {
    const exported = [...(emitCodecs(api)?.text.matchAll(/^export function decode(\w+)/gm) ?? [])].map(
      ([, name]) => name,
    );
    expect(exported).toEqual([
      "Output",
      "Transaction",
      "BlockWithTransactions",
      "Answer",
      "Balances",
      "Pair",
      "Tree",
      "Odd",
    ]);
    expect(emitCodecs(model([declaration("Plain", record([field("n", numberNode())]))]))).toBeUndefined();
  });

  it("are formatted, linted and typed like code written by hand", () => {
    const codecs = emitCodecs(api);
    const files = writeGeneratedFiles([emitTypes(api), ...(codecs === undefined ? [] : [codecs])]);
    expect(files.styleComplaints()).toBe("");
    expect(files.typeErrors()).toBe("");
  });

  it("hold an amount as satoshi and write it with 8 decimals", async () => {
    const { decode, encode } = await codecOf(api, "Transaction");
    const wire = '{"vout":[{"value":0.00001000,"n":0,"more":[1]},{"value":20999999.97690000,"n":1}],"fee":null}';
    const memory = decode(readLosslessJson(wire));
    expect(memory).toEqual({
      vout: [
        { value: 1000n, n: 0, more: [1] },
        { value: 2_099_999_997_690_000n, n: 1 },
      ],
      fee: null,
    });
    expect(JSON.stringify(encode(memory))).toBe(wire);
  });

  it("leave what they were given as it was", async () => {
    const { decode, encode } = await codecOf(api, "Output");
    const wire = Object.freeze({ value: 1.5, n: 1 });
    const memory = Object.freeze(decode(wire) as object);
    encode(memory);
    expect([wire, memory]).toEqual([
      { value: 1.5, n: 1 },
      { value: 150_000_000n, n: 1 },
    ]);
  });

  it("tell the alternatives of a union by what a value is", async () => {
    const { decode, encode } = await codecOf(api, "Answer");
    const plain = { hash: "h", tx: ["a", "b"], work: 1 };
    const full = { hash: "h", tx: [{ vout: [{ value: 0.5, n: 0 }], fee: 0.25 }], work: 2 ** 60 };
    expect(decode("00ff")).toBe("00ff");
    expect(decode(plain)).toEqual(plain);
    const memory = decode(full);
    expect(memory).toEqual({
      hash: "h",
      tx: [{ vout: [{ value: 50_000_000n, n: 0 }], fee: 25_000_000n }],
      work: 2 ** 60,
    });
    expect(JSON.stringify(encode(memory))).toBe(
      '{"hash":"h","tx":[{"vout":[{"value":0.50000000,"n":0}],"fee":0.25000000}],"work":1152921504606847000}',
    );
    expect(encode(plain)).toEqual(plain);
  });

  it("round numbers that memory holds as doubles, where the lossless reader kept them long", async () => {
    const { decode } = await codecOf(api, "BlockWithTransactions");
    expect(decode({ hash: "h", tx: [], work: 2n ** 60n })).toEqual({ hash: "h", tx: [], work: 2 ** 60 });
  });

  it("convert the members of a map, also one named __proto__", async () => {
    const { decode, encode } = await codecOf(api, "Balances");
    const memory = decode(JSON.parse('{"a":1,"__proto__":0.5}')) as Record<string, bigint>;
    expect(Object.entries(memory)).toEqual([
      ["a", 100_000_000n],
      ["__proto__", 50_000_000n],
    ]);
    expect(Object.getPrototypeOf(memory)).toBe(Object.prototype);
    expect(JSON.stringify(encode(memory))).toBe('{"a":1.00000000,"__proto__":0.50000000}');
  });

  it("leave inherited members alone", async () => {
    const { decode } = await codecOf(api, "Odd");
    expect(Object.keys(decode({}) as object)).toEqual([]);
    expect(Object.entries(decode(JSON.parse('{"constructor":1,"__proto__":1}')) as object)).toEqual([
      ["constructor", 100_000_000n],
      ["__proto__", 100_000_000n],
    ]);
  });

  it("convert the items of a tuple by position", async () => {
    const { decode, encode } = await codecOf(api, "Pair");
    const memory = decode([5, 0.1, "rest"]);
    expect(memory).toEqual([5n, 10_000_000n, "rest"]);
    expect(JSON.stringify(encode(memory))).toBe('[5,0.10000000,"rest"]');
  });

  it("are inverses on every tree of long integers", async () => {
    const { decode, encode } = await codecOf(api, "Tree");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.record({
        sum: fc.bigInt(),
        children: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("tree"), { maxLength: 3 })),
      }),
    }));
    fc.assert(
      fc.property(tree, (memory) => {
        const wire = JSON.stringify(encode(memory));
        expect(decode(readLosslessJson(wire))).toEqual(memory);
      }),
      { seed: 20_260_801 },
    );
  });
});

describe("a number whose amount or plain meaning depends on its neighbours", () => {
  it("is an amount wherever one of the alternatives says so", async () => {
    const mixed = model([
      declaration(
        "Mixed",
        union(
          record([field("v", amount)]),
          record([field("v", numberNode()), field("k", node({ kind: "enumeration", values: ["plain"] }))]),
        ),
      ),
    ]);
    const { encode } = await codecOf(mixed, "Mixed");
    expect(JSON.stringify(encode({ v: 1n }))).toBe('{"v":0.00000001}');
    expect(JSON.stringify(encode({ v: 1.5, k: "plain" }))).toBe('{"v":1.5,"k":"plain"}');
  });
});

describe("codecs of what TypeScript has no word for", () => {
  const sum = numberNode({ integer: true, representation: "bigint" });
  const parts = model([
    declaration(
      "Sides",
      node({
        kind: "conditional",
        condition: record([field("kind", node({ kind: "enumeration", values: ["a"] }))]),
        consequence: record([field("a", sum)]),
        alternative: record([field("b", amount)]),
      }),
    ),
    declaration(
      "Rest",
      node({ kind: "unevaluated", base: record([field("name", node({ kind: "string" }))]), members: sum }),
    ),
    declaration(
      "Depending",
      record([], {
        dependencies: [{ property: "card", type: record([field("card", sum)]), keyword: "dependentSchemas" }],
      }),
    ),
    declaration(
      "Both",
      node({ kind: "intersection", members: [record([field("a", sum)]), record([field("b", amount)])] }),
    ),
    declaration("Not", record([field("a", sum), field("b", node({ kind: "not", type: sum }))])),
    declaration("Found", list(node({ kind: "any" }), { contains: { type: sum, minimum: 1 } })),
  ]);

  it.each([
    ["Sides", '{"kind":"a","a":1}', { kind: "a", a: 1n }],
    ["Sides", '{"b":1}', { b: 100_000_000n }],
    ["Rest", '{"name":"a","x":5}', { name: "a", x: 5n }],
    ["Depending", '{"card":5,"other":5}', { card: 5n, other: 5 }],
    ["Both", '{"a":1,"b":1}', { a: 1n, b: 100_000_000n }],
    ["Not", '{"a":1,"b":"c"}', { a: 1n, b: "c" }],
    ["Found", '[1,"a"]', [1n, "a"]],
  ])("convert %s %s", async (name, wire, memory) => {
    const { decode } = await codecOf(parts, name);
    expect(decode(readLosslessJson(wire))).toEqual(memory);
  });

  it("are typed", () => {
    const codecs = emitCodecs(parts);
    const files = writeGeneratedFiles([emitTypes(parts), ...(codecs === undefined ? [] : [codecs])]);
    expect(files.styleComplaints()).toBe("");
    expect(files.typeErrors()).toBe("");
  });
});
