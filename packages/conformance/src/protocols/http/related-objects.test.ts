import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer, text } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

function member(name: string, type: SuiteType): RecordMember {
  return { name, type, required: true };
}

function reference(target: string): SuiteType {
  return { kind: "reference", target };
}

function inPath(name: string, type: SuiteType): SuiteParameter {
  return { name, property: name, location: "path", required: true, type };
}

const failures = [
  { name: "Invalid", status: 400, contents: [], headers: [] },
  { name: "NotFound", status: 404, contents: [], headers: [] },
];
const code: SuiteType = { kind: "string", pattern: "^au_[0-9a-z]{6}$" };
const author: SuiteType = { kind: "record", members: [member("id", reference("AuthorId")), member("name", text)] };
const summary: SuiteType = {
  kind: "record",
  members: [
    member("isbn", reference("Isbn")),
    member("author_id", reference("AuthorId")),
    member("price", reference("Money")),
  ],
};
const book: SuiteType = {
  kind: "record",
  members: [member("isbn", reference("Isbn")), member("title", text), member("price", reference("Money"))],
};
const shop = httpSuite(
  [
    httpOperation("listAuthors", "/authors", { kind: "list", element: author }),
    httpOperation("getAuthor", "/authors/{author_id}", author, {
      failures,
      parameters: [inPath("author_id", reference("AuthorId"))],
    }),
    httpOperation(
      "listAuthorBooks",
      "/authors/{author_id}/books",
      { kind: "list", element: summary },
      {
        failures,
        parameters: [inPath("author_id", reference("AuthorId"))],
      },
    ),
    httpOperation("listBooks", "/books", { kind: "list", element: summary }),
    httpOperation("getBook", "/books/{isbn}", book, { failures, parameters: [inPath("isbn", reference("Isbn"))] }),
  ],
  {
    types: {
      AuthorId: code,
      Isbn: { kind: "string", pattern: "^978[0-9]{10}$" },
      Money: { kind: "record", members: [member("amount", integer), member("currency", text)] },
    },
  },
);

const authors = ["au_4112d2", "au_404b00", "au_9a8b7c"].map((id, index) => ({ id, name: `Author ${index}` }));
const books = Array.from({ length: 7 }, (_none, index) => ({
  isbn: `97829925253${70 + index}`,
  author_id: authors[index % 3]?.id ?? "",
  price: { amount: 900 + index, currency: "EUR" },
}));

interface Fault {
  readonly price?: (price: (typeof books)[number]["price"]) => object;
  readonly owner?: (id: string) => string;
  readonly unknown?: number;
}

function store({ price = (one) => one, owner = (id) => id, unknown = 404 }: Fault = {}) {
  const shown = (one: (typeof books)[number]): object => ({ ...one, price: price(one.price) });
  return ({ path }: TestRequest): TestResponse => {
    if (path === "/authors") return { status: 200, body: authors };
    if (path === "/books") return { status: 200, body: books.map(shown) };
    const isbn = /^\/books\/(978\d{10})$/.exec(path)?.[1];
    const found = books.find((one) => one.isbn === isbn);
    if (isbn !== undefined) {
      return found === undefined
        ? { status: 404 }
        : { status: 200, body: { isbn, title: `Book ${isbn}`, price: found.price } };
    }
    const [, id, part] = /^\/authors\/(au_[0-9a-z]{6})(\/books)?$/.exec(path) ?? [];
    if (id === undefined) return { status: /^\/(?:authors|books)\/[^/]+(?:\/books)?$/.test(path) ? 400 : 404 };
    const known = authors.find((one) => one.id === id);
    if (part === undefined) return known === undefined ? { status: 404 } : { status: 200, body: known };
    if (known === undefined) return unknown === 404 ? { status: 404 } : { status: 200, body: [] };
    const own = books.filter((one) => one.author_id === id);
    return { status: 200, body: own.map((one) => ({ ...one, author_id: owner(id) })) };
  };
}

describe("What stands in several answers", () => {
  test("is right where all say the same", async () => {
    expect(await failedRules(shop, store())).toEqual([]);
  });

  test("is blamed where a list shows another amount of the same declared type", async () => {
    const inCents = store({ price: ({ amount, currency }) => ({ amount: amount * 100, currency }) });
    expect(await failedRules(shop, inCents)).toContain("P023");
  });

  test("may be shortened in a list, which is blamed for another text", async () => {
    const withCurrency = (currency: string) => store({ price: ({ amount }) => ({ amount, currency }) });
    expect(await failedRules(shop, withCurrency("E…"))).toEqual([]);
    expect(await failedRules(shop, withCurrency("U…"))).toContain("P023");
  });

  test("is blamed where the list of one thing has what is of another", async () => {
    const others = store({ owner: (id) => (id === authors[0]?.id ? id : "au_zzzzzz") });
    expect(await failedRules(shop, others)).toContain("P022");
  });

  test("is blamed where there are parts of what is not found itself", async () => {
    expect(await failedRules(shop, store({ unknown: 200 }))).toEqual(["P036"]);
  });
});

