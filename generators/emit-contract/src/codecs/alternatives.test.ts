import type { TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
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
  record,
  reference,
  text,
  union,
} from "../testing/type-nodes.ts";
import {
  alternativesOf,
  elementTypes,
  expandedAlternatives,
  isConverted,
  memberTypes,
  numberConversion,
  unnamedTypes,
} from "./alternatives.ts";

const boolean = node({ kind: "boolean" });
const bytes = node({ kind: "bytes" });
const amount = numberNode({ representation: "bitcoin-amount" });
const long = numberNode({ integer: true, representation: "bigint" });
const byte = numberNode({ minimum: 0, maximum: 255 });
const pet = record([field("name", text)]);
const toPet = reference("Pet");

describe("the types that a value may be of", () => {
  const whole = record([field("a", text)], {
    dependencies: [
      { trigger: "a", type: union(pet, nullNode) },
      { trigger: "b", type: boolean },
    ] as never,
  });

  it.each<[string, readonly TypeNode[], readonly TypeNode[]]>([
    ["none", [], []],
    ["types that are not made of others", [text, toPet, pet, list(text)], [text, toPet, pet, list(text)]],
    ["each once", [text, text, union(text, boolean)], [text, boolean]],
    ["members of unions", [union(text, union(boolean, nullNode))], [text, boolean, nullNode]],
    [
      "members of intersections",
      [node({ kind: "intersection", members: [pet, union(text, toPet)] })],
      [pet, text, toPet],
    ],
    ["nothing of what it is not", [node({ kind: "not", type: text }), boolean], [boolean]],
    [
      "what follows from a condition, not the condition",
      [node({ kind: "conditional", condition: bytes, consequence: union(text, boolean), alternative: nullNode })],
      [text, boolean, nullNode],
    ],
    ["a record with what its members entail", [whole], [whole, pet, nullNode, boolean]],
    ["what is checked before what is left over", [node({ kind: "unevaluated", base: union(pet, text) })], [pet, text]],
  ])("are %s", (_, types, alternatives) => {
    expect(alternativesOf(types)).toEqual(alternatives);
  });

  it("are a record and a list of what is left over, always the same ones", () => {
    const closed = node({ kind: "unevaluated", base: pet, members: boolean, elements: bytes });
    const [base, members, elements, ...others] = alternativesOf([closed]);
    expect(base).toBe(pet);
    expect(members).toMatchObject({ kind: "record", members: [], patterns: [], additional: boolean });
    expect(elements).toMatchObject({ kind: "list", prefix: [], element: bytes });
    expect(others).toEqual([]);
    const again = alternativesOf([closed, closed]);
    expect(again).toHaveLength(3);
    expect(again[1]).toBe(members);
    expect(again[2]).toBe(elements);
    expect(alternativesOf([node({ kind: "unevaluated", base: pet, members: nothing })])).toHaveLength(2);
    expect(alternativesOf([node({ kind: "unevaluated", base: pet, elements: nothing })])).toMatchObject([
      pet,
      { kind: "list" },
    ]);
  });

  it("are found behind references, each once, in order", () => {
    const api = model([
      declaration("Pet", pet),
      declaration("Either", union(reference("Pet"), reference("Maybe"), boolean)),
      declaration("Maybe", union(nullNode, reference("Either"), text)),
    ]);
    expect(expandedAlternatives([reference("Pet")], api)).toEqual([pet]);
    expect(expandedAlternatives([reference("Either"), bytes, reference("Pet")], api)).toEqual([
      pet,
      nullNode,
      text,
      boolean,
      bytes,
    ]);
    expect(expandedAlternatives([], api)).toEqual([]);
  });
});

describe("how a number is converted", () => {
  it.each<[readonly TypeNode[], "amount" | "bigint" | "plain" | undefined, "amount" | "bigint" | undefined]>([
    [[], undefined, undefined],
    [[text, pet], undefined, undefined],
    [[byte], undefined, undefined],
    [[numberNode()], "plain", undefined],
    [[byte, numberNode({ minimum: 0 })], "plain", undefined],
    [[long], "bigint", "bigint"],
    [[byte, long], "bigint", "bigint"],
    [[amount], "amount", "amount"],
    [[numberNode(), long, amount], "amount", "amount"],
  ])("of %j", (types, decode, encode) => {
    expect(numberConversion(types, "decode")).toBe(decode);
    expect(numberConversion(types, "encode")).toBe(encode);
  });

  it("is requested where a type has any", () => {
    const api = model([declaration("Pet", pet), declaration("Coin", record([field("value", amount)]))]);
    const both = (type: TypeNode) => [isConverted(type, "decode", api), isConverted(type, "encode", api)];
    expect(both(text)).toEqual([false, false]);
    expect(both(toPet)).toEqual([false, false]);
    expect(both(byte)).toEqual([false, false]);
    expect(both(list(numberNode()))).toEqual([true, false]);
    expect(both(list(long))).toEqual([true, true]);
    expect(both(reference("Coin"))).toEqual([true, true]);
  });
});

describe("the types of members and elements", () => {
  it("are those of the named field, else of patterns and all others", () => {
    const open = record([field("a", text)], { additional: boolean });
    const patterned = record([field("b", bytes)], {
      patterns: [{ pattern: "^a", type: nullNode }] as never,
      additional: nothing,
    });
    const records = [open, patterned].filter((type) => type.kind === "record");
    expect(memberTypes(records, "a")).toEqual([text, nullNode, nothing]);
    expect(memberTypes(records, "b")).toEqual([boolean, bytes]);
    expect(memberTypes([], "a")).toEqual([]);
    expect(unnamedTypes(records)).toEqual([boolean, nullNode, nothing]);
  });

  it("are those of the position, else of all elements, and of what is contained", () => {
    const tuple = list(text, { prefix: [boolean, nullNode] });
    const containing = list(anything, { contains: { type: bytes } as never });
    const lists = [tuple, containing].filter((type) => type.kind === "list");
    expect(elementTypes(lists, 0)).toEqual([boolean, anything, bytes]);
    expect(elementTypes(lists, 1)).toEqual([nullNode, anything, bytes]);
    expect(elementTypes(lists, 2)).toEqual([text, anything, bytes]);
    expect(elementTypes(lists)).toEqual([text, anything, bytes]);
  });
});
