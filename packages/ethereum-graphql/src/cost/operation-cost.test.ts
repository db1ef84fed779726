import { readFileSync } from "node:fs";
import { buildSchema, getNamedType, isListType, isNonNullType, isObjectType, parse } from "graphql";
import { afterAll, describe, expect, it } from "vitest";
import { defaultCostFigures } from "./cost-figures.ts";
import { CostScope } from "./cost-scope.ts";
import { fieldCosts } from "./field-costs.ts";
import { findOperationCost, operationCost } from "./operation-cost.ts";

/** Limit of the plan `default`. */
const costLimit = 10_000;
const limits = { blocks: 1_000, logBlocks: 10_000 };
const head = 20_000_000;

function requestOf(query: string, variables: Readonly<Record<string, unknown>> = {}) {
  const document = parse(query);
  const operation = document.definitions.find((definition) => definition.kind === "OperationDefinition");
  if (operation === undefined) throw new Error("There is no operation");
  return { document, operation, variables };
}

function costOf(query: string, variables?: Readonly<Record<string, unknown>>, height: number | undefined = head) {
  return operationCost(requestOf(query, variables), { limits }, height).units;
}

const wholeLog = "index data topics account { address }";
const wholeTransaction = `hash nonce index from { address } to { address } value gasPrice maxFeePerGas maxPriorityFeePerGas
  effectiveTip gas inputData status gasUsed cumulativeGasUsed effectiveGasPrice createdContract { address } r s v yParity
  type accessList { address storageKeys } logs { ${wholeLog} }`;
const completeBlock = `number hash nonce transactionsRoot transactionCount stateRoot receiptsRoot miner { address } extraData gasLimit
  gasUsed baseFeePerGas timestamp logsBloom mixHash difficulty ommerCount ommerHash withdrawals { index validator address amount }
  transactions { ${wholeTransaction} }`;

function accounts(count: number, fields: string): string {
  return Array.from(
    { length: count },
    (_, index) => `a${index}: account(address: "0x${"0".repeat(40)}") { ${fields} }`,
  ).join(" ");
}

function times(count: number, selection: string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(" ");
}

const table: readonly (readonly [name: string, query: string, from: number, to: number])[] = [
  ["a block's number and hash", "{ block { number hash } }", 1, 2],
  ["gas price", "{ gasPrice }", 1, 1],
  ["a transaction with its receipt", `{ transaction(hash: "0x00") { ${wholeTransaction} } }`, 2, 10],
  ["ten accounts, two fields", `{ block { ${accounts(10, "balance transactionCount")} } }`, 20, 30],
  ["a hundred accounts, three fields", `{ block { ${accounts(100, "balance transactionCount code")} } }`, 300, 400],
  ["500 accounts, three fields", `{ block { ${accounts(500, "balance transactionCount code")} } }`, 1_500, 2_000],
  [
    "20 blocks with hashes of transactions",
    "{ blocks(from: 1, to: 20) { number hash transactions { hash } } }",
    100,
    2_000,
  ],
  ["a whole block with logs", `{ block { ${completeBlock} } }`, 100, 500],
  ["20 whole blocks with logs", `{ blocks(from: 1, to: 20) { ${completeBlock} } }`, 2_000, costLimit],
  ["1,000 headers", "{ blocks(from: 1, to: 1000) { number hash parent { hash } } }", 1_000, costLimit],
  ["the logs of a block", `{ logs(filter: {}) { ${wholeLog} transaction { hash } } }`, 100, 500],
  [
    "logs of a contract in 10,000 blocks",
    `{ logs(filter: { fromBlock: 1, toBlock: 10000, addresses: ["0x00"] }) { ${wholeLog} } }`,
    1_000,
    costLimit,
  ],
  ["100 calls", `{ block { ${times(100, 'call(data: { data: "0x" }) { data status }')} } }`, 1_000, costLimit],
  ["the transactions that wait", "{ pending { transactions { hash } } }", 100, 1_000],
  ["1,000 whole blocks", `{ blocks(from: 1, to: 1000) { ${completeBlock} } }`, 100_000, Number.POSITIVE_INFINITY],
  [
    "blocks without an end",
    "{ blocks(from: 0) { transactions { hash value from { address } } } }",
    costLimit + 1,
    Number.POSITIVE_INFINITY,
  ],
  [
    "each transaction's block's transactions",
    "{ block { transactions { block { transactions { hash } } } } }",
    costLimit + 1,
    Number.POSITIVE_INFINITY,
  ],
  [
    "all logs of 100 blocks",
    "{ logs(filter: { fromBlock: 1, toBlock: 100 }) { data } }",
    costLimit + 1,
    Number.POSITIVE_INFINITY,
  ],
  [
    "the block of each log of 10,000",
    '{ logs(filter: { fromBlock: 1, toBlock: 10000, addresses: ["0x00"] }) { transaction { block { hash } } } }',
    costLimit + 1,
    Number.POSITIVE_INFINITY,
  ],
  [
    "the whole block of each of 100 logs",
    '{ logs(filter: { fromBlock: 1, toBlock: 100, addresses: ["0x00"] }) { transaction { block { transactions { hash } } } } }',
    5_000,
    costLimit,
  ],
  [
    "500 calls with gas",
    `{ block { ${times(500, 'call(data: { data: "0x" }) { gasUsed }')} } }`,
    costLimit + 1,
    Number.POSITIVE_INFINITY,
  ],
  [
    "five blocks in RLP, 500 times",
    `{ blocks(from: 1, to: 5) { ${times(500, "raw")} } }`,
    costLimit + 1,
    Number.POSITIVE_INFINITY,
  ],
];

