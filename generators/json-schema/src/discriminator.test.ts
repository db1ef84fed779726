import type { TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { readSchemas } from "./testing/read-schemas.ts";

const animal = (kind: string) => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { type: "string" }, [kind]: true },
});
const components = { cat: animal("meows"), dog: animal("barks"), "big-dog": animal("barks") };
const references = { cat: { $ref: "#/components/cat" }, dog: { $ref: "#/components/dog" } };

function mappingOf(type: TypeNode): unknown {
  return type.kind === "union" ? type.discriminator?.mapping : undefined;
}

describe("a discriminator", () => {
  it.each(["anyOf", "oneOf"])("selects by the names of the components where nothing else is said: %s", (keyword) => {
    const schema = {
      [keyword]: [references.cat, references.dog, { type: "null" }],
      discriminator: { propertyName: "kind" },
    };
    const { type, codes } = readSchemas({ schema, components });
    expect(type).toMatchObject({ discriminator: { property: "kind", mapping: { cat: "Cat", dog: "Dog" } } });
    expect(codes).toEqual([]);
  });

  it("selects by name and by reference as its mapping says, several values for one among them", () => {
    const schema = {
      oneOf: [references.cat, references.dog, { $ref: "#/components/big-dog" }],
      discriminator: {
        propertyName: "kind",
        mapping: { tom: "cat", kitty: "#/components/cat", "2": "big-dog" },
      },
    };
    expect(mappingOf(readSchemas({ schema, components }).type)).toEqual({
      tom: "Cat",
      kitty: "Cat",
      "2": "BigDog",
      dog: "Dog",
    });
  });

  it("leaves out an alternative that has no reference of its own", () => {
    const schema = { oneOf: [references.cat, { allOf: [references.dog] }], discriminator: { propertyName: "kind" } };
    expect(mappingOf(readSchemas({ schema, components }).type)).toEqual({ cat: "Cat" });
  });

  it("names the declarations that requests have", () => {
    const user = { ...components.cat, properties: { kind: { type: "string", readOnly: true } } };
    const schema = { oneOf: [references.cat, references.dog], discriminator: { propertyName: "kind" } };
    const { type } = readSchemas({ schema, components: { ...components, cat: user } }, { direction: "request" });
    expect(mappingOf(type)).toEqual({ cat: "CatInput", dog: "Dog" });
  });

  it("is reported where its target is missing, or is not an alternative", () => {
    const mapping = { a: "nowhere", b: "#/components/nowhere", c: "big-dog", d: 1 };
    const schema = { oneOf: [references.cat, references.dog], discriminator: { propertyName: "kind", mapping } };
    const { codes, diagnostics } = readSchemas({ schema, components });
    expect(codes).toEqual(["unknown-mapping", "source/unresolved-reference", "wrong-keyword-value", "foreign-mapping"]);
    expect(diagnostics.map(({ source }) => source.pointer.split("/").at(-1))).toEqual(["a", "b", "d", "c"]);
  });

  it("says in each message what it maps to what", () => {
    const mapping = {
      a: "nowhere",
      c: "big-dog",
      d: 1,
      e: "other.JSON",
      f: "x.json",
      g: "nowhere.yaml.txt",
      h: "other.yml",
      i: "other.yaml",
    };
    const schema = { oneOf: [references.cat, references.dog], discriminator: { propertyName: "kind", mapping } };
    const others = { "https://api.example/x.json": { type: "object" } };
    const { diagnostics } = readSchemas({ schema, components }, { others });
    expect(diagnostics.map(({ message, source }) => `${source.pointer.split("/").at(-1)} ${message}`)).toEqual([
      'a The discriminator maps "a" to "nowhere", which does not exist.',
      'd The keyword "mapping" takes names, not number.',
      expect.stringMatching(/^e .*other\.JSON/) as string,
      'g The discriminator maps "g" to "nowhere.yaml.txt", which does not exist.',
      expect.stringMatching(/^h .*other\.yml/) as string,
      expect.stringMatching(/^i .*other\.yaml/) as string,
      'c The discriminator maps "c" to "big-dog", which is not one of the alternatives; it has no effect.',
      'f The discriminator maps "f" to "x.json", which is not one of the alternatives; it has no effect.',
    ]);
  });

  it.each<[string, object]>([
    ["nothing", {}],
    ["a property that is no text", { discriminator: { propertyName: 1 } }],
    ["no property", { discriminator: { mapping: { cat: "cat" } } }],
    ["a discriminator that is a text", { discriminator: "kind" }],
  ])("is none where a schema has %s", (_what, members) => {
    const { type } = readSchemas({ schema: { oneOf: [references.cat], ...members }, components });
    expect(type).not.toHaveProperty("discriminator");
  });

  it("has no mapping where no alternative is a reference", () => {
    const schema = { oneOf: [components.cat, components.dog], discriminator: { propertyName: "kind" } };
    const { type } = readSchemas({ schema });
    expect(type).toHaveProperty("discriminator", { property: "kind" });
  });

  it("leaves a value of its mapping to what it maps it to, whatever others are called", () => {
    const mapping = { dog: "cat" };
    const schema = { oneOf: [references.cat, references.dog], discriminator: { propertyName: "kind", mapping } };
    expect(mappingOf(readSchemas({ schema, components }).type)).toEqual({ dog: "Cat" });
  });

  describe("of a schema that others extend", () => {
    const extending = (base: string, ...others: readonly object[]) => ({
      allOf: [{ $ref: `#/components/${base}` }, ...others],
    });
    const base = (discriminator: object) => ({
      ...animal("name"),
      discriminator: { propertyName: "kind", ...discriminator },
    });
    const selectionsOf = (schemas: Readonly<Record<string, object>>, others: Readonly<Record<string, object>> = {}) => {
      const { declarations, codes } = readSchemas({ schema: true, components: schemas }, { others });
      const selections = declarations.flatMap(({ name, type }) =>
        type.kind === "intersection" && type.selection !== undefined ? [[name, type.selection.values] as const] : [],
      );
      return { selections: Object.fromEntries(selections), codes };
    };

    it("selects them by the values that its mapping gives them", () => {
      const Pet = base({ mapping: { tom: "Cat", kitty: "#/components/Cat", dog: "Dog" } });
      const schemas = {
        PetReply: extending("Pet"),
        Dog: extending("Pet"),
        Cat: extending("Pet", animal("meows")),
        Pet,
      };
      expect(selectionsOf(schemas)).toEqual({ selections: { Dog: ["dog"], Cat: ["tom", "kitty"] }, codes: [] });
    });

    it("selects them by their names where it has no mapping", () => {
      expect(selectionsOf({ Pet: base({}), "big-cat": extending("Pet"), Other: animal("x") }).selections).toEqual({
        BigCat: ["big-cat"],
      });
    });

    it("selects those between them by all values of what extends them", () => {
      const Pet = base({ mapping: { dog: "Dog", puppy: "Puppy", wolf: "Wolf" } });
      const schemas = {
        Pet,
        Puppy: extending("Dog"),
        Dog: extending("Canine"),
        Wolf: extending("Canine"),
        Canine: extending("Pet"),
      };
      const { selections } = selectionsOf(schemas);
      expect(Object.entries(selections).map(([name, values]) => [name, values.toSorted()])).toEqual([
        ["Puppy", ["puppy"]],
        ["Dog", ["dog", "puppy"]],
        ["Wolf", ["wolf"]],
        ["Canine", ["dog", "puppy", "wolf"]],
      ]);
    });

    it("says nothing where they or it say which values there are", () => {
      const constant = (name: string) => ({ properties: { kind: { enum: [name] } } });
      const Pet = base({ mapping: { dog: "Dog", cat: "Cat" } });
      expect(selectionsOf({ Pet, Dog: extending("Pet", constant("dog")), Cat: extending("Pet") }).selections).toEqual({
        Cat: ["cat"],
      });
      const Narrow = { ...Pet, ...constant("cat") };
      expect(selectionsOf({ Pet: Narrow, Dog: extending("Pet"), Cat: extending("Pet") }).selections).toEqual({
        Cat: ["cat"],
      });
    });

    it("selects schemas of other documents, and ends where they extend one another in a circle", () => {
      const other = {
        Pet: { ...base({ mapping: { dog: "#/Dog" } }) },
        Dog: { allOf: [{ $ref: "#/Pet" }] },
        Kennel: { properties: { dog: { $ref: "#/Dog" } } },
      };
      const schemas = { Kennel: { $ref: "other.json#/Kennel" }, A: extending("B"), B: extending("A") };
      const { selections } = selectionsOf(schemas, { "https://api.example/other.json": other });
      expect(selections).toEqual({ Dog: ["dog"] });
    });

    it("selects alternatives by the same values where nothing else is said next to them", () => {
      const { type } = readSchemas({
        schema: {
          oneOf: [{ $ref: "#/components/Dog" }, { $ref: "#/components/Cat" }],
          discriminator: { propertyName: "kind" },
        },
        components: {
          Pet: base({ mapping: { dog: "Dog", cat: "Cat" } }),
          Dog: extending("Pet"),
          Cat: extending("Pet"),
        },
      });
      expect(mappingOf(type)).toEqual({ dog: "Dog", cat: "Cat" });
    });
  });

  it("of alternatives that extend the schema they are in is read as what is meant", () => {
    const alternative = (name: string) => ({
      allOf: [{ $ref: "#/components/Pet" }, { type: "object", required: [name] }],
    });
    const document = {
      schema: { $ref: "#/components/Pet" },
      components: {
        Pet: {
          ...animal("name"),
          oneOf: [references.cat, { $ref: "#/components/puppy" }],
          discriminator: { propertyName: "kind", mapping: { cat: "cat", puppy: "puppy" } },
        },
        cat: alternative("meows"),
        dog: alternative("barks"),
        puppy: { allOf: [references.dog, { type: "object", required: ["plays"] }] },
      },
    };
    const { declared, accepts, codes, diagnostics } = readSchemas(document);
    expect(declared("PetBase")?.type).toMatchObject({ kind: "record", members: [{ name: "kind" }, { name: "name" }] });
    expect(declared("Cat")?.type).toMatchObject({
      members: [{ target: "PetBase" }, { kind: "record" }, { members: [{ name: "kind", type: { values: ["cat"] } }] }],
    });
    expect(declared("Puppy")?.type).toMatchObject({ members: [{ target: "Dog" }, { kind: "record" }] });
    const values = [
      { kind: "cat", meows: 1 },
      { kind: "puppy", barks: 1, plays: 1 },
      { kind: "puppy", plays: 1 },
      { meows: 1 },
      { kind: "cat", meows: 1, barks: 1, plays: 1 },
      { kind: "lion", meows: 1 },
    ];
    expect(values.map(accepts)).toEqual([true, true, false, false, true, false]);
    expect(codes).toEqual(["extended-alternatives", "extended-alternatives"]);
    for (const { message } of diagnostics) expect(message).toMatch(/\b(?:Pet|Dog|pet|dog)\b/);
  });

  it("of an alternative that extends the schema it is in by more than a reference has no end", () => {
    const Pet = { ...animal("name"), oneOf: [{ $ref: "#/components/Cat" }] };
    const Cat = { allOf: [{ $ref: "#/components/Pet", required: ["name"] }] };
    const { codes } = readSchemas({ schema: { $ref: "#/components/Pet" }, components: { Pet, Cat } });
    expect(codes).toContain("endless-reference");
  });

  it("in a schema that others extend leaves it an object", () => {
    const document = {
      schema: { $ref: "#/components/Pet" },
      components: {
        Pet: { ...animal("name"), discriminator: { propertyName: "kind", mapping: { cat: "Cat", x: "Nowhere" } } },
        Cat: { allOf: [{ $ref: "#/components/Pet" }, { type: "object", properties: { meows: { type: "boolean" } } }] },
      },
    };
    const { declared, accepts, codes } = readSchemas(document);
    expect(declared("Pet")?.type).toMatchObject({ kind: "record" });
    expect(declared("Cat")?.type).toMatchObject({
      kind: "intersection",
      members: [{ target: "Pet" }, { kind: "record" }],
    });
    expect([accepts({ kind: "lion" }), accepts({})]).toEqual([true, false]);
    expect(codes).toEqual(["unknown-mapping"]);
  });
});

describe("the target of a mapping", () => {
  const codesOf = (target: string): readonly string[] => {
    const cat = { type: "object", required: ["kind"], properties: { kind: { type: "string" } } };
    const discriminator = { propertyName: "kind", mapping: { cat: target } };
    return readSchemas({ schema: { oneOf: [{ $ref: "#/components/Cat" }], discriminator }, components: { Cat: cat } })
      .codes;
  };

  it("may be a name or a reference to an alternative", () => {
    for (const target of ["Cat", "#/components/Cat"]) expect([target, codesOf(target)]).toEqual([target, []]);
  });

  it.each(["a.json", "a.yaml", "a.yml", "A.YML", "a/b", "#a", "#/components/None"])(
    "is a reference where it looks like one: %s",
    (target) => {
      const codes = codesOf(target);
      expect(codes).not.toEqual([]);
      expect(codes).not.toContain("unknown-mapping");
    },
  );

  it.each(["None", "cat", "a.yml.b", "yaml", "ajson"])("is a name else, which has to be known: %s", (target) => {
    expect(codesOf(target)).toEqual(["unknown-mapping"]);
  });
});
