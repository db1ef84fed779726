import type { RequestListener } from "node:http";
import { GraphQLError, GraphQLScalarType } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";
import { createRandom } from "../random.ts";
import { transportProbes } from "./transport-probes.ts";
import type { Probe, World } from "./world.ts";

const random = createRandom("library");
const words = ["quiet", "river", "stone", "winter", "garden", "letter", "silver", "north", "paper", "cloud"] as const;
const genres = ["NOVEL", "POETRY", "HISTORY", "SCIENCE"] as const;

interface Author {
  readonly id: string;
  readonly name: string;
  readonly born: string | null;
  readonly aliases: readonly string[];
}

interface Book {
  readonly id: string;
  readonly title: string;
  readonly genre: (typeof genres)[number];
  readonly pages: number;
  readonly rating: number | null;
  readonly available: boolean;
  readonly published: string;
  readonly authorIds: readonly string[];
}

function day(): string {
  return new Date(Date.UTC(1900 + random.below(100), random.below(12), 1 + random.below(28)))
    .toISOString()
    .slice(0, 10);
}

const authors: readonly Author[] = Array.from({ length: 12 }, (_, index) => ({
  id: `author:${index + 1}`,
  name: `${random.pick(words)} ${random.pick(words)}`,
  born: index % 4 === 3 ? null : day(),
  aliases: random.shuffle(words).slice(0, random.below(3)),
}));

const books: readonly Book[] = Array.from({ length: 45 }, (_, index) => ({
  id: `book:${index + 1}`,
  title: `The ${random.pick(words)} ${random.pick(words)} ${index + 1}`,
  genre: random.pick(genres),
  pages: 40 + random.below(900),
  rating: random.below(5) === 0 ? null : random.below(50) / 10,
  available: random.below(3) > 0,
  published: day(),
  authorIds: random
    .shuffle(authors)
    .slice(0, 1 + random.below(2))
    .map((author) => author.id),
}));

const text = `scalar Date

interface Node {
  id: ID!
}

type PageInfo {
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}

enum Genre {
  NOVEL
  POETRY
  HISTORY
  SCIENCE
}

enum BookSort {
  TITLE
  PAGES
  PUBLISHED
}

type Author implements Node {
  id: ID!
  name: String!
  born: Date
  aliases: [String!]!
  books(first: Int! = 10, after: String): BookConnection!
  bookCount: Int!
}

type Book implements Node {
  id: ID!
  title: String!
  genre: Genre!
  pages: Int!
  rating: Float
  available: Boolean!
  published: Date!
  authors: [Author!]!
  related(limit: Int = 3): [Book!]
}

type AuthorEdge {
  cursor: String!
  node: Author!
}

type AuthorConnection {
  totalCount: Int!
  edges: [AuthorEdge!]!
  pageInfo: PageInfo!
}

type BookEdge {
  cursor: String!
  node: Book!
}

type BookConnection {
  totalCount: Int!
  edges: [BookEdge!]!
  nodes: [Book!]!
  pageInfo: PageInfo!
}

type GenreCount {
  genre: Genre!
  count: Int!
}

input BookFilter {
  genre: Genre
  available: Boolean
  minPages: Int
  titleContains: String
}

input NewBook {
  title: String!
  genre: Genre! = NOVEL
}

type Query {
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  author(id: ID!): Author
  authors(first: Int = 10, after: String): AuthorConnection!
  book(id: ID!): Book
  books(first: Int = 10, after: String, filter: BookFilter, sort: BookSort, descending: Boolean! = false): BookConnection!
  genreCounts: [GenreCount!]!
  randomQuote: String @deprecated(reason: "no longer kept")
}

type Mutation {
  addBook(book: NewBook!): Book!
}
`;

interface Page {
  readonly first?: number | null;
  readonly after?: string | null;
}

