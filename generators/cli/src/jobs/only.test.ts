import { describe, expect, it } from "vitest";
import { readOnly } from "./only.ts";

const config = {
  documents: [
    { source: "specs/pets.yaml", package: "packages/pets-api" },
    { source: "./specs/shop.yaml", package: "./packages/shop/", name: "shop" },
  ],
};

describe("readOnly", () => {
  it.each([
    [[], undefined, undefined],
    [["types"], undefined, ["types"]],
    [["types,client"], undefined, ["types", "client"]],
    [["specs/pets.yaml"], [0], undefined],
    [["./specs/pets.yaml", "client"], [0], ["client"]],
    [["pets-api", "shop"], [0, 1], undefined],
    [["packages/shop"], [1], undefined],
  ])("understands %j", (words, documents, artefacts) => {
    const only = readOnly(words, config);
    expect(only.documents && [...only.documents]).toEqual(documents);
    expect(only.artefacts && [...only.artefacts]).toEqual(artefacts);
  });

  it("names what there is when it does not understand", () => {
    expect(() => readOnly(["typs"], config)).toThrow(
      '--only typs: there is no artefact or document of that name (did you mean "types"?).',
    );
  });
});
