import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import type { Input } from "./operation.ts";
import { optional, problemsOf } from "./testing/check-operation.ts";
import { textSearchProperty } from "./text-search.ts";

const text: SuiteType = { kind: "string" };
const element: SuiteType = {
  kind: "record",
  members: ["id", "title"].map((name) => ({ name, type: text, required: true })),
};
const boats = ["Aurora North", "Baltic South", "Aurora South", "Cygnus North", "Dolphin East", "Elsa West"].map(
  (title, index) => ({ id: `b${index}`, title }),
);

function searched(finds: (title: string, word: string) => boolean, base: Input = {}) {
  return {
    parameters: [{ ...optional("q", text), required: Object.keys(base).length > 0 }],
    element,
    base,
    pages: ({ q }: Input) => [
      { items: boats.filter(({ title }) => q === undefined || finds(title.toLowerCase(), String(q).toLowerCase())) },
    ],
  };
}

const found = async (finds: (title: string, word: string) => boolean, base?: Input): Promise<readonly string[]> =>
  await problemsOf(searched(finds, base), textSearchProperty);

describe("text search", () => {
  it("finds nothing where words are found, whole or not", async () => {
    expect(await found((title, word) => title.includes(word))).toEqual([]);
    expect(await found((title, word) => title.split(" ").includes(word), { q: "aurora" })).toEqual([]);
  });

  it("finds a search at the beginning alone, and one that is ignored", async () => {
    const missing = ["elements are missing whose title has the word that q searches for"];
    expect(await found((title, word) => title.startsWith(word))).toEqual(missing);
    expect(await found((title, word) => title.startsWith(word), { q: "aurora" })).toEqual(missing);
    expect(await found(() => true)).toEqual(["the elements are the same whatever q is"]);
  });

  it("leaves open what a search finds that is no plain one", async () => {
    expect(await found((title, word) => title.includes(word.slice(0, 2)) || title.includes("north"))).toEqual([]);
    expect(await found(() => false)).toEqual([]);
  });
});