const inGuide: ReadonlyMap<string, string> = new Map([
  ["a block's number and hash", "`{ block { number hash } }`"],
  ["a hundred accounts, three fields", "a hundred accounts with balance, nonce and code"],
  ["20 blocks with hashes of transactions", "20 blocks with the hashes of their transactions"],
  ["a whole block with logs", "a complete block with transactions and logs"],
  ["20 whole blocks with logs", "20 complete blocks"],
  ["logs of a contract in 10,000 blocks", "the logs of a contract in 10,000 blocks"],
  ["each transaction's block's transactions", "each transaction's block's transactions"],
  ["1,000 whole blocks", "1,000 complete blocks"],
]);

describe("what operations cost", () => {
  const rows: string[] = [];
  afterAll(() => console.info(["units, operation", ...rows].join("\n")));

  it.each(table)("%s", (name, query, from, to) => {
    const cost = costOf(query);
    rows.push(`${String(cost).padStart(9)} ${cost > costLimit ? "refused" : "       "}  ${name}`);
    expect(cost).toBeGreaterThanOrEqual(from);
    expect(cost).toBeLessThanOrEqual(to);
  });

  it("is what the guide shows", () => {
    const guide = readFileSync(new URL("../../../../docs/graphql-limits.md", import.meta.url), "utf8");
    for (const [figure, value] of Object.entries(defaultCostFigures)) {
      expect(guide).toContain(`| \`${figure}\` | ${value.toLocaleString("en-US")} |`);
    }
    const shown = guide.matchAll(/^\| (?<name>[^|]+) \| (?<cost>[0-9,]+)(?:: refused)? \|$/gm);
    const costs = new Map([...shown].map(({ groups }) => [groups?.["name"], groups?.["cost"]]));
    for (const [name, nameInGuide] of inGuide) {
      const query = table.find((row) => row[0] === name)?.[1] ?? "";
      expect(costs.get(nameInGuide), name).toBe(costOf(query).toLocaleString("en-US"));
    }
  });

  it("goes by variables, their defaults, and what @skip and @include let be", () => {
    const query = `query ($from: Long = 1, $to: Long, $whole: Boolean = false) {
      blocks(from: $from, to: $to) { hash transactions @include(if: $whole) { hash } parent @skip(if: $whole) { hash } }
    }`;
    const header = costOf("{ blocks(from: 1, to: 10) { hash parent { hash } } }");
    const whole = costOf("{ blocks(from: 1, to: 10) { hash transactions { hash } } }");
    expect(costOf(query, { to: 10 })).toBe(header);
    expect(costOf(query, { from: "0x5", to: "14" })).toBe(header);
    expect(costOf(query, { from: 5, to: 14n, whole: true })).toBe(whole);
  });

  it("takes a filter that names no topic at any position for none", () => {
    const logs = (filter: string) => costOf(`{ logs(filter: { fromBlock: 1, toBlock: 100 ${filter} }) { data } }`);
    for (const filter of ["topics: []", "topics: [[]]", "topics: [[], [], []]", "addresses: []"]) {
      expect(logs(filter), filter).toBe(logs(""));
    }
    const named = logs('addresses: ["0x00"]');
    expect(named).toBeLessThan(logs("") / 100);
    for (const filter of ['topics: [[], ["0x00"]]', 'topics: ["0x00"]', 'topics: "0x00"']) {
      expect(logs(filter), filter).toBe(named);
    }
  });

  it("counts a fragment wherever it is spread", () => {
    const inline = costOf("{ a: block { parent { hash } } b: block { parent { hash } } }");
    expect(costOf("{ a: block { ...F } b: block { ...F } } fragment F on Block { ... { parent { hash } } }")).toBe(
      inline,
    );
  });

  it.each([{ from: true }, { from: [] }, { from: {} }, { from: "latest" }, { from: null }, {}])(
    "leaves it to the execution to refuse %j",
    (variables) => {
      const cost = costOf("query ($from: Long!, $to: Long) { blocks(from: $from, to: $to) { hash } }", variables);
      expect(cost).toBeGreaterThan(0);
      expect(cost).toBeLessThan(costLimit);
    },
  );

  it("takes time in proportion to the document, fragments that double included", () => {
    const fragments = Array.from(
      { length: 60 },
      (_, index) =>
        `fragment F${index} on Block { ${index === 59 ? "hash" : `a: parent { ...F${index + 1} } b: parent { ...F${index + 1} }`} }`,
    );
    expect(costOf(`{ block { ...F0 } } ${fragments.join(" ")}`)).toBeGreaterThan(1e15);
  });

  it("requests the height of the chain where a range has no end, and only then", async () => {
    let calls = 0;
    const node = (height: string | Error) => ({
      head: { last: undefined, findFresh: () => undefined } as never,
      upstream: {
        call: async () => {
          calls += 1;
          if (height instanceof Error) throw height;
          return height;
        },
      } as never,
    });
    const query = "query ($from: Long!) { blocks(from: $from) { hash } }";
    expect(await findOperationCost(requestOf("{ block { hash } }"), node("0x64"), { limits })).toBe(2);
    expect(calls).toBe(0);
    expect(await findOperationCost(requestOf(query, { from: 91 }), node("0x64"), { limits })).toBe(
      costOf("{ blocks(from: 91, to: 100) { hash } }"),
    );
    expect(await findOperationCost(requestOf(query, { from: 91 }), node(new Error("away")), { limits })).toBe(
      costOf("{ blocks(from: 1, to: 1000) { hash } }"),
    );
    expect(calls).toBe(2);
  });
});