const places = httpSuite(
  [
    httpOperation("listPlaces", "/places", { kind: "list", element: reference("Place") }),
    httpOperation("getPlace", "/places/{id}", reference("Place"), { failures, parameters: [inPath("id", integer)] }),
  ],
  { types: { Place: { kind: "record", members: [member("id", integer), member("looks", integer)] } } },
);

test.each([1, 0])("A counter that rises by %d at each read of the object is compared where it stays", async (step) => {
  const looks = new Map([1, 2, 3].map((id) => [id, id * 5]));
  const failed = await failedRules(places, ({ path }) => {
    if (path === "/places") return { status: 200, body: [...looks].map(([id, count]) => ({ id, looks: count })) };
    const id = Number(/^\/places\/(\d{1,9})$/.exec(path)?.[1]);
    const before = looks.get(id);
    if (before === undefined) return { status: Number.isNaN(id) ? 400 : 404 };
    looks.set(id, before + step);
    return { status: 200, body: { id, looks: before + 1 } };
  });
  expect(failed).toEqual(step === 1 ? [] : ["P023"]);
});

test("A member that is now one and now the other is not compared, whichever objects are the same by chance", async () => {
  const offices = httpSuite(
    [
      httpOperation("listOffices", "/offices", { kind: "list", element: reference("Office") }),
      httpOperation("getOffice", "/offices/{id}", reference("Office"), {
        failures,
        parameters: [inPath("id", integer)],
      }),
    ],
    { types: { Office: { kind: "record", members: [member("id", integer), member("open", { kind: "boolean" })] } } },
  );
  const ids = [1, 2, 3, 4];
  let turn = 0;
  const failed = await failedRules(offices, ({ path }) => {
    if (path === "/offices") {
      turn += 1;
      return { status: 200, body: ids.map((id) => ({ id, open: id % 2 === 0 ? true : turn % 2 === 0 })) };
    }
    const id = Number(/^\/offices\/(\d{1,9})$/.exec(path)?.[1]);
    if (!ids.includes(id)) return { status: Number.isNaN(id) ? 400 : 404 };
    return { status: 200, body: { id, open: id % 2 === 0 ? false : turn % 2 === 1 } };
  });
  expect(failed).not.toContain("P023");
});

const block: SuiteType = {
  kind: "record",
  members: [member("height", integer), member("hash", reference("Hash")), member("size", integer)],
};
const chain = httpSuite(
  [
    httpOperation("getBlock", "/blocks/{height}", block, {
      failures,
      parameters: [inPath("height", { ...integer, minimum: 0 } as SuiteType)],
    }),
    httpOperation("getStatus", "/status", {
      kind: "record",
      members: [
        member("name", text),
        member("head", { kind: "record", members: [member("height", integer), member("hash", reference("Hash"))] }),
      ],
    }),
  ],
  { types: { Hash: { kind: "string", pattern: "^[0-9a-f]{8}$" } } },
);

function node(headHash: string) {
  return ({ path }: TestRequest): TestResponse => {
    if (path === "/status") return { status: 200, body: { name: "small", head: { height: 7, hash: headHash } } };
    const height = /^\/blocks\/(\d{1,9})$/.exec(path)?.[1];
    if (height === undefined) return { status: path.startsWith("/blocks/") ? 400 : 404 };
    if (Number(height) > 7) return { status: 404 };
    return { status: 200, body: { height: Number(height), hash: `0000000${height}`, size: 200 } };
  };
}

test("A part of what is looked up says the same as the whole", async () => {
  expect(await failedRules(chain, node("00000007"))).toEqual([]);
  expect(await failedRules(chain, node("00000005"))).toEqual(["P023"]);
});

const depot = httpSuite(
  [
    httpOperation("newestCrate", "/crates/newest", reference("Crate")),
    httpOperation("getCrate", "/crates/{id}", reference("Crate"), { failures, parameters: [inPath("id", integer)] }),
  ],
  { types: { Crate: { kind: "record", members: [member("id", integer), member("label", text)] } } },
);

function crates(newest: unknown) {
  return ({ path }: TestRequest): TestResponse => {
    if (path === "/crates/newest") return { status: 200, body: newest };
    const id = /^\/crates\/(\d{1,9})$/.exec(path)?.[1];
    if (id === undefined) return { status: 400 };
    return Number(id) > 9 ? { status: 404 } : { status: 200, body: { id: Number(id), label: `Crate ${id}` } };
  };
}

test("What an operation documented to return one object returns is found by its identifier, and is the same there", async () => {
  expect(await failedRules(depot, crates({ id: 9, label: "Crate 9" }))).toEqual([]);
  expect(await failedRules(depot, crates({ id: 9, label: "Another" }))).toEqual(["P023"]);
  expect(await failedRules(depot, crates({ id: 77, label: "Crate 77" }))).toEqual(["P024"]);
});
