import type { JsonValue, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { writeGeneratedFiles } from "../testing/generated-files.ts";
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
import { directReferences, isLongNumber, mayHoldLongNumber, referredTypes } from "../contract/type-facts.ts";
import { characterRun } from "./character-run.ts";
import { deepDeclarations, isDeep } from "./deep-types.ts";
import { emitValidators } from "./emit-validators.ts";
import { evaluationOf, looksAtNothing } from "./evaluation.ts";
import { formatPredicates } from "./format-predicates.ts";
import { tagOf } from "../contract/tag.ts";
import { areDisjoint, kindNames, kindsOf, mayTakeUndefined } from "../contract/value-kind.ts";

const boolean = node({ kind: "boolean" });
const implied = { isKindImplied: true } as const;
const impliedText = node({ kind: "string", ...implied });
const not = (type: TypeNode) => node({ kind: "not", type });
const all = (...members: readonly TypeNode[]) => node({ kind: "intersection", members });
const choice = (...values: readonly JsonValue[]) => node({ kind: "enumeration", values });
const either = (consequence: TypeNode, alternative: TypeNode) =>
  node({ kind: "conditional", condition: boolean, consequence, alternative });
const closed = (base: TypeNode, facts: { readonly members?: TypeNode; readonly elements?: TypeNode } = {}) =>
  node({ kind: "unevaluated", base, ...facts });

const api = model([
  declaration("Text", text),
  declaration("Alias", reference("Text")),
  declaration("Count", numberNode({ integer: true })),
  declaration("Tree", record([field("children", list(reference("Tree")))])),
  declaration("Self", union(reference("Self"), nullNode)),
  declaration("Circle", reference("Circle")),
]);

const everyKind = ["null", "boolean", "number", "string", "array", "object", "bytes"];

describe("the kinds of a type's values", () => {
  it.each<[TypeNode, readonly string[]]>([
    [anything, everyKind],
    [not(text), everyKind],
    [nothing, []],
    [nullNode, ["null"]],
    [boolean, ["boolean"]],
    [node({ kind: "bytes" }), ["bytes"]],
    [text, ["string"]],
    [impliedText, everyKind],
    [numberNode(), ["number"]],
    [numberNode(implied), everyKind],
    [list(text), ["array"]],
    [list(text, implied), everyKind],
    [record([]), ["object"]],
    [record([], implied), everyKind],
    [choice(null, true, 1, "a", [1], { a: 1 }), ["null", "boolean", "number", "string", "array", "object"]],
    [choice("a", "b"), ["string"]],
    [union(text, nullNode), ["string", "null"]],
    [all(union(text, nullNode), union(text, boolean)), ["string"]],
    [all(text, nullNode), []],
    [all(anything, text), ["string"]],
    [either(text, nullNode), ["string", "null"]],
    [closed(text), ["string"]],
    [reference("Alias"), ["string"]],
    [reference("Tree"), ["object"]],
    [reference("Self"), everyKind],
  ])("%j: %j", (type, kinds) => {
    expect([...kindsOf(type, api)].toSorted()).toEqual(kinds.toSorted());
  });

  it("have the names of JSON Schema", () => {
    expect(kindNames(numberNode({ integer: true }), api)).toEqual(["integer"]);
    expect(kindNames(numberNode(), api)).toEqual(["number"]);
    expect(kindNames(numberNode({ integer: true, ...implied }), api)).toEqual(everyKind);
    expect(kindNames(reference("Count"), api)).toEqual(["integer"]);
    expect(kindNames(union(reference("Count"), nullNode, union(text, boolean)), api)).toEqual([
      "integer",
      "null",
      "string",
      "boolean",
    ]);
    expect(kindNames(reference("Circle"), api)).toEqual(everyKind);
  });

  it("keep types apart that share none", () => {
    expect(areDisjoint([text, nullNode, list(text), record([])], api)).toBe(true);
    expect(areDisjoint([text, union(nullNode, boolean), nullNode], api)).toBe(false);
    expect(areDisjoint([text, choice("a")], api)).toBe(false);
    expect(areDisjoint([anything, text], api)).toBe(false);
    expect(areDisjoint([nothing, nothing, text], api)).toBe(true);
    expect(areDisjoint([], api)).toBe(true);
  });

  it("do not hold undefined, where the check of a type may", () => {
    const may = (type: TypeNode) => mayTakeUndefined(type, api);
    const those = [
      anything,
      nothing,
      not(text),
      impliedText,
      numberNode(implied),
      list(text, implied),
      record([], implied),
      union(text, anything),
      all(anything, not(text)),
      either(anything, text),
      either(text, anything),
      closed(anything),
      reference("Self"),
      reference("Circle"),
    ];
    const others = [
      text,
      numberNode(),
      list(anything),
      record([]),
      nullNode,
      boolean,
      choice("a"),
      node({ kind: "bytes" }),
      union(text, nullNode),
      all(anything, text),
      either(text, nullNode),
      closed(text),
      reference("Text"),
      reference("Alias"),
    ];
    expect(those.map(may)).toEqual(those.map(() => true));
    expect(others.map(may)).toEqual(others.map(() => false));
  });
});

describe("what a type looks at", () => {
  const shown = (type: TypeNode) => {
    const evaluation = evaluationOf(type, api);
    return evaluation && { ...evaluation, names: [...evaluation.names] };
  };
  const none = { names: [], patterns: [], allMembers: false, elements: 0 };
  const patterned = record([field("a", text), { ...field("b", text), isUndescribed: true }], {
    patterns: [{ pattern: "^x", type: text }],
  });
  const dependent = (type: TypeNode) =>
    record([], { dependencies: [{ property: "a", type, keyword: "dependentSchemas" }] });

  it.each<[string, TypeNode, object | undefined]>([
    ["names and patterns of a record", patterned, { ...none, names: ["a"], patterns: ["^x"] }],
    ["all of one that is closed", record([], { additional: nothing }), { ...none, allMembers: true }],
    ["all of one that says so", record([], { evaluatesAll: true }), { ...none, allMembers: true }],
    ["first elements", list(anything, { prefix: [text, text] }), { ...none, elements: 2 }],
    ["all elements", list(text, { prefix: [text] }), { ...none, elements: Number.POSITIVE_INFINITY }],
    [
      "all elements that it says so of",
      list(anything, { evaluatesAll: true }),
      { ...none, elements: Number.POSITIVE_INFINITY },
    ],
    ["what is contained", list(anything, { contains: { type: text, minimum: 1 } }), undefined],
    [
      "what is contained beside all elements",
      list(text, { contains: { type: text, minimum: 1 } }),
      { ...none, elements: Number.POSITIVE_INFINITY },
    ],
    ["what depends on a member", dependent(record([field("a", text)])), undefined],
    ["nothing that depends on a member", dependent(record([])), none],
    ["alternatives", union(record([]), record([field("a", text)])), undefined],
    ["alternatives that look at nothing", union(record([]), text), none],
    ["sides", either(record([field("a", text)]), anything), undefined],
    ["sides that look at nothing", either(text, anything), none],
    [
      "all members of an intersection",
      all(patterned, record([field("c", text)], { evaluatesAll: true }), list(anything, { prefix: [text] })),
      { names: ["a", "c"], patterns: ["^x"], allMembers: true, elements: 1 },
    ],
    ["an intersection with what depends", all(dependent(patterned), patterned), undefined],
    [
      "what is left over",
      closed(patterned, { members: text }),
      { ...none, names: ["a"], patterns: ["^x"], allMembers: true },
    ],
    ["elements left over", closed(anything, { elements: text }), { ...none, elements: Number.POSITIVE_INFINITY }],
    ["a declaration", reference("Tree"), { ...none, names: ["children"] }],
    ["a circle", reference("Circle"), undefined],
    ["what it is not", not(patterned), none],
  ])("%s", (_, type, expected) => {
    expect(shown(type)).toEqual(expected);
  });

  it("is nothing where it is no name, pattern, member or element", () => {
    const isNothing = (facts: object) => looksAtNothing({ ...none, names: new Set(), ...facts });
    expect(isNothing({})).toBe(true);
    for (const facts of [{ names: new Set(["a"]) }, { patterns: ["a"] }, { allMembers: true }, { elements: 1 }])
      expect(isNothing(facts)).toBe(false);
  });
});

describe("the tag of a union", () => {
  const kind = (...values: readonly JsonValue[]) => field("kind", choice(...values));
  const tagged = (...members: readonly TypeNode[]) => {
    const type = union(...members);
    const tag = type.kind === "union" ? tagOf(type, api) : undefined;
    return tag && [tag.property, tag.isDecisive, ...tag.branches.map(({ values }) => values)];
  };

  it("is a required property with other texts in each member", () => {
    expect(tagged(record([kind("a", "b")]), record([kind("c")]))).toEqual(["kind", true, ["a", "b"], ["c"]]);
    expect(tagged(record([field("x", choice("1")), kind("a")]), record([field("x", choice("1")), kind("b")]))).toEqual([
      "kind",
      true,
      ["a"],
      ["b"],
    ]);
    expect(tagged(all(record([kind("a")]), record([])), closed(record([kind("b")])))).toEqual([
      "kind",
      true,
      ["a"],
      ["b"],
    ]);
  });

  it("is looked at once, in the check and in the report", () => {
    const members = [record([kind("a"), field("x", text)]), record([kind("b"), field("y", text)])];
    const { text: written } = emitValidators(model([declaration("Thing", union(...members))]));
    expect(written.match(/switch \(\w+\)/g)).toHaveLength(2);
    const others = [record([field("x", text)]), record([field("y", text)])];
    expect(emitValidators(model([declaration("Thing", union(...others))])).text).not.toContain("switch");
  });

  it.each<[string, readonly TypeNode[]]>([
    ["one member", [record([kind("a")])]],
    ["a text of two members", [record([kind("a", "b")]), record([kind("b")])]],
    ["a member without it", [record([kind("a")]), record([])]],
    ["an optional property", [record([{ ...kind("a"), required: false }]), record([kind("b")])]],
    ["one that is not described", [record([{ ...kind("a"), isUndescribed: true }]), record([kind("b")])]],
    ["values that are no texts", [record([kind(1)]), record([kind(2)])]],
    ["texts among others", [record([kind("a", 1)]), record([kind("b")])]],
    ["no values", [record([kind()]), record([kind("b")])]],
    ["what is no object", [record([kind("a")]), text]],
    ["what may be no object", [record([kind("a")], implied), record([kind("b")])]],
    ["a circle", [record([kind("a")]), reference("Circle")]],
  ])("is none for %s", (_, members) => {
    expect(tagged(...members)).toBeUndefined();
  });
});

describe("numbers of a type", () => {
  const safe = Number.MAX_SAFE_INTEGER;

  it("are long where no bounds keep them within those of a double", () => {
    const long = [
      numberNode(),
      numberNode({ minimum: 0 }),
      numberNode({ maximum: 0 }),
      numberNode({ minimum: 0, maximum: 2n ** 64n }),
      numberNode({ minimum: -safe - 1, maximum: 0 }),
      numberNode({ exclusiveMinimum: 0, exclusiveMaximum: safe + 1 }),
    ];
    const short = [
      numberNode({ minimum: -safe, maximum: safe }),
      numberNode({ exclusiveMinimum: 0, exclusiveMaximum: 9 }),
      numberNode({ minimum: 0, exclusiveMaximum: 9 }),
      text,
    ];
    expect(long.map(isLongNumber)).toEqual(long.map(() => true));
    expect(short.map(isLongNumber)).toEqual(short.map(() => false));
  });

  it("count where values are converted by them, in the type and in what it refers to", () => {
    const numbers = model([
      declaration("Long", numberNode()),
      declaration("Holder", record([field("a", reference("Long"))])),
      declaration("Far", list(reference("Holder"))),
      declaration("Text", text),
      declaration("Loop", union(reference("Loop"), reference("Text"))),
    ]);
    const holds = (type: TypeNode) => mayHoldLongNumber(type, numbers);
    const long = numberNode();
    const those = [
      long,
      list(long),
      record([], { additional: long }),
      either(long, text),
      either(text, long),
      reference("Long"),
      reference("Far"),
      union(text, reference("Holder")),
      record([], { names: text, additional: long }),
    ];
    const others = [
      text,
      not(long),
      node({ kind: "conditional", condition: long, consequence: text, alternative: text }),
      record([], { names: long }),
      reference("Loop"),
    ];
    expect(those.map(holds)).toEqual(those.map(() => true));
    expect(others.map(holds)).toEqual(others.map(() => false));
  });

  it("are found along references, each followed once", () => {
    const type = record([
      field("a", reference("Tree")),
      field("b", list(reference("Alias"))),
      field("c", reference("Tree")),
    ]);
    expect([...directReferences(type)].toSorted()).toEqual(["Alias", "Tree"]);
    expect([...referredTypes([type], api)].toSorted()).toEqual(["Alias", "Text", "Tree"]);
    expect([...referredTypes([text], api)]).toEqual([]);
  });
});

describe("checks that go as deep as a value", () => {
  it("are those of declarations that lead to themselves, or compare elements that hold others", () => {
    const unique = (element: TypeNode, facts = {}) => list(element, { uniqueItems: true, ...facts });
    const nested = model([
      declaration("Tree", record([field("children", list(reference("Tree")))])),
      declaration("Forest", list(reference("Tree"))),
      declaration("Leaf", text),
      declaration("Branch", record([field("leaf", reference("Leaf")), field("other", reference("Leaf"))])),
      declaration("Twigs", list(reference("Branch"))),
      declaration("One", reference("Other")),
      declaration("Other", record([field("one", reference("One"), false), field("leaf", reference("Leaf"))])),
      declaration("Texts", unique(text)),
      declaration("Records", unique(record([]))),
      declaration("Lists", record([field("a", unique(text, { prefix: [list(text)] }))])),
      declaration("User", reference("Records")),
    ]);
    const deep = deepDeclarations(nested);
    expect([...deep].toSorted()).toEqual(["Forest", "Lists", "One", "Other", "Records", "Tree", "User"]);
    const isDeepType = (type: TypeNode) => isDeep(type, nested, deep);
    expect(
      [list(reference("Tree")), unique(anything), record([field("a", reference("User"))])].map(isDeepType),
    ).toEqual([true, true, true]);
    expect([list(reference("Leaf")), unique(text), list(record([])), text].map(isDeepType)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("a pattern that is a run of characters", () => {
  it.each([
    ["^[0-9a-f]{64}$", { characters: "0-9a-f", unit: 1, minimum: 64, maximum: 64 }],
    ["^[a-z]*$", { characters: "a-z", unit: 1, minimum: 0, maximum: undefined }],
    ["^[a-zA]+$", { characters: "a-zA", unit: 1, minimum: 1, maximum: undefined }],
    ["^[01]{2,}$", { characters: "01", unit: 1, minimum: 2, maximum: undefined }],
    ["^[01]{2,5}$", { characters: "01", unit: 1, minimum: 2, maximum: 5 }],
    ["^([0-9a-f]{2})*$", { characters: "0-9a-f", unit: 2, minimum: 0, maximum: undefined }],
    ["^(?:[0-9a-f]{2})+$", { characters: "0-9a-f", unit: 2, minimum: 2, maximum: undefined }],
    ["^(?:[0-9a-f]{2}){3,4}$", { characters: "0-9a-f", unit: 2, minimum: 6, maximum: 8 }],
    ["^(?:[0-9a-f]{12}){3}$", { characters: "0-9a-f", unit: 12, minimum: 36, maximum: 36 }],
  ])("%s is read", (pattern, run) => {
    expect(characterRun(pattern)).toEqual(run);
  });

  it.each([
    "[0-9]{2}",
    "^[0-9]{2}",
    "[0-9]{2}$",
    "^[^0-9]{2}$",
    "^[0-9_]{2}$",
    "^[0-9]$",
    "^[0-9]{,2}$",
    "^[0-9]{2}?$",
    "^0-9{2}$",
    "^([0-9]{0})*$",
    "^([0-9])*$",
    "^([0-9]{2})$",
    "^([0-9]{2,3})*$",
    "^(?![0-9]{2})*$",
    "x^[0-9]{2}$",
    "^([0-9]{2})*$x",
    "x^([0-9]{2})*$",
    "^[0-9]{2}$x",
    "^[0-9]{1234567}$",
  ])("%s is none", (pattern) => {
    expect(characterRun(pattern)).toBeUndefined();
  });
});

describe("formats", () => {
  const samples: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
    "date-time": ["2024-02-29T12:00:00Z", "2024-02-29"],
    date: ["2024-02-29", "12:00:00Z"],
    time: ["12:00:00Z", "2024-02-29"],
    duration: ["P1D", "1D"],
    email: ["a@b.example", "ä@b.example"],
    "idn-email": ["ä@b.example", "ä"],
    hostname: ["a.example", "ä.example"],
    "idn-hostname": ["ä.example", "-"],
    ipv4: ["127.0.0.1", "::1"],
    ipv6: ["::1", "127.0.0.1"],
    uri: ["http://a.example/", "/a"],
    "uri-reference": ["/a", "/ä"],
    iri: ["http://a.example/ä", "/ä"],
    "iri-reference": ["/ä", "\\"],
    "uri-template": ["/a/{b}", "/a/{b"],
    uuid: ["123e4567-e89b-12d3-a456-426614174000", "123e4567"],
    "json-pointer": ["/a/~0", "0/a"],
    "relative-json-pointer": ["0/a", "/a"],
    regex: ["^a+$", "("],
    byte: ["+/A=", "-_A="],
    base64: ["+/A=", "-_A="],
    base64url: ["-_A", "+/A"],
    int32: ["-2147483648", "2147483648"],
    int64: ["-9223372036854775808", "9223372036854775808"],
    uint32: ["4294967295", "-1"],
    uint64: ["18446744073709551615", "-1"],
  };

  it("are each checked by a predicate of its own", async () => {
    const formats = [...formatPredicates.keys()];
    expect(Object.keys(samples)).toEqual(formats);
    const declared = formats.map((format, index) =>
      declaration(`Format${index}`, node({ kind: "string", format, assertsFormat: true })),
    );
    const module = await writeGeneratedFiles([emitValidators(model(declared))]).load("validators.ts");
    for (const [index, format] of formats.entries()) {
      const is = module[`isFormat${index}`] as (value: unknown) => boolean;
      const [right, wrong] = samples[format] ?? [];
      expect([format, is(right), is(wrong)]).toEqual([format, true, false]);
    }
  });
});
