import type { RequestListener } from "node:http";
import { GraphQLError, GraphQLScalarType, Kind } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";
import { type ChainBlock, type ChainTransaction, createChain, tipAt } from "./chain-data.ts";
import { transportProbes } from "./transport-probes.ts";
import type { Clock, Probe, World } from "./world.ts";

const chain = createChain("graphql", 1000);

const text = `"A 32-byte hash in lower-case hex with 0x in front."
scalar Hash

"An amount in the smallest unit, as a decimal string."
scalar Amount

enum Network {
  MAIN
  TEST
}

enum TransactionOrder {
  BLOCK
  FEE
}

enum Status {
  PENDING
  CONFIRMED
}

"Whatever has a hash."
interface Hashed {
  hash: Hash!
}

type Block implements Hashed {
  hash: Hash!
  number: Int!
  parent: Block
  timestamp: Int!
  size: Int!
  difficulty: Float!
  transactionCount: Int!
  transactions(first: Int = 10, order: TransactionOrder! = BLOCK): [Transaction!]!
  transactionAt(index: Int!): Transaction
  confirmations: Int!
}

type Transaction implements Hashed {
  hash: Hash!
  index: Int!
  fee: Amount!
  size: Int!
  status: Status!
  block: Block!
  inputs: [Input!]!
  outputs(first: Int): [Output!]!
}

type Coinbase {
  height: Int!
}

type Spend {
  from: Hash!
  output: Int!
  address: Address!
  value: Amount!
}

union Input = Coinbase | Spend

type Output {
  index: Int!
  value: Amount!
  address: Address!
}

type Address {
  text: String!
  balance: Amount!
  transactionCount: Int!
  transactions(first: Int! = 5): [Transaction!]!
}

type Fees {
  slow: Float!
  fast: Float!
}

union SearchResult = Block | Transaction | Address

input BlockFilter {
  minTransactions: Int = 0
  maxSize: Int
}

type Query {
  "The end of the chain."
  tip: Block!
  "By hash or number, one of both; null where there is none."
  block(hash: Hash, number: Int): Block
  "Blocks of a range, both ends included."
  blocks(from: Int!, to: Int!, filter: BlockFilter): [Block!]!
  transaction(hash: Hash!): Transaction
  address(text: String!): Address
  node(hash: Hash!): Hashed
  search(text: String!): [SearchResult!]!
  network: Network!
  fees(blocks: Int! = 6): Fees!
}
`;

const hash = (digits: string): string => `0x${digits}`;

function hashScalar(): GraphQLScalarType {
  const read = (value: unknown): string => {
    if (typeof value !== "string" || !/^0x[0-9a-f]{64}$/.test(value)) {
      throw new GraphQLError("a hash is 0x and 64 hex digits");
    }
    return value;
  };
  return new GraphQLScalarType({
    name: "Hash",
    serialize: read,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
  });
}

interface Context {
  readonly tip: number;
}

function blockByHash(text: string, tip: number): ChainBlock | undefined {
  const block = chain.byHash.get(text.slice(2));
  return block !== undefined && block.height <= tip ? block : undefined;
}

function transactionByHash(text: string, tip: number): ChainTransaction | undefined {
  const transaction = chain.transactions.get(text.slice(2));
  return transaction !== undefined && transaction.height <= tip ? transaction : undefined;
}

function checkFirst(first: number | null | undefined): number | undefined {
  if (typeof first === "number" && (first < 0 || first > 100)) {
    throw new GraphQLError("first is from 0 to 100", { extensions: { code: "BAD_INPUT" } });
  }
  return first ?? undefined;
}

function sumOf(ends: readonly { readonly address: string; readonly value: number }[], address: string): number {
  return ends.reduce((sum, end) => sum + (end.address === address ? end.value : 0), 0);
}

function historyOf(address: string, tip: number): readonly ChainTransaction[] {
  return (chain.byAddress.get(address) ?? []).filter((transaction) => transaction.height <= tip);
}

