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

  it("names the declarations that requests have", () => {
    const user = { ...components.cat, properties: { kind: { type: "string", readOnly: true } } };
    const schema = { oneOf: [references.cat, references.dog], discriminator: { propertyName: "kind" } };
    const { type } = readSchemas({ schema, components: { ...components, cat: user } }, { direction: "request" });
    expect(mappingOf(type)).toEqual({ cat: "CatInput", dog: "Dog" });
  });

  it("is told where it maps to what is not there, or is no alternative", () => {
    const mapping = { a: "nowhere", b: "#/components/nowhere", c: "big-dog", d: 1 };
    const schema = { oneOf: [references.cat, references.dog], discriminator: { propertyName: "kind", mapping } };
    const { codes, diagnostics } = readSchemas({ schema, components });
    expect(codes).toEqual(["unknown-mapping", "source/unresolved-reference", "wrong-keyword-value", "foreign-mapping"]);
    expect(diagnostics.map(({ source }) => source.pointer.split("/").at(-1))).toEqual(["a", "b", "d", "c"]);
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