function connection<Item extends { readonly id: string }>(items: readonly Item[], { first, after }: Page): unknown {
  if (typeof first === "number" && (first < 0 || first > 100)) {
    throw new GraphQLError("first is from 0 to 100", { extensions: { code: "BAD_USER_INPUT" } });
  }
  const cursor = (item: Item): string => Buffer.from(`cursor ${item.id}`).toString("base64");
  const start = after == null ? 0 : items.findIndex((item) => cursor(item) === after) + 1;
  if (after != null && start === 0) {
    throw new GraphQLError("after is no cursor of this list", { extensions: { code: "BAD_USER_INPUT" } });
  }
  const page = items.slice(start, start + (first ?? 10));
  const [head, last] = [page[0], page.at(-1)];
  return {
    totalCount: items.length,
    edges: page.map((node) => ({ cursor: cursor(node), node })),
    nodes: page,
    pageInfo: {
      hasNextPage: start + page.length < items.length,
      hasPreviousPage: start > 0,
      startCursor: head === undefined ? null : cursor(head),
      endCursor: last === undefined ? null : cursor(last),
    },
  };
}

interface BooksInput extends Page {
  readonly filter?: {
    readonly genre?: string | null;
    readonly available?: boolean | null;
    readonly minPages?: number | null;
    readonly titleContains?: string | null;
  } | null;
  readonly sort?: "TITLE" | "PAGES" | "PUBLISHED" | null;
  readonly descending: boolean;
}

function findBooks({ filter, sort, descending }: BooksInput): readonly Book[] {
  const found = books.filter(
    (book) =>
      (filter?.genre == null || book.genre === filter.genre) &&
      (filter?.available == null || book.available === filter.available) &&
      (filter?.minPages == null || book.pages >= filter.minPages) &&
      (filter?.titleContains == null || book.title.includes(filter.titleContains)),
  );
  if (sort != null) {
    const key = sort.toLowerCase() as "title" | "pages" | "published";
    found.sort((one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0));
  }
  return descending ? found.reverse() : found;
}

const nodeOf = (id: string): Author | Book | null =>
  authors.find((author) => author.id === id) ?? books.find((book) => book.id === id) ?? null;

const resolvers = {
  Date: new GraphQLScalarType({ name: "Date" }),
  Node: { __resolveType: (value: object) => ("title" in value ? "Book" : "Author") },
  Author: {
    books: (author: Author, input: Page) =>
      connection(
        books.filter((book) => book.authorIds.includes(author.id)),
        input,
      ),
    bookCount: (author: Author) => books.filter((book) => book.authorIds.includes(author.id)).length,
  },
  Book: {
    authors: (book: Book) => book.authorIds.map(nodeOf),
    related: (book: Book, { limit }: { readonly limit?: number | null }) => {
      if (typeof limit === "number" && limit < 0) {
        throw new GraphQLError("limit is not negative", { extensions: { code: "BAD_USER_INPUT" } });
      }
      return books.filter((other) => other.genre === book.genre && other.id !== book.id).slice(0, limit ?? 3);
    },
  },
  Query: {
    node: (_root: unknown, { id }: { readonly id: string }) => nodeOf(id),
    nodes: (_root: unknown, { ids }: { readonly ids: readonly string[] }) => ids.map(nodeOf),
    author: (_root: unknown, { id }: { readonly id: string }) => authors.find((author) => author.id === id) ?? null,
    authors: (_root: unknown, input: Page) => connection(authors, input),
    book: (_root: unknown, { id }: { readonly id: string }) => books.find((book) => book.id === id) ?? null,
    books: (_root: unknown, input: BooksInput) => connection(findBooks(input), input),
    genreCounts: () => genres.map((genre) => ({ genre, count: books.filter((book) => book.genre === genre).length })),
    randomQuote: () => null,
  },
  Mutation: { addBook: () => books[0] },
};

function createListener(): RequestListener {
  const yoga = createYoga({
    schema: createSchema({ typeDefs: text, resolvers }),
    graphiql: false,
    landingPage: false,
    logging: false,
  });
  return (request, response) => void yoga(request, response);
}

