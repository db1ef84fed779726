import { describe, expect, it } from "vitest";
import { type ReadingOfSchemas, readSchemas } from "./testing/read-schemas.ts";

/** Returns the names of the declarations of components, in the given order. */
function namesOf(components: readonly string[], readOptions: ReadingOfSchemas["readOptions"] = {}): readonly string[] {
  const schemas = Object.fromEntries(components.map((name) => [name, { title: name, type: "string" }]));
  const { declarations } = readSchemas({ schema: true, components: schemas }, { readOptions });
  return components.map((wanted) => declarations.find(({ originalName }) => originalName === wanted)?.name ?? "");
}

describe("the name of a declaration", () => {
  it.each([
    ["Block", "Block"],
    ["block-hash", "BlockHash"],
    ["pets.v1.Pet Store", "PetsV1PetStore"],
    ["Größe", "Größe"],
    ["größe_µ", "GrößeΜ"],
    ["注文", "注文"],
    ["हिन्दी", "हिन्दी"],
    ["2fa", "_2fa"],
    ["x²", "X"],
    ["class", "Class"],
    ["*/ alert`1`", "Alert1"],
    ["../etc", "Etc"],
    ["Blob", "BlobValue"],
    ["error", "ErrorValue"],
    ["Promise", "PromiseValue"],
    ["__proto__", "Proto"],
    ["constructor", "Constructor"],
  ])("of %s is %s", (name, expected) => {
    expect(namesOf([name])).toEqual([expected]);
  });

  it("does not depend on the order of the document where two clash", () => {
    const names = ["foo-bar", "FooBar", "fooBar", "foo_bar"];
    expect(namesOf(names)).toEqual(["FooBar2", "FooBar", "FooBar3", "FooBar4"]);
    expect(namesOf(names.toReversed())).toEqual(["FooBar2", "FooBar", "FooBar3", "FooBar4"].toReversed());
    expect(namesOf(["unrelated", "FooBar", "foo-bar"])).toEqual(["Unrelated", "FooBar", "FooBar2"]);
  });

  it("is what a configuration says, and others make space for it", () => {
    expect(namesOf(["pet", "Animal"], { declarations: { pet: "Animal" } })).toEqual(["Animal", "Animal2"]);
    expect(namesOf(["pet"], { declarations: { pet: "my pet;" } })).toEqual(["MyPet"]);
  });

  it("is made of its place where the document gives none", () => {
    const { declarations } = readSchemas({
      schema: { $ref: "#/paths/~1pets/get/responses/200/schema" },
      paths: { "/pets": { get: { responses: { 200: { schema: { type: "object" } } } } } },
    });
    expect(declarations.map(({ name }) => name)).toEqual(["Responses200Schema"]);
  });

  it.each([
    ["pet", "my pet;", "MyPet"],
    ["pet", "_pet$1", "_pet$1"],
    ["pet", "$", "$"],
    ["pet", "größe", "größe"],
    ["pet", "1pet", "_1pet"],
    ["pet", "a-b", "AB"],
  ])("of %s, which a configuration calls %j, is %s", (name, chosen, expected) => {
    expect(namesOf([name], { declarations: { [name]: chosen } })).toEqual([expected]);
  });

  it("is left to a schema that is called so before one that has to be changed for it", () => {
    expect(namesOf(["z", "Z", "a", "A"])).toEqual(["Z2", "Z", "A2", "A"]);
    expect(namesOf(["One", "Two", "one"], { declarations: { one: "Two" } })).toEqual(["One", "Two2", "Two"]);
  });

  it.each<[string, object, string]>([
    ["a member of a component", { components: { A: { properties: { "my-name": { type: "string" } } } } }, "MyName"],
    ["an item of a list", { components: { A: { allOf: [{ type: "string" }] } } }, "AAllOf0"],
    ["the value of a keyword", { components: { A: { items: { type: "string" } } } }, "ComponentsAItems"],
    ["a schema of something else", { a: { b: { schema: { type: "string" } } } }, "ABSchema"],
    ["a name with slashes and tildes", { "a/b~c": { type: "string" } }, "ABC"],
  ])("is made of the last of its place where the document gives none: %s", (_what, document, expected) => {
    const pointerOf = (value: object): string => {
      if ("type" in value) return "";
      const [[name, member] = ["", {}]] = Object.entries(value) as [string, object][];
      return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}${pointerOf(member)}`;
    };
    const { declarations } = readSchemas({ schema: { $ref: `#${pointerOf(document)}` }, ...document });
    expect(declarations.map(({ name }) => name).at(-1)).toBe(expected);
  });

  it.each([
    ["https://own.example/parts/pet-owner.v1.json", "PetOwnerV1"],
    ["https://own.example/pet", "Pet"],
    ["urn:own:pet", "Pet"],
    ["https://own.example/pet.json?version=2.0", "Pet"],
  ])("is that of the document where it is all of one: %s", (uri, expected) => {
    const { declarations } = readSchemas({ schema: { $ref: uri } }, { others: { [uri]: { type: "string" } } });
    expect(declarations.map(({ name }) => name)).toEqual([expected]);
  });
});
