// OpenAPI 3.1, section 4.8.25: a discriminator in a schema that others extend with `allOf`.
import { describe, expect, it } from "vitest";
import { readSchemas } from "./testing/read-schemas.ts";

type Schemas = Readonly<Record<string, object>>;

/** Returns the discriminator property and the values that select each schema of the components. */
function selectionsOf(components: Schemas): Readonly<Record<string, readonly string[]>> {
  const { declarations } = readSchemas({ schema: true, components });
  return Object.fromEntries(
    declarations.flatMap(({ name, type }) =>
      type.kind === "intersection" && type.selection !== undefined
        ? [[name, [type.selection.property, ...type.selection.values.toSorted()]]]
        : [],
    ),
  );
}

const extending = (...bases: readonly string[]): object => ({
  allOf: bases.map((name) => ({ $ref: `#/components/${name}` })),
});

function base(discriminator: object, kind: object = { type: "string" }, others: object = {}): object {
  return {
    type: "object",
    properties: { kind },
    discriminator: { propertyName: "kind", ...discriminator },
    ...others,
  };
}

describe("the values that select a schema which extends another", () => {
  it("are none where the other has no discriminator, or one without a property", () => {
    const plain = { type: "object" };
    expect(selectionsOf({ Pet: plain, Cat: extending("Pet") })).toEqual({});
    expect(selectionsOf({ Pet: { ...plain, discriminator: {} }, Cat: extending("Pet") })).toEqual({});
    expect(selectionsOf({ Pet: base({}), Cat: { $ref: "#/components/Pet" }, Dog: { anyOf: [{}] } })).toEqual({});
  });

  it("are those of the mapping alone where there is one", () => {
    const mapping = { tom: "Cat", kitty: "Cat" };
    expect(selectionsOf({ Pet: base({ mapping }), Cat: extending("Pet"), Dog: extending("Pet") })).toEqual({
      Cat: ["kind", "kitty", "tom"],
    });
    expect(selectionsOf({ Pet: base({ mapping: {} }), Cat: extending("Pet") })).toEqual({});
  });

  it("are its name only where it is one of the components", () => {
    const schema = { allOf: [{ $ref: "#/components/Pet" }, { required: ["name"] }] };
    const { type } = readSchemas({ schema, components: { Pet: base({}) } });
    expect(type).toMatchObject({ kind: "intersection" });
    expect(type).not.toHaveProperty("selection");
  });

  it("are those that the property of the other allows", () => {
    const of = (kind: object): object =>
      selectionsOf({ Pet: base({}, kind), Cat: extending("Pet"), Dog: extending("Pet") });
    expect(of({ enum: ["Cat", "Cow"] })).toEqual({ Cat: ["kind", "Cat"] });
    expect(of({ const: "Cat" })).toEqual({});
    expect(of({})).toEqual({ Cat: ["kind", "Cat"], Dog: ["kind", "Dog"] });
    const mapping = { tom: "Cat", kitty: "Cat" };
    const some = base({ mapping }, { enum: ["tom"] });
    expect(selectionsOf({ Pet: some, Cat: extending("Pet") })).toEqual({});
  });

  it("are left to what it says itself of the property", () => {
    const own = (kind: object, properties: object = { kind }): object => ({
      allOf: [{ $ref: "#/components/Pet" }, { type: "object", properties }],
    });
    const of = (Cat: object): object => selectionsOf({ Pet: base({}), Cat });
    expect(of(own({ const: "cat" }))).toEqual({});
    expect(of(own({ enum: ["cat"] }))).toEqual({});
    expect(of(own({ type: "string" }))).toEqual({ Cat: ["kind", "Cat"] });
    expect(of(own({}, { other: { const: "cat" } }))).toEqual({ Cat: ["kind", "Cat"] });
    expect(of({ ...extending("Pet"), properties: { kind: { const: "cat" } } })).toEqual({});
    // A constant in another schema that it extends has no effect.
    expect(
      selectionsOf({ Pet: base({}), Tail: { properties: { kind: { const: "a" } } }, Cat: extending("Pet", "Tail") }),
    ).toEqual({ Cat: ["kind", "Cat"] });
  });

  it("are of the first of several properties that select it", () => {
    const Sized = { type: "object", properties: {}, discriminator: { propertyName: "size" } };
    expect(selectionsOf({ Pet: base({}), Sized, Cat: extending("Pet", "Sized") })).toEqual({ Cat: ["kind", "Cat"] });
    expect(selectionsOf({ Pet: base({}), Sized, Cat: extending("Sized", "Pet") })).toEqual({ Cat: ["size", "Cat"] });
  });

  it("come to what stands between from all that extend it, and not to what stands above or next to", () => {
    const schemas = {
      Thing: { type: "object" },
      Named: { type: "object" },
      Pet: { ...base({}), ...extending("Thing") },
      Canine: extending("Pet"),
      Dog: extending("Canine", "Named"),
    };
    expect(selectionsOf(schemas)).toEqual({ Canine: ["kind", "Canine", "Dog"], Dog: ["kind", "Dog"] });
  });

  it("come from the discriminator of each schema that it extends", () => {
    const schemas = {
      Pet: base({ mapping: { animal: "Dog" } }),
      Dog: { ...base({ mapping: { small: "Puppy" } }), ...extending("Pet") },
      Puppy: extending("Dog"),
    };
    expect(selectionsOf(schemas)).toEqual({ Dog: ["kind", "animal"], Puppy: ["kind", "small"] });
  });

  it.each(["oneOf", "anyOf"])("are those of the alternatives, where the other has some: %s", (keyword) => {
    const Pet = base({}, undefined, { [keyword]: [{ $ref: "#/components/Cat" }, { type: "object" }] });
    expect(
      selectionsOf({
        Pet: { ...Pet, properties: { kind: { type: "string" } } },
        Cat: { allOf: [{ $ref: "#/components/Pet" }, { type: "object" }] },
        Dog: extending("Pet"),
      }),
    ).toEqual({});
    const { declared } = readSchemas({
      schema: true,
      components: { Pet, Cat: extending("Pet"), Dog: extending("Pet") },
    });
    // An alternative that extends the schema which lists it has its discriminator value as an additional condition.
    expect(declared("Cat")?.type).toMatchObject({
      members: [{ target: "PetBase" }, { members: [{ name: "kind", required: true, type: { values: ["Cat"] } }] }],
    });
    expect(declared("Dog")?.type).toMatchObject({ kind: "reference", target: "Pet" });
  });

  it("are found through schemas that extend each other in circles", () => {
    const schemas = { Pet: base({}), A: extending("B", "Pet"), B: extending("A") };
    expect(selectionsOf(schemas)).toEqual({ A: ["kind", "A", "B"], B: ["kind", "A", "B"] });
  });

  it.each([
    [150, true],
    [300, false],
  ])("are looked for through hierarchies that a person can have made: %i steps", (length, isFound) => {
    const steps = Object.fromEntries(
      Array.from({ length }, (_, index) => [`S${index}`, extending(index === 0 ? "Pet" : `S${index - 1}`)]),
    );
    const found = Object.keys(selectionsOf({ Pet: base({ mapping: { last: `S${length - 1}` } }), ...steps }));
    expect(found.includes(`S${length - 1}`)).toBe(isFound);
  });
});