describe("the height that costs go by", () => {
  const open = requestOf("{ blocks(from: 1) { hash } }");
  const costTo = (to: number): number => costOf(`{ blocks(from: 1, to: ${to}) { hash } }`);

  it("ends ranges that go beyond it, whether or not it had to be requested", () => {
    expect(costOf("{ blocks(from: 1, to: 900) { hash } }", {}, 10)).toBe(costTo(10));
    const logs = (to: number) => `{ logs(filter: { fromBlock: 1, toBlock: ${to} }) { data } }`;
    expect(costOf(logs(100), {}, 10)).toBe(costOf(logs(10)));
    expect(costOf("{ blocks(from: 100, to: 200) { hash } }", {}, 10)).toBe(costTo(1));
  });

  it("is that of a block which is the latest now, not of one that once was", async () => {
    const last = { number: "0xa" };
    const asked = { call: async () => "0x64" };
    const stale = { head: { last, findFresh: () => undefined } as never, upstream: asked as never };
    expect(await findOperationCost(open, stale, { limits })).toBe(costTo(100));
    const fresh = { head: { last, findFresh: () => last } as never, upstream: asked as never };
    expect(findOperationCost(open, fresh, { limits })).toBe(costTo(10));
    const followed = {
      head: { last, findFresh: () => undefined } as never,
      upstream: { head: { height: 50 } } as never,
    };
    expect(findOperationCost(open, followed, { limits })).toBe(costTo(50));
  });
});

describe("the costs of fields", () => {
  const text = readFileSync(new URL("../../../../specs/ethereum/schema.graphql", import.meta.url), "utf8");
  const types = Object.values(buildSchema(text).getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith("__"),
  );
  const scope = new CostScope(limits, head);
  const described = types.flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ parent: type.name, field })) : [],
  );

  it("know the objects that each field answers, and that lists have more than one", () => {
    for (const { parent, field } of described) {
      const named = getNamedType(field.type);
      const find = fieldCosts[parent]?.[field.name];
      const cost = find?.(defaultCostFigures, { value: () => undefined }, scope);
      const name = `${parent}.${field.name}`;
      expect(cost?.type, name).toBe(isObjectType(named) ? named.name : undefined);
      const inner = isNonNullType(field.type) ? field.type.ofType : field.type;
      if (isObjectType(named)) expect(cost?.count !== undefined, name).toBe(isListType(inner));
    }
  });

  it("name no field that the schema does not have", () => {
    const names = new Set(described.map(({ parent, field }) => `${parent}.${field.name}`));
    for (const [parent, fields] of Object.entries(fieldCosts)) {
      for (const name of Object.keys(fields)) {
        if (!name.startsWith("__")) expect(names).toContain(`${parent}.${name}`);
      }
    }
  });
});
