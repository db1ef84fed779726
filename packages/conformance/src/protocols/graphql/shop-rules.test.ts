import { GraphQLError } from "graphql";
import { afterEach, describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { type Library, type LibraryFaults, librarySuite, serveLibrary } from "../../testing/graphql-library.ts";
import { blamedCases, blamedRules } from "../../testing/blamed-cases.ts";

const schema = `
"An amount with two decimals, as a text."
scalar Money

"A day as YYYY-MM-DD."
scalar Day

scalar Region

enum LampOrder { PRICE_ASC PRICE_DESC }

input LampFilter {
  maxPrice: Money
  soldAfter: Day
  "Inclusive."
  soldUntil: Day
  tag: String
  hasNote: Boolean
  maker: Region
}

interface Article {
  id: ID!
  name: String!
}

type Lamp implements Article {
  id: ID!
  name: String!
  price: Money!
  soldOn: Day!
  tags: [String!]!
  note: String
  maker: Maker!
}

type Desk implements Article {
  id: ID!
  name: String!
}

type Maker {
  name: String!
  region: Region!
}

type Order {
  number: Int!
  code: ID!
  buyer: Buyer!
  lamps(limit: Int! = 5): [Lamp!]!
}

type OrderPage {
  items: [Order!]!
  totalCount: Int!
}

type Buyer {
  id: ID!
  name: String!
  orders(limit: Int = 5): OrderPage!
}

type BuyerPage {
  items: [Buyer!]!
  totalCount: Int!
  hasMore: Boolean!
}

type Turnover {
  year: Int
  total: Money!
  months: [String!]!
}

union Found = Lamp | Desk | Buyer

type Query {
  "An article. Null when there is none."
  article(id: ID!): Article
  "An order by its number or its code, but not both."
  order(number: Int, code: ID): Order
  lamps(filter: LampFilter, orderBy: LampOrder = PRICE_ASC, limit: Int! = 20, offset: Int! = 0): [Lamp!]!
  buyer(id: ID!): Buyer
  buyers(name: String, limit: Int! = 5, offset: Int! = 0): BuyerPage!
  orders: [Order!]!
  turnover(year: Int): Turnover!
  found: [Found!]!
}
`;

/** Current fault of the server; empty: none. */
let fault = "";

interface Filter {
  readonly maxPrice?: string | null;
  readonly soldAfter?: string | null;
  readonly soldUntil?: string | null;
  readonly tag?: string | null;
  readonly hasNote?: boolean | null;
  readonly maker?: string | null;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const prices = [
  "9.50",
  "105.00",
  "28.75",
  "31.00",
  "7.25",
  "250.00",
  "12.00",
  "99.90",
  "18.00",
  "42.10",
  "5.00",
  "64.00",
];
const lamps = prices.map((price, index) => ({
  __typename: "Lamp",
  id: `lamp-${index}-x`,
  name: `Lamp ${index}`,
  price,
  soldOn: `2024-0${1 + (index % 9)}-1${index % 10}`,
  tags: index % 2 === 0 ? ["floor", "old"] : ["wall"],
  note: index % 3 === 0 ? "Handle with care" : null,
  maker: { name: `Maker ${index % 3}`, region: `region-${index % 3}` },
}));
const desks = [0, 1].map((index) => ({ __typename: "Desk", id: `desk-${index}-x`, name: `Desk ${index}` }));
const buyers = Array.from({ length: 13 }, (_, index) => ({
  __typename: "Buyer",
  id: `buyer-${index}-x`,
  name: `Buyer ${index}`,
  orders: ({ limit }: { limit?: number | null }): { items: readonly unknown[]; totalCount: number } => {
    const own = fault === "orders of anyone" ? orders : orders.filter((one) => one.owner === index);
    return { items: own.slice(0, limit ?? 5), totalCount: own.length };
  },
}));
const orders = Array.from({ length: 4 }, (_, index) => ({
  number: 100 + index,
  code: `order-${index}-x`,
  owner: index % 2,
  buyer: () => buyers[index % 2],
  lamps: ({ limit }: { limit: number }) => {
    if (limit < 0) throw new GraphQLError("limit must not be negative", { extensions: { code: "BAD_USER_INPUT" } });
    return lamps.slice(index, index + limit);
  },
}));

function isChosen(lamp: (typeof lamps)[number], filter: Filter): boolean {
  const isPriced =
    filter.maxPrice == null ||
    (fault === "maxPrice as the least"
      ? Number(lamp.price) >= Number(filter.maxPrice)
      : Number(lamp.price) <= Number(filter.maxPrice));
  const isBefore =
    filter.soldUntil == null ||
    (fault === "soldUntil without its end" ? lamp.soldOn < filter.soldUntil : lamp.soldOn <= filter.soldUntil);
  return (
    isPriced &&
    isBefore &&
    (filter.soldAfter == null || fault === "soldAfter is ignored" || lamp.soldOn > filter.soldAfter) &&
    (filter.tag == null || fault === "tag is ignored" || lamp.tags.includes(filter.tag)) &&
    (filter.hasNote == null || fault === "hasNote is ignored" || (lamp.note !== null) === filter.hasNote) &&
    (filter.maker == null || fault === "maker is ignored" || lamp.maker.region === filter.maker)
  );
}

function pageOf<Element>(list: readonly Element[], { limit, offset }: Page, isFaulty: boolean): readonly Element[] {
  const start = isFaulty && fault === "offset skips one more" && offset > 0 ? offset + 1 : offset;
  const end = start + limit - (isFaulty && fault === "pages are one short" ? 1 : 0);
  if (isFaulty && fault === "offset counts pages") return list.slice(offset * limit, offset * limit + limit);
  return list.slice(start, Math.max(start, end));
}

const root = {
  article: ({ id }: { id: string }) => {
    const found = [...lamps, ...desks].find((one) => one.id === id);
    if (found === undefined && fault === "an error for nothing")
      throw new GraphQLError("Not found", { extensions: { code: "NOT_FOUND" } });
    if (found === undefined && fault === "a crash for nothing") throw new TypeError("reading 'id' of undefined");
    if (found?.__typename === "Desk" && fault === "desks are not found") return null;
    if (found?.id === "lamp-8-x" && fault === "a member fails") return { ...found, price: null };
    return found !== undefined && fault === "another type" ? { ...lamps[0], id, name: found.name } : (found ?? null);
  },
  order: ({ number, code }: { number?: number | null; code?: string | null }) => {
    if (number != null && code != null)
      throw new GraphQLError("number or code, not both", { extensions: { code: "BAD_USER_INPUT" } });
    return orders.find((one) => one.number === number || one.code === code) ?? null;
  },
  lamps: ({ filter, orderBy, ...page }: Page & { filter?: Filter | null; orderBy?: string | null }) => {
    const chosen = lamps.filter((lamp) => isChosen(lamp, filter ?? {}));
    const sign = orderBy === "PRICE_DESC" && fault !== "down is up" ? -1 : 1;
    return pageOf(
      chosen.toSorted((left, right) => sign * (Number(left.price) - Number(right.price))),
      page,
      true,
    );
  },
  buyer: ({ id }: { id: string }) => buyers.find((one) => one.id === id) ?? null,
  buyers: ({ name, ...page }: Page & { name?: string | null }) => {
    const chosen = buyers.filter((one) => name == null || one.name === name);
    const items = pageOf(chosen, page, true);
    const total = fault === "the total is not of what is chosen" ? buyers.length : chosen.length;
    return {
      items,
      totalCount:
        fault === "the total is of the page" ? items.length : fault === "the total is one more" ? total + 1 : total,
      hasMore: fault === "there is always more" || page.offset + items.length < chosen.length,
    };
  },
  orders: () => orders,
  turnover: ({ year }: { year?: number | null }) => {
    const isOfAll = year == null || fault === "the year is only named";
    return {
      year: fault === "the year is not named" ? null : (year ?? null),
      total: isOfAll ? "300.00" : year === 2023 || year === 2024 ? "150.00" : "0.00",
      months: isOfAll ? ["2023-05", "2024-06"] : year === 2023 ? ["2023-05"] : year === 2024 ? ["2024-06"] : [],
    };
  },
  found: () => [buyers[0], lamps[0], desks[0], buyers[1], lamps[1], desks[1]],
};

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
  fault = "";
});

