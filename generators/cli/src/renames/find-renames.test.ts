import { describe, expect, it } from "vitest";
import { findRenames } from "./find-renames.ts";
import { nameSimilarity } from "./name-similarity.ts";

const shapes = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> => new Map(Object.entries(table));

describe("names", () => {
  it.each([
    ["getPet", "fetchPet", "getCat"],
    ["getblock", "fetchblock", "getpeerinfo"],
    ["v1ListCats", "v2ListCats", "v2ListDogs"],
    ["eth_getBlockByHash", "eth_blockByHash", "eth_getLogs"],
  ])("%s is more like %s than like %s", (name, renamed, other) => {
    expect(nameSimilarity(name, renamed)).toBeGreaterThan(nameSimilarity(name, other) + 0.1);
  });
});

describe("operations that are gone and operations that are new", () => {
  it("are one where they are reached in the same way, whatever they take now", () => {
    expect(findRenames(shapes({ getPet: "GET /pets/{} 1" }), shapes({ showAnimal: "GET /pets/{} 2" }))).toEqual({
      sure: [{ from: "getPet", to: "showAnimal" }],
      ambiguous: [],
    });
  });

  it("are one where they take and answer the same and are called alike", () => {
    const gone = shapes({ getblock: "rpc getblock 1", pet: "query pet 2", getCat: "GET /v1/cats/{} 3" });
    const appeared = shapes({
      animalPet: "query animalPet 2",
      fetchblock: "rpc fetchblock 1",
      getCat2: "GET /v2/cats/{} 3",
    });
    expect(findRenames(gone, appeared).sure).toEqual([
      { from: "getblock", to: "fetchblock" },
      { from: "pet", to: "animalPet" },
      { from: "getCat", to: "getCat2" },
    ]);
  });

  it.each([
    ["their structure differs", { getblock: "rpc getblock 1" }, { fetchblock: "rpc fetchblock 2" }],
    ["they are called otherwise", { getCat: "GET /cats/{} 1" }, { getDog: "GET /dogs/{} 1" }],
  ])("are two where %s", (_why, gone, appeared) => {
    expect(findRenames(shapes(gone), shapes(appeared))).toEqual({ sure: [], ambiguous: [] });
  });

  it("are for a person to tell where two are about as likely", () => {
    const gone = shapes({ getPet: "rpc getPet 1" });
    const appeared = shapes({ fetchPet: "rpc fetchPet 1", readPet: "rpc readPet 1" });
    expect(findRenames(gone, appeared)).toEqual({
      sure: [],
      ambiguous: [{ from: "getPet", candidates: ["fetchPet", "readPet"] }],
    });
    expect(findRenames(appeared, gone).ambiguous.map(({ from }) => from)).toEqual(["fetchPet", "readPet"]);
  });

  it("are matched one by one when a complete API moved", () => {
    const names = ["Cat", "Dog", "Owner", "Visit"];
    const all = (version: string) =>
      shapes(Object.fromEntries(names.map((name) => [`${version}Get${name}`, `GET /${version}/${name}/{} 1`])));
    expect(findRenames(all("v1"), all("v2")).sure).toHaveLength(names.length);
  });
});
