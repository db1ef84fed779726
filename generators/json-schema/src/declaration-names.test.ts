import { describe, expect, it } from "vitest";
import { type ReadingOfSchemas, readSchemas } from "./testing/read-schemas.ts";

/** Names of the declarations of components, in the order in which they are given. */
function namesOf(components: readonly string[], choices: ReadingOfSchemas["choices"] = {}): readonly string[] {
  const schemas = Object.fromEntries(components.map((name) => [name, { title: name, type: "string" }]));
  const { declarations } = readSchemas({ schema: true, components: schemas }, { choices });
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

  it("is what a configuration says, and others make room for it", () => {
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
});
