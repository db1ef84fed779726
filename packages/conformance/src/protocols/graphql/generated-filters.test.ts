import { afterEach, describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { type Library, librarySuite, serveLibrary } from "../../testing/graphql-library.ts";

/** In the form of interfaces that are generated from a database. */
const schema = `
input Int_comparison {
  _eq: Int
  _gte: Int
}

input item_filter {
  _and: [item_filter!]
  _or: [item_filter!]
  _not: item_filter
  quantity: Int_comparison
}

type item {
  id: Int!
  quantity: Int!
}

type Query {
  items(where: item_filter): [item!]!
}
`;

interface Filter {
  readonly _and?: readonly Filter[];
  readonly _or?: readonly Filter[];
  readonly _not?: Filter;
  readonly quantity?: { readonly _eq?: number; readonly _gte?: number };
}

const items = Array.from({ length: 6 }, (_, place) => ({ id: place + 1, quantity: (place * 3) % 5 }));

function isWanted(quantity: number, filter: Filter): boolean {
  const comparison = filter.quantity ?? {};
  if ([...Object.values(filter), ...Object.values(comparison)].includes(null)) throw new Error("Unexpected null value");
  const { _eq = quantity, _gte = quantity } = comparison;
  return (
    (filter._and ?? []).every((one) => isWanted(quantity, one)) &&
    (filter._or === undefined || filter._or.some((one) => isWanted(quantity, one))) &&
    (filter._not === undefined || !isWanted(quantity, filter._not)) &&
    quantity === _eq &&
    quantity >= _gte
  );
}

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
});

async function play(): Promise<Report> {
  library = await serveLibrary({
    schema,
    root: {
      items: ({ where }: { where?: Filter | null }) => items.filter(({ quantity }) => isWanted(quantity, where ?? {})),
    },
  });
  return await playSuite(librarySuite({ schema }), { baseUrl: library.url, seed: "00", rate: 10_000 });
}

describe("a filter that holds itself", () => {
  it("has its wrong values planned, to a depth", async () => {
    const { cases, notices } = await play();
    expect(notices.join()).not.toContain("could not be planned");
    expect(cases.filter(({ group }) => group === "negative").map(({ operation }) => operation)).toContain(
      "Query.items",
    );
  });

  it("may refuse null for a member that may be left out", async () => {
    const { cases } = await play();
    expect(cases.filter(({ verdict }) => verdict === "failed").map(({ id }) => id)).toEqual([]);
  });
});