const resolvers = {
  Hash: hashScalar(),
  Amount: new GraphQLScalarType({ name: "Amount", serialize: (value) => String(value) }),
  Hashed: { __resolveType: (value: object) => ("txid" in value ? "Transaction" : "Block") },
  Input: { __resolveType: (value: object) => ("txid" in value ? "Spend" : "Coinbase") },
  SearchResult: {
    __resolveType: (value: object) => ("txid" in value ? "Transaction" : "text" in value ? "Address" : "Block"),
  },
  Block: {
    hash: (block: ChainBlock) => hash(block.hash),
    number: (block: ChainBlock) => block.height,
    parent: (block: ChainBlock) => chain.blocks[block.height - 1] ?? null,
    timestamp: (block: ChainBlock) => block.time,
    transactionCount: (block: ChainBlock) => block.transactions.length,
    transactions: (block: ChainBlock, { first, order }: { readonly first?: number; readonly order: string }) => {
      const list = [...block.transactions];
      if (order === "FEE") {
        list.sort((one, other) => other.fee - one.fee);
      }
      return list.slice(0, checkFirst(first));
    },
    transactionAt: (block: ChainBlock, { index }: { readonly index: number }) => block.transactions[index] ?? null,
    confirmations: (block: ChainBlock, _input: unknown, { tip }: Context) => tip - block.height + 1,
  },
  Transaction: {
    hash: (transaction: ChainTransaction) => hash(transaction.txid),
    index: (transaction: ChainTransaction) => chain.blocks[transaction.height]?.transactions.indexOf(transaction),
    status: () => "CONFIRMED",
    block: (transaction: ChainTransaction) => chain.blocks[transaction.height],
    inputs: (transaction: ChainTransaction) =>
      transaction.isCoinbase ? [{ height: transaction.height }] : transaction.inputs,
    outputs: (transaction: ChainTransaction, { first }: { readonly first?: number }) =>
      transaction.outputs.map((output, index) => ({ index, ...output })).slice(0, checkFirst(first)),
  },
  Spend: {
    from: (input: { readonly txid: string }) => hash(input.txid),
    output: (input: { readonly vout: number }) => input.vout,
    address: (input: { readonly address: string }) => ({ text: input.address }),
  },
  Output: { address: (output: { readonly address: string }) => ({ text: output.address }) },
  Address: {
    balance: ({ text: address }: { readonly text: string }, _input: unknown, { tip }: Context) =>
      historyOf(address, tip).reduce(
        (sum, transaction) => sum + sumOf(transaction.outputs, address) - sumOf(transaction.inputs, address),
        0,
      ),
    transactionCount: ({ text: address }: { readonly text: string }, _input: unknown, { tip }: Context) =>
      historyOf(address, tip).length,
    transactions: (
      { text: address }: { readonly text: string },
      { first }: { readonly first: number },
      { tip }: Context,
    ) => historyOf(address, tip).slice(0, checkFirst(first)),
  },
  Query: {
    tip: (_root: unknown, _input: unknown, { tip }: Context) => chain.blocks[tip],
    block: (_root: unknown, input: { readonly hash?: string; readonly number?: number }, { tip }: Context) => {
      if ((input.hash == null) === (input.number == null)) {
        throw new GraphQLError("either hash or number", { extensions: { code: "BAD_INPUT" } });
      }
      const found = input.hash != null ? blockByHash(input.hash, tip) : chain.blocks[input.number ?? -1];
      return found !== undefined && found.height <= tip ? found : null;
    },
    blocks: (_root: unknown, { from, to, filter }: BlocksInput, { tip }: Context) => {
      if (from < 0 || to < from || to - from > 50) {
        throw new GraphQLError("a range of at most 51 blocks", { extensions: { code: "BAD_INPUT" } });
      }
      return chain.blocks
        .slice(from, Math.min(to, tip) + 1)
        .filter((block) => block.transactions.length >= (filter?.minTransactions ?? 0))
        .filter((block) => block.size <= (filter?.maxSize ?? Number.POSITIVE_INFINITY));
    },
    transaction: (_root: unknown, { hash: id }: { readonly hash: string }, { tip }: Context) =>
      transactionByHash(id, tip) ?? null,
    address: (_root: unknown, { text: address }: { readonly text: string }) =>
      chain.byAddress.has(address) ? { text: address } : null,
    node: (_root: unknown, { hash: id }: { readonly hash: string }, { tip }: Context) =>
      blockByHash(id, tip) ?? transactionByHash(id, tip) ?? null,
    search: (_root: unknown, { text: wanted }: { readonly text: string }, { tip }: Context) => {
      const found = [blockByHash(wanted, tip), transactionByHash(wanted, tip)];
      const address = chain.byAddress.has(wanted) ? { text: wanted } : undefined;
      return [...found, address].filter((one) => one !== undefined);
    },
    network: () => "MAIN",
    fees: (_root: unknown, { blocks }: { readonly blocks: number }) => {
      if (blocks < 1 || blocks > 1000) {
        throw new GraphQLError("blocks is from 1 to 1000", { extensions: { code: "BAD_INPUT" } });
      }
      return { slow: 1.5, fast: 1.5 + 60 / blocks };
    },
  },
};

interface BlocksInput {
  readonly from: number;
  readonly to: number;
  readonly filter?: { readonly minTransactions?: number | null; readonly maxSize?: number | null } | null;
}

function createListener(clock: Clock): RequestListener {
  const yoga = createYoga({
    schema: createSchema({ typeDefs: text, resolvers }),
    context: (): Context => ({ tip: tipAt(clock()) }),
    graphiql: false,
    landingPage: false,
    logging: false,
  });
  return (request, response) => void yoga(request, response);
}

const shown = chain.blocks[77] as ChainBlock;
const shownTransaction = shown.transactions[1] as ChainTransaction;
const shownAddress = shownTransaction.outputs[0]?.address as string;

