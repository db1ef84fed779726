import { afterEach, describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import type { GraphqlSuite, SuiteExample } from "../../suite/suite.ts";
import {
  type Library,
  type LibraryFaults,
  type LibraryReply,
  libraryRoot,
  librarySchema,
  librarySuite,
  serveLibrary,
} from "../../testing/graphql-library.ts";

let library: Library | undefined;

afterEach(async () => {
  await library?.close();
  library = undefined;
});

/** Returns the ids of all rules with findings in a report, of any level. */
async function reported(
  faults: LibraryFaults,
  only: readonly string[],
  suite: GraphqlSuite,
): Promise<readonly string[]> {
  library = await serveLibrary(faults);
  const { cases } = await playSuite(suite, { baseUrl: library.url, seed: "00", only, rate: 10_000 });
  return [...new Set(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].toSorted();
}

type Given = Readonly<Record<string, unknown>>;
type Resolve = (given: Given) => unknown;

/** Returns a fault that changes the value of a query field's resolver. */
function resolving(name: string, change: (resolve: Resolve, given: Given) => unknown): LibraryFaults {
  return { root: { [name]: (given: Given) => change(libraryRoot[name] as Resolve, given) } };
}

/** Returns a fault that changes the bodies of responses. */
function replying(change: (body: string, reply: LibraryReply) => Partial<LibraryReply>): LibraryFaults {
  return { reply: (reply) => (typeof reply.body === "string" ? { ...reply, ...change(reply.body, reply) } : reply) };
}

/** Returns a fault that removes parts of request bodies. */
function losing(pattern: RegExp, replacement = ""): LibraryFaults {
  return { request: (exchange) => ({ ...exchange, body: exchange.body.replaceAll(pattern, replacement) }) };
}

/** Returns a fault that changes the value under an alias, or each of its elements. */
function aliased(alias: string, change: (value: Record<string, unknown>) => object): LibraryFaults {
  return replying((body) => {
    const response = JSON.parse(body) as { data?: Record<string, unknown> };
    const value = response.data?.[alias];
    if (value === undefined || value === null) return {};
    const one = (part: unknown) => change(part as Record<string, unknown>);
    const changed = Array.isArray(value) ? value.map(one) : one(value);
    return { body: JSON.stringify({ ...response, data: { ...response.data, [alias]: changed } }) };
  });
}

describe("the library", () => {
  const books = libraryRoot["items"] as (given: Given) => readonly unknown[];
  it.each<[string, string, readonly string[], LibraryFaults]>([
    [
      "an argument that may be null has another effect as null than left out",
      "G211",
      ["Query.items"],
      resolving("items", (resolve, given) => (given["kind"] === null ? [] : resolve(given))),
    ],
    [
      "the query type has another name than its own",
      "G111",
      ["(protocol)/protocol/post"],
      replying((body) => ({ body: body.replace('"Query"', '"Root"') })),
    ],
    [
      "values of an enum are refused as variables, with null data and no path",
      "P012",
      ["Query.items"],
      {
        request: (exchange) => ({
          ...exchange,
          body: exchange.body.replaceAll(/(?<="kind\w*":)"(?:BOOK|FILM)"/g, '"NO_SUCH"'),
        }),
        reply: (reply) => {
          const body = JSON.parse(String(reply.body)) as Record<string, unknown>;
          const isRefused = "errors" in body && !("data" in body);
          return isRefused ? { ...reply, status: 400, body: JSON.stringify({ data: null, ...body }) } : reply;
        },
      },
    ],
    [
      "a limited list begins otherwise",
      "P001",
      ["Query.items"],
      resolving("items", (_resolve, given) =>
        Number(given["limit"]) < 5
          ? books({ ...given, limit: 10 })
              .toReversed()
              .slice(0, Number(given["limit"]))
          : books(given),
      ),
    ],
    [
      "an object is found by every made-up id",
      "P037",
      ["Query.node"],
      resolving(
        "node",
        (resolve, given) =>
          resolve(given) ?? {
            __typename: "Book",
            pages: 1,
            tags: [],
            kind: "BOOK",
            title: "A",
            published: "2001-01-01T00:00:00Z",
            ...given,
          },
      ),
    ],
    [
      "startCursor is null on a page that has edges",
      "G334",
      ["Query.shelf"],
      replying((body) => ({ body: body.replaceAll(/"startCursor":"[^"]*"/g, '"startCursor":null') })),
    ],
    ["directives are ignored", "G203", ["Query.node"], losing(/ ?@(?:skip|include)\(if: [^)]*\)/g)],
    [
      "the first operation is executed",
      "G204",
      ["Query.node"],
      losing(/"operationName":"[^"]*",?/g, '"operationName":null,'),
    ],
    [
      "a field that is selected twice has another value",
      "G206",
      ["Query.items"],
      aliased("twice", (value) => ({ ...value, ...("pages" in value ? { pages: 0 } : {}) })),
    ],
    [
      "values depend on the order of a selection",
      "G210",
      ["Query.items"],
      aliased("reversed", (value) => ({ ...value, ...("pages" in value ? { pages: 0 } : {}) })),
    ],
    ["a selection of nothing is executed", "G412", ["(protocol)"], losing(/"\{ \}"/g, '"{ __typename }"')],
    [
      "errors have no path",
      "G114",
      ["Query.person"],
      replying((body) => ({ body: body.replaceAll(/,"path":\[[^\]]*\]/g, "") })),
    ],
    [
      "refusals are failures of the server",
      "G123",
      ["Query.person"],
      replying((body) => (body.includes('"errors"') ? { status: 500 } : {})),
    ],
    [
      "a mutation by GET is a failure of the server",
      "G570",
      ["(protocol)"],
      {
        reply: (reply, { method, url }) =>
          method === "GET" && url.includes("mutation") ? { ...reply, status: 500 } : reply,
      },
    ],
    [
      "a refusal is a redirect under application/json",
      "G407",
      ["Query.persons"],
      replying((body, { headers }) =>
        body.startsWith('{"errors"')
          ? { status: 302, headers: { ...headers, "content-type": "application/json" } }
          : {},
      ),
    ],
  ])("%s: %s", async (_name, rule, only, faults) => {
    expect(await reported(faults, only, librarySuite())).toContain(rule);
    await library?.close();
    expect(await reported({}, only, librarySuite())).not.toContain(rule);
  });

  it.each([
    ["two fields under one alias", (body: string) => body.replace(/same: (\w+)\\n( *)same: /, "same: $1\\n$2other: ")],
    [
      "a fragment on a type that the field never has",
      (body: string) => body.replace(/\.\.\. on \w+ \{\\n *__typename\\n *\}/, ""),
    ],
  ])("takes %s: G401", async (_what, change) => {
    const only = ["Query.items", "(protocol)/negative/*"];
    const faults: LibraryFaults = { request: (exchange) => ({ ...exchange, body: change(exchange.body) }) };
    expect(await reported(faults, only, librarySuite())).toContain("G401");
    await library?.close();
    expect(await reported({}, only, librarySuite())).not.toContain("G401");
  });

  it("lacks a directive that operations can use: G005", async () => {
    const suite = librarySuite({ schema: `directive @upper on FIELD\n${librarySchema}` });
    const only = ["(protocol)/protocol/introspection"];
    expect(await reported({}, only, suite)).toContain("G005");
    await library?.close();
    expect(await reported({ schema: suite.schema }, only, suite)).not.toContain("G005");
  });
});

describe("a chain", () => {
  const schema = `
    scalar Long
    enum BlockOrder { NAME_ASC NAME_DESC }
    type Transaction { hash: String! value: Int! }
    type Block {
      hash: String!
      number: Long!
      time: Long!
      gas: Long!
      name: String!
      parent: Block
      transactionCount: Int!
      transactions: [Transaction!]!
    }
    type Site { motto: String! }
    type Query {
      block(hash: String!): Block
      blocks(orderBy: BlockOrder): [Block!]!
      site: Site!
    }
  `;
  const hashOf = (index: number): string =>
    `0x${String(index + 1)
      .padStart(2, "0")
      .repeat(32)}`;
  const transactions = Array.from({ length: 5 }, (_none, index) => ({ hash: hashOf(index + 50), value: index * 3 }));
  interface ChainFaults {
    readonly count?: number;
    readonly parent?: number;
    readonly names?: readonly string[];
    readonly motto?: () => string;
    readonly gas?: number;
    readonly message?: string;
  }
  const blockOf = (index: number, faults: ChainFaults): Given => ({
    hash: hashOf(index),
    number: index,
    time: 1000 + index,
    gas: (faults.gas ?? 20) + index,
    name: (faults.names ?? ["Ada", "Bo", "Cy"])[index] ?? "",
    parent: () => (index === 0 ? null : blockOf(faults.parent ?? index - 1, faults)),
    transactionCount: faults.count ?? transactions.length,
    transactions,
  });
  const served = (faults: ChainFaults): LibraryFaults => ({
    schema,
    root: {
      block: ({ hash }: { hash: string }) => {
        const index = [0, 1, 2].find((one) => hashOf(one) === hash);
        if (index === undefined) throw new Error(faults.message ?? "Block not found");
        return blockOf(index, faults);
      },
      blocks: ({ orderBy }: { orderBy?: string | null }) => {
        const all = [0, 1, 2].map((index) => blockOf(index, faults));
        return orderBy === "NAME_DESC" ? all.toReversed() : all;
      },
      site: () => ({ motto: faults.motto?.() ?? "Always open" }),
    },
  });
  const example = (name: string, index: number, outcome: SuiteExample["outcome"]): SuiteExample => ({
    name,
    input: { hash: hashOf(index) },
    outcome,
  });
  const suite = librarySuite({
    schema,
    scalars: {},
    documents: [
      {
        name: "block",
        root: "query",
        text: "query Block($hash: String!) { block(hash: $hash) { hash gas name } }",
        relations: [],
        examples: [
          ...[0, 1].map((index) =>
            example(`number ${index}`, index, {
              kind: "success",
              status: 200,
              value: { block: { hash: hashOf(index), gas: 20 + index, name: ["Ada", "Bo"][index] ?? "" } },
            }),
          ),
          example("nowhere", 90, { kind: "failure", message: "Block not found" }),
        ],
      },
    ],
  });
  const mottos = ["Open daily", "Come in", "Be quick", "Stay here", "Look up", "Dig in", "Go on"];
  let looks = 0;
  const motto = (): string => {
    looks += 1;
    return mottos[looks % mottos.length] ?? "";
  };

  it.each<[string, string, readonly string[], ChainFaults]>([
    ["has another value of what a hash names than is shown", "P030", ["block"], { names: ["Ada", "Bob", "Cy"] }],
    ["has another message than is shown", "P033", ["block"], { message: "No such thing" }],
    ["has a parent that is not one below", "P026", ["Query.blocks"], { parent: 0 }],
    ["has another motto each time", "P011", ["Query.site"], { motto }],
    ["counts more than a list of a round length has", "P006", ["Query.blocks"], { count: 7 }],
    ["sorts names otherwise", "P002", ["Query.blocks"], { names: ["Cy", "Ada", "Bo"] }],
  ])("%s: %s", async (_name, rule, only, faults) => {
    expect(await reported(served(faults), only, suite)).toContain(rule);
    await library?.close();
    expect(await reported(served({}), only, suite)).not.toContain(rule);
  });
});
