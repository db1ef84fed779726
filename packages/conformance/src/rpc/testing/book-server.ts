import type { RequestListener } from "node:http";
import type { RpcSuite, SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { isRecord } from "../../types/is-record.ts";

export type BookInput = Readonly<Record<string, unknown>>;

/** What a library answers; a method that throws an error with a code answers that. */
export interface BookMethods {
  listbooks(input: BookInput): unknown;
  getbook(input: BookInput): unknown;
  getblurb(input: BookInput): unknown;
  listshelf(input: BookInput): unknown;
}

export class BookFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const genres = ["novel", "poems", "essay"];

const books = Array.from({ length: 11 }, (_none, index) => ({
  bookId: 40 + index * 3,
  title: `${["Blue", "Grey", "Pale", "Dark"][index % 4]} book ${(index * 7) % 11}`,
  genre: genres[(index * 2) % 3],
  inPrint: index % 4 !== 1,
  pages: 100 + ((index * 53) % 300),
}));

/** What a right library answers. */
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
  if (book === undefined) throw new BookFailure(7, "There is no such book");
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

function argument(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "argument", required: false, type, ...more };
}

function method(
  name: string,
  result: SuiteType,
  parameters: readonly SuiteParameter[],
  failures: readonly SuiteFailure[] = [],
): SuiteRpcMethod {
  return {
    name,
    method: name,
    origin: name,
    tags: [],
    parameters,
    successes: [{ status: 200, headers: [], content: { mediaType: "application/json", form: "json", type: result } }],
    failures,
    examples: [],
    links: [],
    relations: [],
    marks: { disabledByDefault: false, nodeControl: false, units: 1 },
  };
}

const bookId = argument("bookId", integer(1), { required: true });
const failures: readonly SuiteFailure[] = [
  { name: "NoBook", rpcCode: 7, message: "There is no such book", contents: [], headers: [] },
  { name: "Lent", rpcCode: 8, message: "The book is lent", contents: [], headers: [] },
];

const methods = [
  method("listbooks", { kind: "record", members: [member("total", integer(0)), member("books", listOf(book))] }, [
    argument("genre", genre),
    argument("inPrint", { kind: "boolean" }),
    argument("sort", { kind: "enumeration", values: ["title", "pages"] }),
    argument("order", { kind: "enumeration", values: ["asc", "desc"] }, { default: "asc" }),
    argument("limit", integer(1, 20), { default: 5 }),
    argument("offset", integer(0), { default: 0 }),
  ]),
  method("getbook", book, [bookId], failures),
  method("getblurb", { kind: "string" }, [bookId], failures),
  method("listshelf", listOf({ kind: "string" }), [
    argument("page", integer(1), { default: 1 }),
    argument("perPage", integer(1, 8), { default: 3 }),
  ]),
];

/** The library as somebody describes it who wrote no examples. */
export const bookSuite: RpcSuite = {
  format: 2,
  protocol: "rpc",
  name: "books",
  title: "Books",
  version: "1",
  source: "books.json",
  security: {},
  types,
  envelope: "one",
  operations: methods,
};

function listOf(element: SuiteType): SuiteType {
  return { kind: "list", element };
}

/** Serves a library. */
export function bookListener(answers: BookMethods): RequestListener {
  return async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const value = request.method === "POST" ? answerOf(text, answers) : undefined;
    if (value === undefined) response.writeHead(request.method === "POST" ? 204 : 405).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
}

function answerOf(text: string, answers: BookMethods): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failed(null, -32700, "Parse error");
  }
  if (!Array.isArray(message)) return one(message, answers);
  if (message.length === 0) return failed(null, -32600, "Invalid Request");
  const given = message.map((item) => one(item, answers)).filter((item) => item !== undefined);
  return given.length === 0 ? undefined : given;
}

function one(message: unknown, answers: BookMethods): unknown {
  const isRequest = isRecord(message) && message["jsonrpc"] === "2.0" && typeof message["method"] === "string";
  const id = isRecord(message) ? message["id"] : null;
  const isId = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  if (!isRequest || !isId) return failed(isId ? (id ?? null) : null, -32600, "Invalid Request");
  const { params = [] } = message;
  if (typeof params !== "object" || params === null) return failed(id ?? null, -32600, "Invalid Request");
  const answer = called(String(message["method"]), params, answers);
  return id === undefined ? undefined : { jsonrpc: "2.0", id, ...answer };
}

function called(name: string, params: object, answers: BookMethods): Readonly<Record<string, unknown>> {
  const described = methods.find((one) => one.name === name);
  if (described === undefined) return { error: { code: -32601, message: "Method not found" } };
  try {
    return { result: answers[name as keyof BookMethods](inputOf(described, params)) };
  } catch (error) {
    if (!(error instanceof BookFailure)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function inputOf({ parameters }: SuiteRpcMethod, params: object): BookInput {
  const given: BookInput = Array.isArray(params)
    ? Object.fromEntries(params.map((value, index) => [parameters[index]?.name ?? `(${index})`, value]))
    : (params as BookInput);
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  for (const [name, value] of Object.entries(given)) {
    const parameter = known.get(name);
    if (parameter === undefined || !isOf(parameter.type, value)) throw new BookFailure(-32602, "Invalid params");
  }
  if (parameters.some(({ name, required }) => required && given[name] === undefined)) {
    throw new BookFailure(-32602, "Invalid params");
  }
  return given;
}

function isOf(type: SuiteType, value: unknown): boolean {
  if (type.kind === "enumeration") return type.values.includes(value);
  if (type.kind === "boolean") return typeof value === "boolean";
  if (type.kind !== "number") return true;
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = type;
  return Number.isInteger(value) && Number(value) >= Number(minimum) && Number(value) <= Number(maximum);
}

function failed(id: unknown, code: number, message: string): unknown {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