async function play(wrong: string, only: readonly string[], reply: LibraryFaults["reply"] = (given) => given) {
  fault = wrong;
  library = await serveLibrary({ schema, root, reply });
  const scalar = { kind: "string", integer: false } as never;
  const suite = librarySuite({ schema, scalars: { Money: scalar, Day: scalar, Region: scalar } });
  return await playSuite(suite, { baseUrl: library.url, seed: "00", rate: 10_000, only, maxCallsPerOperation: 60 });
}

function reported(report: Report, level: string): readonly string[] {
  if (level === "MUST") return blamedRules(report);
  const found = report.cases.flatMap(({ id, findings }) => findings.map((one) => ({ id, ...one })));
  return [...new Set(found.filter((one) => one.level === level).map(({ rule }) => rule))].toSorted();
}

describe("a shop", () => {
  it("is well where nothing is wrong", async () => {
    const report = await play("", []);
    expect(blamedCases(report)).toEqual([]);
    expect(reported(report, "SHOULD")).toEqual(["G410"]);
    const passed = report.cases.filter(({ verdict }) => verdict === "passed").map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining([
        "Query.article/live/found-by-id",
        "Query.article/relation/id-of-nothing",
        "Query.lamps/relation/sort",
        "Query.lamps/relation/pagination",
        "Query.lamps/relation/range",
        "Query.buyers/relation/pagination",
        "Query.buyers/relation/filter",
      ]),
    );
  });

  it.each([
    ["down is up", "Query.lamps/relation/sort", "P002"],
    ["maxPrice as the least", "Query.lamps/relation/range", "P005"],
    ["soldAfter is ignored", "Query.lamps/relation/range", "P005"],
    ["soldUntil without its end", "Query.lamps/relation/range", "P005"],
    ["tag is ignored", "Query.lamps/relation/filter", "P004"],
    ["hasNote is ignored", "Query.lamps/relation/filter", "P004"],
    ["maker is ignored", "Query.lamps/relation/filter", "P004"],
    ["pages are one short", "Query.lamps/relation/limit", "P001"],
    ["pages are one short", "Query.buyers/relation/limit", "P001"],
    ["offset skips one more", "Query.buyers/relation/pagination", "P003"],
    ["offset counts pages", "Query.lamps/relation/pagination", "P003"],
    ["the total is of the page", "Query.buyers/relation/pagination", "P003"],
    ["the total is one more", "Query.buyers/relation/pagination", "P003"],
    ["the total is not of what is chosen", "Query.buyers/relation/filter", "P004"],
    ["there is always more", "Query.buyers/relation/pagination", "P003"],
    ["orders of anyone", "Query.buyer/live/found-by-id", "G303"],
    ["an error for nothing", "Query.article/relation/id-of-nothing", "P036"],
    ["a crash for nothing", "Query.article/relation/id-of-nothing", "P036"],
    ["another type", "Query.article/relation/embedded", "P023"],
    ["desks are not found", "Query.article/relation/embedded", "P024"],
    ["a member fails", "Query.article/relation/embedded", "P012"],
  ])("is not where %s (%s)", async (wrong, only, rule) => {
    expect(reported(await play(wrong, [only]), "MUST")).toContain(rule);
  });

  it("is not where an error of one field takes the others with it", async () => {
    const report = await play("an error for nothing", ["Query.article/relation/id-of-nothing"], (reply) => {
      if (!String(reply.body).includes('"errors"') || !String(reply.body).includes('"data"')) return reply;
      const { errors } = JSON.parse(String(reply.body)) as { errors: unknown };
      return { ...reply, body: JSON.stringify({ errors, data: null }) };
    });
    expect(reported(report, "MUST")).toEqual(expect.arrayContaining(["G117", "G318"]));
  });

  it("is asked by GET with what servers want that fear other sites", async () => {
    const wants = await play("", ["Query.turnover/relation/get"], (reply, { method, headers }) =>
      method === "GET" && headers["apollo-require-preflight"] === undefined
        ? { ...reply, status: 400, body: JSON.stringify({ errors: [{ message: "This may be a forgery" }] }) }
        : reply,
    );
    expect(wants.cases.find(({ id }) => id === "Query.turnover/relation/get")?.verdict).toBe("passed");
  });
});
