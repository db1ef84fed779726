import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, GraphQLError, type GraphQLSchema } from "graphql";
import { createHandler, type Handler } from "graphql-http";
import type { GraphqlSuite } from "../suite/suite.ts";

/** A schema with something of everything. */
export const librarySchema: string = `
"A date and time of RFC 3339."
scalar DateTime

enum Kind {
  BOOK
  FILM
}

interface Node {
  id: ID!
}

interface Item implements Node {
  id: ID!
  title: String!
  kind: Kind!
}

type Book implements Item & Node {
  id: ID!
  title: String!
  kind: Kind!
  pages: Int!
  price: Float
  published: DateTime!
  tags: [String!]!
  author: Person
}

type Film implements Item & Node {
  id: ID!
  title: String!
  kind: Kind!
  minutes: Int!
  isSilent: Boolean!
  director: Person!
}

type Person implements Node {
  id: ID!
  name: String!
  itemCount: Int!
  items: [Item!]!
  works(first: Int): [Item!]!
  mail: String @deprecated(reason: "nobody writes")
}

union Found = Book | Film | Person

type Shelf {
  edges: [ShelfEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
}

type ShelfEdge {
  cursor: String!
  node: Item!
}

type PageInfo {
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}

input BookFilter {
  title: String
  minimumPages: Int = 0
  kinds: [Kind!]
}

type Query {
  node(id: ID!): Node
  person(id: ID!): Person
  persons: [Person!]!
  items(kind: Kind, limit: Int = 10, offset: Int = 0): [Item!]!
  shelf(first: Int, after: String): Shelf!
  search(text: String!): [Found!]!
  books(filter: BookFilter!): [Book!]!
  sum(values: [Int!]!): Int!
}

type Mutation {
  rename(id: ID!, title: String!): Item!
}
`;

/** The suite of the library, as it is read from its SDL. */
export function librarySuite(parts: Partial<GraphqlSuite> = {}): GraphqlSuite {
  return {
    format: 2,
    name: "library",
    title: "Library",
    version: "1",
    source: "library.graphql",
    security: {},
    types: {},
    protocol: "graphql",
    schema: librarySchema,
    scalars: { DateTime: { kind: "string", integer: false, pattern: "^\\d{4}-\\d{2}-\\d{2}T" } as never },
    documents: [],
    ...parts,
  };
}

const names = ["Ada", "Bo", "Cy"];

interface PersonValue {
  readonly __typename: "Person";
  readonly id: string;
  readonly name: string;
  readonly mail: null;
  itemCount(): number;
  items(): readonly ItemValue[];
  works(given: { first?: number | null }): readonly ItemValue[];
}

interface ItemValue {
  readonly __typename: "Book" | "Film";
  readonly id: string;
  readonly title: string;
  readonly kind: "BOOK" | "FILM";
  readonly pages: number;
  readonly price: number | null;
  readonly published: string;
  readonly tags: readonly string[];
  readonly minutes: number;
  readonly isSilent: boolean;
  author(): PersonValue;
  director(): PersonValue;
}

const persons: readonly PersonValue[] = names.map((name, index) => ({
  __typename: "Person",
  id: `p${index}`,
  name,
  mail: null,
  itemCount: () => itemsOf(index).length,
  items: () => itemsOf(index),
  works: ({ first }) => itemsOf(index).slice(0, first ?? 100),
}));

const items: readonly ItemValue[] = Array.from({ length: 7 }, (_, index) => ({
  __typename: index % 2 === 0 ? "Book" : "Film",
  id: `i${index}`,
  title: `Title ${index}`,
  kind: index % 2 === 0 ? "BOOK" : "FILM",
  pages: 100 + index,
  price: index === 2 ? null : index + 0.5,
  published: `200${index}-01-01T00:00:00Z`,
  tags: [`t${index}`, "all"],
  minutes: 90 + index,
  isSilent: index > 3,
  author: () => personAt(index),
  director: () => personAt(index),
}));

function personAt(index: number): PersonValue {
  const person = persons[index % names.length];
  if (person === undefined) throw new Error("There is a person for each item");
  return person;
}

function itemsOf(person: number): readonly ItemValue[] {
  return items.filter((_, index) => index % names.length === person);
}

/** Resolvers of the query type. */
export const libraryRoot: Readonly<Record<string, unknown>> = {
  node: ({ id }: { id: string }) => [...items, ...persons].find((one) => one.id === id) ?? null,
  person: ({ id }: { id: string }) => {
    const person = persons.find((one) => one.id === id);
    if (person === undefined) throw new GraphQLError("Person not found", { extensions: { code: "NOT_FOUND" } });
    return person;
  },
  persons: () => persons,
  items: ({ kind, limit, offset }: { kind?: string | null; limit: number | null; offset: number | null }) =>
    items
      .filter((one) => kind === undefined || kind === null || one.kind === kind)
      .slice(offset ?? 0, (offset ?? 0) + (limit ?? 10)),
  shelf: ({ first, after }: { first?: number | null; after?: string | null }) => {
    const start = after === undefined || after === null ? 0 : Number(after.slice(1)) + 1;
    const page = items.slice(start, start + (first ?? items.length));
    const edges = page.map((node) => ({ cursor: `c${node.id.slice(1)}`, node }));
    return {
      edges,
      totalCount: items.length,
      pageInfo: {
        hasNextPage: start + page.length < items.length,
        hasPreviousPage: start > 0,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    };
  },
  search: ({ text }: { text: string }) =>
    [...items, ...persons].filter((one) => ("title" in one ? one.title : one.name).includes(text)),
  books: ({ filter }: { filter: { title?: string; minimumPages: number } }) =>
    items.filter(
      (one) =>
        one.kind === "BOOK" &&
        one.pages >= filter.minimumPages &&
        (filter.title === undefined || one.title === filter.title),
    ),
  sum: ({ values }: { values: readonly number[] }) => values.reduce((sum, one) => sum + one, 0),
  rename: () => {
    renamed += 1;
    return items[0];
  },
};

let renamed = 0;

/** Times that something was changed, which conformance runs must not do by themselves. */
export function libraryChanges(): number {
  return renamed;
}

/** What is sent, so that it can be changed on its way. */
export interface LibraryExchange {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LibraryReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Ways in which the library can be another than it should be. */
export interface LibraryFaults {
  readonly root?: Readonly<Record<string, unknown>>;
  readonly schema?: string;
  readonly request?: (exchange: LibraryExchange) => LibraryExchange;
  readonly reply?: (reply: LibraryReply, exchange: LibraryExchange) => LibraryReply;
}

export interface Library {
  readonly url: string;
  requests(): number;
  close(): Promise<void>;
}

/** Serves the library on loopback with `graphql-http`, which passes all audits of GraphQL over HTTP. */
export async function serveLibrary(faults: LibraryFaults = {}): Promise<Library> {
  const schema: GraphQLSchema = buildSchema(faults.schema ?? librarySchema);
  const handler: Handler = createHandler({ schema, rootValue: { ...libraryRoot, ...faults.root } });
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void respond(handler, faults, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  handler: Handler,
  faults: LibraryFaults,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const received: LibraryExchange = {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
  const requested = faults.request?.(received) ?? received;
  const [body, init] = await handler({ ...requested, raw: undefined, context: undefined });
  const reply: LibraryReply = {
    status: init.status,
    headers: { ...init.headers },
    body: body ?? "",
  };
  const sent = faults.reply?.(reply, received) ?? reply;
  response.writeHead(sent.status, sent.headers);
  response.end(sent.body);
}
