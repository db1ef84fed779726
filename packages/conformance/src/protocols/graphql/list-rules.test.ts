import { afterEach, describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { type Library, type LibraryFaults, librarySuite, serveLibrary } from "../../testing/graphql-library.ts";
import { blamedCases, blamedRules } from "../../testing/blamed-cases.ts";

const schema = `
enum Kind {
  OAK
  ASH
  ELM
}

enum TreeOrder {
  HEIGHT_ASC
  HEIGHT_DESC
  NAME
}

input ParkFilter {
  city: String
}

input TreeFilter {
  kind: Kind
  kindIn: [Kind!]
  heightMin: Int
  nameContains: String
  parkId: ID
  park: ParkFilter
}

type Park {
  id: ID!
  city: String!
  trees(kind: Kind, first: Int, after: String, last: Int, before: String): TreeConnection!
}

type Tree {
  id: ID!
  name: String!
  kind: Kind!
  height: Int!
  park: Park!
}

type TreeConnection {
  edges: [TreeEdge!]!
  nodes: [Tree!]!
  pageInfo: PageInfo!
  totalCount: Int!
}

type TreeEdge {
  cursor: String!
  node: Tree!
}

type PageInfo {
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}

type TreePage {
  items: [Tree!]!
  total: Int!
}

type Query {
  park(id: ID!): Park
  trees(filter: TreeFilter, orderBy: TreeOrder = NAME): [Tree!]!
  treePage(kind: Kind, limit: Int = 20, descending: Boolean = false): TreePage!
}
`;

interface PageGiven {
  readonly kind?: string | null;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

interface Filter {
  readonly kind?: string | null;
  readonly kindIn?: readonly string[] | null;
  readonly heightMin?: number | null;
  readonly nameContains?: string | null;
  readonly parkId?: string | null;
  readonly park?: { readonly city?: string | null } | null;
}

interface Tree {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly height: number;
  readonly park: () => ReturnType<typeof parkOf>;
}

/** Faults of the server. */
interface Faults {
  readonly filter?: (filter: Filter) => Filter;
  readonly filtered?: (trees: readonly Tree[], filter: Filter) => readonly Tree[];
  readonly order?: (order: string) => string;
  readonly page?: (page: Connection, given: PageGiven) => Connection;
  readonly given?: (given: PageGiven) => PageGiven;
  readonly pageKind?: (kind: string | null | undefined) => string | null | undefined;
  readonly descending?: (descending: boolean) => boolean;
}

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: Tree }[];
  readonly nodes: readonly Tree[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

let faults: Faults = {};

const kinds = ["OAK", "ASH", "ELM"];
const cities = ["Bonn", "Kiel"];

function treeOf(index: number): Tree {
  const name = ["Mona", "Albert", "Zita", "Frida", "Curt", "Wim", "Lene"][index] ?? "";
  const kind = kinds[index % 3] ?? "";
  return { id: `t${index}`, name, kind, height: 10 + ((index * 5) % 7), park: () => parkOf(index % 2) };
}

const all: readonly Tree[] = Array.from({ length: 7 }, (_, index) => treeOf(index));

function parkOf(index: number): {
  readonly id: string;
  readonly city: string;
  readonly trees: (given: PageGiven) => Connection;
} {
  const own = all.filter((_, position) => position % 2 === index);
  return { id: `p${index}`, city: cities[index] ?? "", trees: (given) => connectionOf(own, given) };
}

function connectionOf(own: readonly Tree[], requested: PageGiven): Connection {
  const given = faults.given?.(requested) ?? requested;
  const list = own.filter(({ kind }) => given.kind == null || kind === given.kind);
  const positionOf = (cursor: string): number => list.findIndex(({ id }) => `c${id}` === cursor);
  let start = given.after == null ? 0 : positionOf(given.after) + 1;
  let end = given.before == null ? list.length : positionOf(given.before);
  if (given.first != null) end = Math.min(end, start + given.first);
  if (given.last != null) start = Math.max(start, end - given.last);
  const nodes = list.slice(start, end);
  const edges = nodes.map((node) => ({ cursor: `c${node.id}`, node }));
  const page: Connection = {
    edges,
    nodes,
    totalCount: list.length,
    pageInfo: {
      hasNextPage: end < list.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
  return faults.page?.(page, requested) ?? page;
}

function isChosen(tree: Tree, filter: Filter): boolean {
  return (
    (filter.kind == null || tree.kind === filter.kind) &&
    (filter.kindIn == null || filter.kindIn.includes(tree.kind)) &&
    (filter.heightMin == null || tree.height >= filter.heightMin) &&
    (filter.nameContains == null || tree.name.toLowerCase().includes(filter.nameContains.toLowerCase())) &&
    (filter.parkId == null || tree.park().id === filter.parkId) &&
    (filter.park?.city == null || tree.park().city === filter.park.city)
  );
}

function sorted(trees: readonly Tree[], order: string): readonly Tree[] {
  if (order === "NAME") return trees.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const sign = order === "HEIGHT_DESC" ? -1 : 1;
  return trees.toSorted((left, right) => sign * (left.height - right.height));
}

const root = {
  park: ({ id }: { id: string }) => cities.map((_, index) => parkOf(index)).find((one) => one.id === id) ?? null,
  trees: ({ filter, orderBy }: { filter?: Filter | null; orderBy?: string | null }) => {
    const requested = filter ?? {};
    const used = faults.filter?.(requested) ?? requested;
    const chosen = all.filter((tree) => isChosen(tree, used));
    const order = orderBy ?? "NAME";
    return sorted(faults.filtered?.(chosen, requested) ?? chosen, faults.order?.(order) ?? order);
  },
  treePage: (given: { kind?: string | null; limit?: number | null; descending?: boolean | null }) => {
    const kind = faults.pageKind === undefined ? given.kind : faults.pageKind(given.kind);
    const list = all.filter((tree) => kind == null || tree.kind === kind);
    const isDown = faults.descending?.(given.descending === true) ?? given.descending === true;
    const items = (isDown ? list.toReversed() : list).slice(0, given.limit ?? 20);
    return { items, total: list.length };
  },
};

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
  faults = {};
});

async function play(wrong: Faults = {}, reply: LibraryFaults["reply"] = (given) => given): Promise<Report> {
  faults = wrong;
  library = await serveLibrary({ schema, root, reply });
  const suite = librarySuite({ schema, scalars: {} });
  return await playSuite(suite, { baseUrl: library.url, seed: "00", rate: 10_000 });
}

function broken(report: Report, level: string): readonly string[] {
  if (level === "MUST") return blamedRules(report);
  const found = report.cases.flatMap(({ findings }) => findings).filter((one) => one.level === level);
  return [...new Set(found.map(({ rule }) => rule))].toSorted();
}

describe("lists and pages", () => {
  it("are well at a server that is right", async () => {
    const report = await play();
    expect(blamedCases(report).map(({ id }) => id)).toEqual([]);
    expect(broken(report, "SHOULD")).toEqual(["G410"]);
    const ids = report.cases.filter(({ verdict }) => verdict === "passed").map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        "Query.trees/relation/filter",
        "Query.trees/relation/sort",
        "Query.treePage/relation/filter",
        "Query.treePage/relation/sort",
        "Query.park/relation/park-trees-pages",
        "Query.park/relation/park-trees-filter",
      ]),
    );
  });

  const without =
    (name: keyof Filter) =>
    (filter: Filter): Filter =>
      Object.fromEntries(Object.entries(filter).filter(([key]) => key !== name));
  const info = (change: Partial<Connection["pageInfo"]>) => (page: Connection) => ({
    ...page,
    pageInfo: { ...page.pageInfo, ...change },
  });

  const cases: readonly (readonly [string, Faults, string])[] = [
    ["a filter's choice is ignored", { filter: without("kind") }, "P004"],
    ["a filter's list of choices is ignored", { filter: without("kindIn") }, "P004"],
    ["a filter's least is ignored", { filter: without("heightMin") }, "P005"],
    ["a filter by what elements lead to is ignored", { filter: without("parkId") }, "P004"],
    ["a filter's inner object is ignored", { filter: without("park") }, "P004"],
    ["a filter's part of a text is ignored", { filter: without("nameContains") }, "P004"],
    ["a filter selects nothing", { filtered: (trees, { kind }) => (kind == null ? trees : []) }, "P004"],
    ["a filter leaves one out", { filtered: (trees, { kindIn }) => (kindIn == null ? trees : trees.slice(1)) }, "P004"],
    ["a page's choice is ignored", { pageKind: () => null }, "P004"],
    ["one choice stands for another", { pageKind: (kind) => (kind === "ELM" ? "OAK" : kind) }, "P004"],
    ["an order is ignored", { order: () => "NAME" }, "P002"],
    ["an order is the other way round", { order: (order) => order.replace("_DESC", "_ASC") }, "P002"],
    ["a direction is ignored", { descending: () => false }, "P002"],
    ["a connection's choice is ignored", { given: ({ kind: _, ...rest }) => rest }, "P004"],
    [
      "a page after a cursor skips one",
      { page: (page, { after }) => (after == null ? page : shortened(page)) },
      "G314",
    ],
    ["before is ignored", { given: ({ before: _, ...rest }) => rest }, "G314"],
    [
      "last is taken for first",
      { given: ({ last, ...rest }) => (last == null ? rest : { ...rest, first: last }) },
      "G313",
    ],
    ["there is always more", { page: info({ hasNextPage: true }) }, "G315"],
    [
      "there is always more behind a full page",
      {
        page: (page, { first }) => ({
          ...page,
          pageInfo: { ...page.pageInfo, hasNextPage: page.edges.length === first },
        }),
      },
      "G315",
    ],
    ["there is always something before", { page: info({ hasPreviousPage: true }) }, "G315"],
    ["the first cursor is another", { page: info({ startCursor: "c-1" }) }, "G315"],
    ["the count is of the page", { page: (page) => ({ ...page, totalCount: page.edges.length }) }, "P006"],
    ["the count is one more", { page: (page) => ({ ...page, totalCount: page.totalCount + 1 }) }, "P006"],
    ["nodes are not those of the edges", { page: (page) => ({ ...page, nodes: page.nodes.toReversed() }) }, "G313"],
    [
      "all edges have one cursor",
      { page: (page) => ({ ...page, edges: page.edges.map((edge) => ({ ...edge, cursor: "c" })) }) },
      "G314",
    ],
  ];

  it.each(cases)("%s", async (_name, wrong, rule) => {
    expect(broken(await play(wrong), "MUST")).toContain(rule);
  });

  it("fails where a field fails whose arguments only say how it is answered", async () => {
    const report = await play({
      descending: (isDown) => {
        if (!isDown) throw new Error("Unexpected failure");
        return isDown;
      },
    });
    expect(broken(report, "MUST")).toContain("P012");
  });

  it("fails where a valid request is refused for a value of an argument below the root", async () => {
    const report = await play({}, (reply, { body }) =>
      /trees\(/.test(body) && body.includes('"ELM"')
        ? { ...reply, status: 400, body: JSON.stringify({ errors: [{ message: "Unexpected failure" }] }) }
        : reply,
    );
    const found = report.cases.filter(({ id }) => id.startsWith("Query.park/boundary/park-trees-"));
    expect(found.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toContain("P012");
  });
});

function shortened(page: Connection): Connection {
  return { ...page, edges: page.edges.slice(1), nodes: page.nodes.slice(1) };
}