const operations = `query Tip {
  tip { hash number timestamp }
}

query BlockByHash($hash: Hash = "${hash(shown.hash)}") {
  block(hash: $hash) { ...blockFields parent { hash number } }
}

query BlockByNumber($number: Int = 77) {
  block(number: $number) {
    ...blockFields
    transactions(first: 3) { hash index fee inputs { __typename ... on Spend { from output value } } }
  }
}

query Transaction($hash: Hash! = "${hash(shownTransaction.txid)}") {
  transaction(hash: $hash) {
    hash
    index
    fee
    status
    block { hash number }
    outputs { index value address { text } }
  }
}

query Address($text: String! = "${shownAddress}") {
  address(text: $text) { text balance transactionCount transactions(first: 2) { hash } }
}

query Search($text: String! = "${hash(shown.hash)}") {
  search(text: $text) { __typename ... on Block { hash number } ... on Transaction { hash } ... on Address { text } }
}

fragment blockFields on Block {
  hash
  number
  timestamp
  size
  difficulty
  transactionCount
}
`;

function corpus(): readonly Probe[] {
  const id = hash(shown.hash);
  const transaction = hash(shownTransaction.txid);
  const fields = "hash number timestamp size difficulty transactionCount confirmations";
  const queries = [
    `{ tip { __typename ${fields} } network fees { slow fast } }`,
    `{ block(hash: "${id}") { ${fields} parent { hash number } transactions { hash index fee size status } } }`,
    "{ block(number: 77) { hash transactions(first: 2) { hash } transactionAt(index: 1) { hash } } }",
    "{ block(number: 12) { hash number transactions(order: FEE) { hash fee } } }",
    "{ a: block(number: 12) { n: number } b: block(number: 13) { n: number } }",
    "{ block(number: 99999) { hash } }",
    "{ blocks(from: 10, to: 14) { number hash size transactionCount } }",
    "{ blocks(from: 10, to: 20, filter: { minTransactions: 4 }) { number transactionCount } }",
    "{ blocks(from: 10, to: 20, filter: { maxSize: 2000 }) { number size } }",
    `{ transaction(hash: "${transaction}") { hash index fee size status block { hash number } inputs { __typename ... on Coinbase { height } ... on Spend { from output value address { text } } } outputs { index value address { text } } } }`,
    `{ transaction(hash: "${hash(shown.transactions[0]?.txid ?? "")}") { inputs { __typename ... on Coinbase { height } } outputs(first: 1) { index } } }`,
    `{ address(text: "${shownAddress}") { text balance transactionCount transactions { hash } } }`,
    `{ address(text: "${shownAddress}") { transactions(first: 2) { hash } } }`,
    `{ node(hash: "${id}") { __typename hash ... on Block { number } } }`,
    `{ node(hash: "${transaction}") { __typename hash ... on Transaction { fee } } }`,
    `{ search(text: "${id}") { __typename ... on Block { number } } }`,
    `{ search(text: "${shownAddress}") { __typename ... on Address { text } } }`,
    "{ fees(blocks: 1) { slow fast } }",
    "{ fees(blocks: 6) { slow fast } }",
    "query ($skip: Boolean = true) { network @skip(if: $skip) tip { number @include(if: false) hash } }",
    "query A { network } query B { network }",
    "{ fees(blocks: 0) { slow } network }",
    "{ block { hash } network }",
    '{ block(hash: "0x12") { hash } }',
    '{ block(number: "77") { hash } }',
    "{ blocks(from: 5, to: 1) { hash } }",
    "{ nothing }",
    "{ tip }",
    "{ transaction { hash } }",
    "{",
    "{ __schema { queryType { name } types { name kind fields { name args { name defaultValue type { name kind ofType { name kind } } } type { name kind ofType { name kind } } } enumValues { name } possibleTypes { name } inputFields { name defaultValue } interfaces { name } } directives { name } } }",
    '{ __type(name: "Block") { name fields { name } } }',
    "query Named { network } ",
    "{ ...on Query { network } ...q } fragment q on Query { tip { hash } }",
  ];
  const withVariables: readonly Probe[] = [
    { kind: "graphql", query: "query ($n: Int!) { block(number: $n) { hash number } }", variables: { n: 12 } },
    { kind: "graphql", query: "query ($n: Int = 3) { block(number: $n) { number } }" },
    { kind: "graphql", query: "query ($n: Int!) { block(number: $n) { hash } }", variables: { n: "x" } },
    { kind: "graphql", query: "query ($n: Int!) { block(number: $n) { hash } }" },
    { kind: "graphql", query: "query ($b: Int!) { fees(blocks: $b) { fast } }", variables: { b: 60 } },
  ];
  return [
    ...queries.map((query): Probe => ({ kind: "graphql", query })),
    ...withVariables,
    ...transportProbes("{ network }"),
  ];
}

/** A chain that grows, with interfaces, unions and example operations: GraphQL Yoga. */
export const graphqlExplorer: World = {
  name: "graphql-explorer",
  kind: "graphql",
  isLive: true,
  document: { fileName: "explorer.graphql", text },
  operations: { fileName: "examples.graphql", text: operations },
  basePath: "/graphql",
  corpus: corpus(),
  createListener,
};
