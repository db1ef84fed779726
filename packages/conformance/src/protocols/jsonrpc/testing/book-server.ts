import type { RpcSuite, SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../../suite/suite-type.ts";
import { MethodFailure, type MethodInput } from "./described-server.ts";
import { describedMethod, describedSuite, failure, optional, required } from "./described-suite.ts";

/** Methods of a library. */
export interface BookMethods {
  listbooks(input: MethodInput): unknown;
  getbook(input: MethodInput): unknown;
  getblurb(input: MethodInput): unknown;
  listshelf(input: MethodInput): unknown;
}

const genres = ["novel", "poems", "essay"];

const books = Array.from({ length: 11 }, (_none, index) => ({
  bookId: 40 + index * 3,
  title: `${["Blue", "Grey", "Pale", "Dark"][index % 4]} book ${(index * 7) % 11}`,
  genre: genres[(index * 2) % 3],
  inPrint: index % 4 !== 1,
  pages: 100 + ((index * 53) % 300),
}));

/** Methods of a conforming library. */
export const rightBooks: BookMethods = {
  listbooks: ({ genre, inPrint, sort, order = "asc", limit = 5, offset = 0 }) => {
    const sign = order === "asc" ? 1 : -1;
    const wanted = books
      .filter((book) => genre === undefined || book.genre === genre)
      .filter((book) => inPrint === undefined || book.inPrint === inPrint)
      .toSorted((left, right) => {
        if (sort === "pages") return sign * (left.pages - right.pages);
        return sign * (sort === "title" ? (left.title < right.title ? -1 : 1) : left.bookId - right.bookId);
      });
    return { total: wanted.length, books: wanted.slice(Number(offset), Number(offset) + Number(limit)) };
  },
  getbook: ({ bookId }) => bookOf(bookId),
  getblurb: ({ bookId }) => `Nobody forgets ${bookOf(bookId).title}.`,
  listshelf: ({ page = 1, perPage = 3 }) =>
    books.slice((Number(page) - 1) * Number(perPage), Number(page) * Number(perPage)).map(({ title }) => title),
};

function bookOf(bookId: unknown): (typeof books)[number] {
  const book = books.find((one) => one.bookId === bookId);
  if (book === undefined) throw new MethodFailure(7, "There is no such book");
  return book;
}

const integer = (minimum: number, maximum?: number): SuiteType => ({
  kind: "number",
  integer: true,
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
const genre: SuiteType = { kind: "enumeration", values: genres };
const member = (name: string, type: SuiteType) => ({ name, type, required: true });

const types: SuiteTypes = {
  Book: {
    kind: "record",
    members: [
      member("bookId", integer(1)),
      member("title", { kind: "string" }),
      member("genre", genre),
      member("inPrint", { kind: "boolean" }),
      member("pages", integer(1)),
    ],
  },
};
const book: SuiteType = { kind: "reference", target: "Book" };

function method(
  name: string,
  result: SuiteType,
  parameters: readonly SuiteParameter[],
  failures: readonly SuiteFailure[] = [],
): SuiteRpcMethod {
  return describedMethod(name, result, parameters, { parameterStructure: "either", failures });
}

const bookId = required("bookId", integer(1));
const failures = [failure(7, "There is no such book"), failure(8, "The book is lent")];

const methods = [
  method("listbooks", { kind: "record", members: [member("total", integer(0)), member("books", listOf(book))] }, [
    optional("genre", genre),
    // "Only books in print".
    optional("inPrint", { kind: "boolean" }, { isOneSided: true }),
    optional("sort", { kind: "enumeration", values: ["title", "pages"] }),
    optional("order", { kind: "enumeration", values: ["asc", "desc"] }, { default: "asc" }),
    optional("limit", integer(1, 20), { default: 5 }),
    optional("offset", integer(0), { default: 0 }),
  ]),
  method("getbook", book, [bookId], failures),
  method("getblurb", { kind: "string" }, [bookId], failures),
  method("listshelf", listOf({ kind: "string" }), [
    optional("page", integer(1), { default: 1 }),
    optional("perPage", integer(1, 8), { default: 3 }),
  ]),
];

/** The library as described without examples. */
export const bookSuite: RpcSuite = describedSuite("books", methods, types);

function listOf(element: SuiteType): SuiteType {
  return { kind: "list", element };
}
