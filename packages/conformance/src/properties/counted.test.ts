import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { countedProperty } from "./counted.ts";
import type { Input } from "./operation.ts";
import { optional } from "./testing/check-operation.ts";
import { relationProblems, required } from "./testing/memory-operations.ts";

const integer: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };
const genre: SuiteType = { kind: "enumeration", values: ["novel", "essay"] };
const record = (members: Readonly<Record<string, SuiteType>>): SuiteType => ({
  kind: "record",
  members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
});

const books = ["novel", "essay", "novel", "novel", "essay", "novel", "novel"].map((kind, index) => ({
  id: index + 1,
  author: index < 4 ? "a1" : "a2",
  genre: kind,
}));
const matching = ({ author, genre: kind }: Input) =>
  books.filter((one) => (author ?? one.author) === one.author && (kind ?? one.genre) === one.genre);

const listBooks = {
  name: "listBooks",
  parameters: [optional("genre", genre)],
  result: { kind: "list", element: record({ id: integer, author: text, genre }) } as const,
  inputs: [{}],
  returns: matching,
};

describe("a count", () => {
  const countBooks = (returns: (input: Input) => unknown) => ({
    ...listBooks,
    name: "countBooks",
    result: integer,
    returns,
  });

  it("is the number of the elements of a list for the same filters", async () => {
    const right = countBooks((input) => matching(input).length);
    expect(await relationProblems(countedProperty, listBooks, right)).toEqual([]);
    expect(
      await relationProblems(
        countedProperty,
        listBooks,
        countBooks(() => books.length),
      ),
    ).toEqual(["the result is not the number of elements that listBooks lists for the same genre"]);
  });

  it("may be of what is not listed", async () => {
    const more = countBooks((input) => matching(input).length + 5);
    expect(await relationProblems(countedProperty, listBooks, more)).toEqual([]);
  });
});

describe("a count of an owner", () => {
  const listAuthorBooks = {
    ...listBooks,
    name: "listAuthorBooks",
    owner: "author",
    typeNames: "books",
    parameters: [required("authorId", text)],
    inputs: [{ authorId: "a1" }],
    returns: ({ authorId }: Input) => matching({ author: authorId }),
  };
  const getAuthor = (shift: number) => ({
    name: "getAuthor",
    typeNames: "authors",
    parameters: [required("id", text)],
    result: record({ id: text, bookCount: integer }),
    inputs: [{ id: "a1" }],
    returns: ({ id }: Input) => ({ id, bookCount: matching({ author: id }).length + shift }),
  });

  it("is the number of what is listed of it, by whichever name it is called", async () => {
    expect(await relationProblems(countedProperty, listAuthorBooks, getAuthor(0))).toEqual([]);
    expect(await relationProblems(countedProperty, listAuthorBooks, getAuthor(1))).toEqual([
      "bookCount is not the number of elements that listAuthorBooks lists",
    ]);
  });
});