function corpus(): readonly Probe[] {
  const page = "totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
  const book = "id title genre pages rating available published";
  const cursor = Buffer.from("cursor book:4").toString("base64");
  const queries = [
    `{ books { ${page} edges { cursor node { __typename ${book} } } nodes { id } } }`,
    `{ books(first: 3) { ${page} nodes { ${book} authors { id name } related { id } } } }`,
    `{ books(first: 2, after: "${cursor}") { ${page} edges { cursor node { id } } } }`,
    "{ books(filter: { genre: POETRY }) { totalCount nodes { id genre } } }",
    "{ books(filter: { available: true, minPages: 300 }) { totalCount nodes { available pages } } }",
    "{ books(filter: { available: false }) { totalCount nodes { available } } }",
    '{ books(filter: { titleContains: "river" }) { totalCount nodes { title } } }',
    "{ books(sort: TITLE) { nodes { title } } }",
    "{ books(sort: PAGES, descending: true) { nodes { pages } } }",
    "{ books(sort: PUBLISHED, first: 20) { nodes { published } } }",
    "{ books(descending: true, first: 2) { nodes { id } } }",
    "{ books(descending: false, first: 10) { nodes { id } } }",
    `{ authors { ${page} edges { cursor node { id name born aliases bookCount } } } }`,
    "{ authors(first: 4) { edges { node { id books { totalCount nodes { id } } } } } }",
    '{ author(id: "author:2") { __typename id name born aliases bookCount books(first: 1) { totalCount nodes { id } } } }',
    `{ book(id: "book:3") { ${book} authors { id name } related(limit: 1) { id genre } } }`,
    '{ book(id: "book:9") { id title related { id } } }',
    '{ node(id: "book:3") { __typename id ... on Book { title } } }',
    '{ node(id: "author:3") { __typename id ... on Author { name } } }',
    '{ nodes(ids: ["author:1", "nothing", "book:5"]) { __typename id } }',
    '{ author(id: "nobody") { id } book(id: "nothing") { id } node(id: "x") { id } }',
    "{ genreCounts { genre count } }",
    "{ randomQuote }",
    '{ a: book(id: "book:1") { t: title } b: book(id: "book:2") { t: title } }',
    "query ($no: Boolean = true) { genreCounts @skip(if: $no) { count } authors(first: 1) { totalCount @include(if: false) edges { cursor } } }",
    "{ ...q } fragment q on Query { authors(first: 1) { ...c } } fragment c on AuthorConnection { totalCount }",
    "{ books(first: 101) { totalCount } genreCounts { count } }",
    "{ books(first: -1) { totalCount } }",
    '{ authors(after: "rubbish") { totalCount } }',
    '{ book(id: "book:1") { id related(limit: -1) { id } } }',
    "{ books(sort: WEIGHT) { totalCount } }",
    "{ books(filter: { colour: 1 }) { totalCount } }",
    '{ books(first: "3") { totalCount } }',
    "{ author { id } }",
    "{ unknown }",
    "{ books }",
    "{",
    "{ __schema { queryType { name } mutationType { name } types { name kind fields(includeDeprecated: true) { name isDeprecated args { name defaultValue type { name kind ofType { name kind } } } type { name kind ofType { name kind } } } enumValues { name } possibleTypes { name } inputFields { name defaultValue } interfaces { name } } directives { name } } }",
    '{ __type(name: "Book") { name fields { name } } }',
    "query A { genreCounts { count } } query B { genreCounts { genre } }",
  ];
  return [
    ...queries.map((query): Probe => ({ kind: "graphql", query })),
    { kind: "graphql", query: "query ($id: ID!) { book(id: $id) { id title } }", variables: { id: "book:7" } },
    { kind: "graphql", query: "query ($id: ID!) { author(id: $id) { id } }", variables: { id: "author:1" } },
    { kind: "graphql", query: "query ($id: ID!) { node(id: $id) { id } }", variables: { id: "book:8" } },
    {
      kind: "graphql",
      query: "query ($f: BookFilter) { books(filter: $f) { totalCount } }",
      variables: { f: { genre: "NOVEL" } },
    },
    { kind: "graphql", query: "query ($n: Int) { authors(first: $n) { edges { cursor } } }", variables: { n: 2 } },
    { kind: "graphql", query: "query ($n: Int = 2) { authors(first: $n) { edges { cursor } } }" },
    { kind: "graphql", query: "query ($id: ID!) { book(id: $id) { id } }" },
    { kind: "graphql", query: "query ($n: Int) { authors(first: $n) { totalCount } }", variables: { n: "two" } },
    ...transportProbes("{ genreCounts { count } }"),
  ];
}

/** A still library with Relay's connections and no example operations: GraphQL Yoga. */
export const graphqlLibrary: World = {
  name: "graphql-library",
  kind: "graphql",
  isLive: false,
  document: { fileName: "library.graphql", text },
  basePath: "/graphql",
  corpus: corpus(),
  createListener,
};
