import type { EmittedFile, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { emitCodecs } from "../codecs/emit-codecs.ts";
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
import { emitValidators } from "../validators/emit-validators.ts";
import { emitTypes } from "./emit-types.ts";

/** Returns the compiler's output for files. */
function typeErrors(...files: readonly EmittedFile[]): string {
  const generated = writeGeneratedFiles(files);
  return generated.typeErrors();
}

/** Returns the type of a declaration with that node, on one line. */
function shown(type: TypeNode): string {
  const printed = emitTypes(model([declaration("Thing", type), declaration("Other", record([]))])).text;
  return printed.split("Thing")[1]?.split("/**")[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
}

const constant = (value: string): TypeNode => node({ kind: "enumeration", values: [value] });

describe("types of what TypeScript has no word for", () => {
  const negation = node({ kind: "not", type: text });

  it("leave a negation out of what it stands with, and make it unknown alone", () => {
    expect(shown(negation)).toBe("= unknown;");
    const both = node({ kind: "intersection", members: [record([field("a", text)]), negation] });
    expect(shown(both)).toBe("{ readonly a: string; }");
  });

  it("say once what a condition and its consequence both say", () => {
    const condition = record([field("a", constant("x"))]);
    const both = record([field("a", constant("x")), field("b", text)]);
    const shownWith = (consequence: TypeNode): string =>
      shown(node({ kind: "conditional", condition, consequence, alternative: nullNode }));
    expect(shownWith(both)).toBe('= { readonly a: "x"; readonly b: string; } | null;');
    expect(shownWith(record([field("a", constant("x"), false)]))).toContain("&");
  });

  it("are an interface where what is left out leaves a record", () => {
    const base = record([field("a", text)]);
    const printed = emitTypes(
      model([declaration("Thing", node({ kind: "unevaluated", base, members: nothing }))]),
    ).text;
    expect(printed).toContain("export interface Thing {\n  readonly a: string;\n}");
  });

  it("show both sides of a condition, the first with the condition", () => {
    const type = node({
      kind: "conditional",
      condition: record([field("kind", constant("a"))]),
      consequence: record([field("a", text)]),
      alternative: record([field("b", text)]),
    });
    expect(shown(type)).toBe('= | ({ readonly kind: "a"; } & { readonly a: string; }) | { readonly b: string; };');
  });

  it("do not show a condition one of whose sides says nothing", () => {
    const type = node({ kind: "conditional", condition: text, consequence: record([]), alternative: anything });
    expect(shown(node({ kind: "intersection", members: [reference("Other"), type] }))).toBe("= Other;");
  });

  it("show the kind that a document speaks of", () => {
    expect(shown(record([field("a", text, false)], { isKindImplied: true }))).toBe("{ readonly a?: string; }");
  });

  it("show the kinds that a document speaks of as a union, and less than others where these allow more", () => {
    const length = node({ kind: "string", minLength: 2, isKindImplied: true });
    const bound = { ...numberNode(), isKindImplied: true };
    const members = (...members: readonly TypeNode[]) => node({ kind: "intersection", members });
    expect(shown(members(length, bound))).toBe("= string | number;");
    expect(shown(members(union(text, nullNode), length))).toBe("= string | null;");
    expect(shown(members(text, bound))).toBe("= string;");
    const described = record([field("a", text)], { isKindImplied: true });
    expect(shown(members(reference("Other"), described))).toBe("= Other & { readonly a: string; };");
  });
});

describe("the type of each kind of node", () => {
  const all = (...members: readonly TypeNode[]) => node({ kind: "intersection", members });
  const choice = (...values: readonly (string | number | boolean | null | readonly string[] | object)[]) =>
    node({ kind: "enumeration", values: values as never });
  const long = numberNode({ representation: "bigint" });
  const implied = { isKindImplied: true } as const;
  const impliedText = node({ kind: "string", ...implied });
  const closed = (...members: Parameters<typeof record>[0]) => record(members, { additional: nothing });

  it.each<[TypeNode, string]>([
    [anything, "= unknown;"],
    [nothing, "= never;"],
    [nullNode, "= null;"],
    [node({ kind: "boolean" }), "= boolean;"],
    [node({ kind: "bytes" }), "= Uint8Array;"],
    [long, "= bigint;"],
    [choice("a", 1, -1.5, true, null), '= "a" | 1 | -1.5 | true | null;'],
    [
      choice(["a", "b"], {}, { a: "x" }),
      '= | readonly ["a", "b"] | { readonly [name: string]: never; } | { readonly a: "x"; };',
    ],
    [choice("a", "a"), '= "a";'],
    [list(text), "= readonly string[];"],
    [list(union(text, nullNode)), "= readonly (string | null)[];"],
    [list(numberNode(), { prefix: [text, text], minItems: 1 }), "= readonly [string, string?, ...number[]];"],
    [list(nothing, { prefix: [text, text], minItems: 9 }), "= readonly [string, string];"],
    [list(anything, { prefix: [text] }), "= readonly [string?, ...unknown[]];"],
    [record([]), "{ readonly [name: string]: unknown; }"],
    [closed(), "{ readonly [name: string]: never; }"],
    [record([field("a", text)]), "{ readonly a: string; }"],
    [closed(field("a", text, false)), "{ readonly a?: string; }"],
    [record([], { additional: text }), "{ readonly [name: string]: string; }"],
    [
      record([field("a", numberNode())], { additional: text }),
      "{ readonly [name: string]: string | number; readonly a: number; }",
    ],
    [
      record([], { additional: nothing, patterns: [{ pattern: "^x", type: text }] }),
      "{ readonly [name: string]: string; }",
    ],
    [
      record([], { additional: numberNode(), patterns: [{ pattern: "^x", type: text }] }),
      "{ readonly [name: string]: string | number; }",
    ],
    [record([], { patterns: [{ pattern: "^x", type: text }] }), "{ readonly [name: string]: unknown; }"],
    [record([field("a", text)], { patterns: [{ pattern: "^x", type: nullNode }] }), "{ readonly a: string; }"],
    [union(text, text, nullNode), "= string | null;"],
    [union(text, anything), "= unknown;"],
    [union(text, nothing), "= string;"],
    [union(text, union(nullNode, numberNode())), "= string | null | number;"],
    [all(reference("Other"), text), "= Other & string;"],
    [all(reference("Other"), reference("Other")), "= Other;"],
    [all(text, nothing), "= never;"],
    [all(anything, anything), "= unknown;"],
    [all(reference("Other"), all(text, anything)), "= Other & string;"],
    [all(long, numberNode()), "= bigint;"],
    [all(numberNode(), numberNode({ minimum: 1 })), "= number;"],
    [all(union(text, nullNode), reference("Other")), "= (string | null) & Other;"],
    [reference("Other"), "= Other;"],
    [node({ kind: "unevaluated", base: list(text), elements: nothing }), "= readonly string[];"],
    [all(text, impliedText), "= string;"],
    [all(choice("a", 1), impliedText), '= "a" | 1;'],
    [all(choice("a"), impliedText), '= "a" & string;'],
    [all(reference("Other"), impliedText), "= Other;"],
    [all(impliedText, impliedText), "= string;"],
    [all(impliedText, list(text, implied), impliedText), "= string | readonly string[];"],
    [all(anything, impliedText, numberNode(implied)), "= string | number;"],
  ])("%j", (type, expected) => {
    expect(shown(type)).toBe(expected);
  });
});

describe("types of discriminated unions", () => {
  const mapping = { cat: "Cat", dog: "Dog", wolf: "Dog" };
  const api = model([
    declaration("Cat", record([field("kind", text), field("meows", text)])),
    declaration("Dog", record([field("kind", text), field("barks", text)])),
    declaration(
      "Pet",
      node({
        kind: "union",
        mode: "one-of",
        members: [reference("Cat"), reference("Dog")],
        discriminator: { property: "kind", mapping },
      }),
    ),
    declaration("Tree", record([field("type", constant("tree"))])),
    declaration("Rose", record([field("type", constant("rose")), field("thorns", numberNode())])),
    declaration("Plant", union(reference("Tree"), reference("Rose"), nullNode)),
  ]);

  it("keep values other than objects next to their members, and ignore a mapping that the members contradict", () => {
    const members = [reference("Cat"), reference("Dog"), nullNode];
    const discriminator = { property: "kind", mapping };
    const nullable = declaration("Nullable", node({ kind: "union", mode: "one-of", members, discriminator }));
    const printed = emitTypes({ ...api, declarations: [...api.declarations, nullable] }).text;
    expect(printed).toContain(`      readonly kind: "dog" | "wolf";
    })
  | null;`);
    const contradicted = { property: "type", mapping: { Tree: "Tree", rose: "Rose" } };
    const plants = [reference("Tree"), reference("Rose")];
    const wrong = node({ kind: "union", mode: "one-of", members: plants, discriminator: contradicted });
    expect(emitTypes({ ...api, declarations: [...api.declarations, declaration("Wrong", wrong)] }).text).toContain(
      "export type Wrong = Tree | Rose;",
    );
  });

  it("show the values that an extended type selects its members by, once", () => {
    const base = declaration("Base", record([field("kind", text)]));
    const extending = (name: string, values: readonly string[], own: TypeNode) =>
      declaration(
        name,
        node({ kind: "intersection", members: [reference("Base"), own], selection: { property: "kind", values } }),
      );
    const members = [reference("Hen"), reference("Duck")];
    const discriminator = { property: "kind", mapping: { hen: "Hen", duck: "Duck", drake: "Duck" } };
    const birds = model([
      base,
      extending("Hen", ["hen"], record([field("eggs", numberNode())])),
      extending("Duck", ["duck", "drake"], record([])),
      declaration("Bird", node({ kind: "union", mode: "one-of", members, discriminator })),
      declaration("Fowl", node({ kind: "union", mode: "any-of", members })),
    ]);
    const { text: printed } = emitTypes(birds);
    expect(printed).toContain(`  readonly kind: "duck" | "drake";\n}`);
    expect(printed).toContain("export type Bird = Hen | Duck;");
    const use = `import type { Bird, Fowl } from "./types.ts";
export function eggsOf(bird: Bird | Fowl): number {
  return bird.kind === "hen" ? bird.eggs : 0;
}
`;
    expect(typeErrors(emitTypes(birds), emitValidators(birds), { path: "use.ts", text: use })).toBe("");
  });

  it("can be distinguished by the property, also where only the mapping says its values", () => {
    expect(emitTypes(api).text).toContain(`export type Pet =
  | (Cat & {
      readonly kind: "cat";
    })
  | (Dog & {
      readonly kind: "dog" | "wolf";
    });`);
    const use = `import type { Pet, Plant } from "./types.ts";
export function soundOf(pet: Pet): string {
  switch (pet.kind) {
    case "cat":
      return pet.meows;
    case "dog":
    case "wolf":
      return pet.barks;
  }
}
export function thornsOf(plant: Plant): number {
  return plant?.type === "rose" ? plant.thorns : 0;
}
`;
    expect(typeErrors(emitTypes(api), emitValidators(api), { path: "use.ts", text: use })).toBe("");
  });
});

describe("types that are called like globals", () => {
  const globals = [
    "Array",
    "AsyncIterable",
    "BigInt",
    "Blob",
    "Boolean",
    "Date",
    "Error",
    "Function",
    "Iterable",
    "JSON",
    "Map",
    "Number",
    "Object",
    "Omit",
    "Partial",
    "Promise",
    "RangeError",
    "Readonly",
    "ReadonlyMap",
    "ReadonlySet",
    "Record",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "Uint8Array",
    "Violation",
  ];

  it("do not break the code that is made for them", () => {
    const parts = [
      field("bytes", node({ kind: "bytes" })),
      field("id", node({ kind: "string", pattern: "^(a|b)+$", minLength: 2 })),
      field("sum", numberNode({ integer: true, representation: "bigint" })),
      field("kind", node({ kind: "enumeration", values: ["a", "b", "c", "d", "e", { f: 1 }] })),
      field("next", list(anything, { uniqueItems: true }), false),
      field("half", numberNode({ multipleOf: 0.5 })),
    ];
    const base = union(record([field("a", text)]), record([field("b", text)]));
    const api = model([
      ...globals.map((name) => declaration(name, record(parts, { additional: nothing }))),
      declaration("Rest", node({ kind: "unevaluated", base, members: nothing })),
    ]);
    const codecs = emitCodecs(api);
    expect(codecs).toBeDefined();
    expect(typeErrors(emitTypes(api), emitValidators(api), ...(codecs === undefined ? [] : [codecs]))).toBe("");
  });
});

describe("types that refer to themselves", () => {
  it("compile in every place", () => {
    const self = reference("Node");
    const api = model([
      declaration("Node", union(record([field("next", self, false)]), list(self), text)),
      declaration("Tuple", list(text, { prefix: [text, reference("Tuple")] })),
      declaration("Map", record([], { additional: reference("Map") })),
      declaration(
        "Both",
        node({ kind: "intersection", members: [record([field("a", reference("Both"), false)]), reference("Map")] }),
      ),
      declaration("Rest", node({ kind: "unevaluated", base: record([field("a", text)]), members: reference("Rest") })),
      declaration(
        "Sides",
        node({
          kind: "conditional",
          condition: text,
          consequence: list(reference("Sides")),
          alternative: record([field("a", reference("Sides"))]),
        }),
      ),
    ]);
    expect(typeErrors(emitTypes(api), emitValidators(api))).toBe("");
  });
});
