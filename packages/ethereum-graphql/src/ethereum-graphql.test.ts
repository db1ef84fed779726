import { readdirSync, readFileSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedInterface, serveDemoChain } from "../test-support/serve.ts";
import { demoAccounts, demoContract } from "./demo/history.ts";
import { pointsLedgerSelectors } from "./demo/contract/points-ledger.ts";
import { quantity } from "./basics/quantity.ts";
import { keccak256, bytesOf } from "./raw/rlp.ts";

let served: ServedInterface;

beforeAll(async () => {
  served = await serveDemoChain();
});

afterAll(async () => {
  await served.stop();
});

/** Returns the data of a response without errors. */
async function dataOf<Data>(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Data> {
  const response = await served.ask(query, variables);
  expect(response.errors).toEqual([]);
  expect(response.status).toBe(200);
  return response.data as Data;
}

describe("the documented examples", () => {
  interface Example {
    readonly name: string;
    readonly variables: Readonly<Record<string, unknown>>;
    readonly live?: boolean;
    readonly data?: unknown;
    readonly errors?: readonly { readonly message?: string; readonly code: string }[];
  }
  const directory = new URL("../../../specs/ethereum/operations/", import.meta.url);
  const files = readdirSync(directory).filter((name) => name.endsWith(".graphql"));
  const cases = files.flatMap((file) => {
    const query = readFileSync(new URL(file, directory), "utf8");
    const text = readFileSync(new URL(file.replace(".graphql", ".examples.yaml"), directory), "utf8");
    return (parseYaml(text) as Example[]).map((example) => [`${file}, ${example.name}`, query, example] as const);
  });

  it.each(cases)("%s", async (_name, query, example) => {
    const response = await served.ask(query, example.variables);
    if (example.errors === undefined) {
      expect(response).toMatchObject({ status: 200, errors: [], data: example.data });
    } else {
      expect(response.status).toBe(400);
      expect(response.errors).toMatchObject(
        example.errors.map(({ code, message }) => ({ extensions: { code }, ...(message && { message }) })),
      );
    }
  });
});

describe("blocks", () => {
  it("predict the base fee of the block that follows", async () => {
    const { blocks } = await dataOf<{ blocks: { baseFeePerGas: string; nextBaseFeePerGas: string }[] }>(
      "{ blocks(from: 0, to: 8) { baseFeePerGas nextBaseFeePerGas } }",
    );
    expect(blocks.slice(1).map(({ baseFeePerGas }) => baseFeePerGas)).toEqual(
      blocks.slice(0, -1).map(({ nextBaseFeePerGas }) => nextBaseFeePerGas),
    );
  });

  it("and transactions have their hashes over their encodings", async () => {
    interface Encoded {
      readonly hash: string;
      readonly raw: string;
      readonly rawReceipt: string;
    }
    const { blocks } = await dataOf<{ blocks: (Encoded & { rawHeader: string; transactions: Encoded[] })[] }>(
      "{ blocks(from: 0, to: 8) { hash raw rawHeader transactions { hash raw rawReceipt } } }",
    );
    for (const block of blocks) {
      expect(keccak256(bytesOf(block.rawHeader))).toBe(block.hash);
      expect(block.raw).toContain(block.rawHeader.slice(2));
      for (const transaction of block.transactions) {
        expect(keccak256(bytesOf(transaction.raw))).toBe(transaction.hash);
        expect(block.raw).toContain(transaction.raw.slice(2));
        expect(transaction.rawReceipt).toMatch(/^0x(?:f9|01f9|02f9)/);
      }
    }
    expect(blocks.flatMap(({ transactions }) => transactions)).toHaveLength(16);
  });

  it("lead to their parents without asking the node for what is known", async () => {
    const response = await served.ask("{ block(number: 4) { parent { number hash } } }");
    expect(response.data).toMatchObject({ block: { parent: { number: "0x3" } } });
    expect(response.calls).toBeLessThanOrEqual(1);
    const deep = await dataOf("{ block(number: 1) { parent { timestamp parent { number } } } }");
    expect(deep).toEqual({ block: { parent: { timestamp: "0x65920080", parent: null } } });
  });

  it("of a range that is too long are refused", async () => {
    const limited = await serveDemoChain({ limits: { blocks: 3, logBlocks: 3 } });
    try {
      expect((await limited.ask("{ blocks(from: 0, to: 2) { number } }")).errors).toEqual([]);
      expect((await limited.ask("{ blocks(from: 0, to: 3) { number } }")).errors).toMatchObject([
        {
          message: "The range of blocks is longer than 3, the limit; request less at once",
          extensions: { code: "BAD_USER_INPUT", limit: "blocks", maximum: 3, actual: 4 },
        },
      ]);
      expect((await limited.ask("{ blocks(from: 0) { number } }")).errors).toHaveLength(1);
      expect((await limited.ask("{ blocks(from: 6, to: 900) { number } }")).data).toMatchObject({
        blocks: [{ number: "0x6" }, { number: "0x7" }, { number: "0x8" }],
      });
      expect((await limited.ask("{ logs(filter: {fromBlock: 0, toBlock: 3}) { index } }")).errors).toMatchObject([
        {
          message: "The range of blocks is longer than 3, the limit; request less at once",
          extensions: { code: "BAD_USER_INPUT", limit: "logBlocks", maximum: 3, actual: 4 },
        },
      ]);
      expect((await limited.ask("{ logs(filter: {fromBlock: 2, toBlock: 4}) { index } }")).errors).toEqual([]);
    } finally {
      await limited.stop();
    }
  });
});

describe("accounts", () => {
  it("of a transaction are looked at in the latest state, unless a height is given", async () => {
    const { block, latest } = await dataOf<{
      block: { transactionAt: { from: object; then: object } };
      latest: { account: object };
    }>(
      `query ($ann: Address!) {
        block(number: 1) { transactionAt(index: 0) { from { transactionCount } then: from(block: 1) { transactionCount } } }
        latest: block { account(address: $ann) { transactionCount } }
      }`,
      { ann: demoAccounts.ann },
    );
    expect(block.transactionAt.then).toEqual({ transactionCount: "0x1" });
    expect(block.transactionAt.from).toEqual(latest.account);
    expect(block.transactionAt.from).not.toEqual(block.transactionAt.then);
  });

  it("at an unknown height are an error, which reaches up to the next field that may be null", async () => {
    const response = await served.ask("{ block(number: 1) { number miner(block: 999) { balance } } }");
    expect(response).toMatchObject({
      status: 400,
      data: { block: null },
      errors: [{ extensions: { code: "NOT_FOUND" } }],
    });
  });

  it("that are asked for their address alone cost no call", async () => {
    const response = await served.ask(
      '{ block(number: 5) { miner { address } account(address: "0x00000000000000000000000000000000000000Aa") { address } } }',
    );
    expect(response.calls).toBeLessThanOrEqual(1);
    expect(response.data).toMatchObject({
      block: { account: { address: "0x00000000000000000000000000000000000000aa" } },
    });
  });

  it("are read in one batch, each call once", async () => {
    const fields = "{ balance transactionCount }";
    const accounts = Object.values(demoAccounts).map(
      (address, position) => `a${position}: account(address: "${address}") ${fields}`,
    );
    const query = `{ block(number: 8) { ${accounts.join(" ")} again: account(address: "${demoAccounts.ann}") ${fields} } }`;
    const fresh = await serveDemoChain();
    try {
      const response = await fresh.ask(query);
      expect(response.errors).toEqual([]);
      expect(response.calls).toBe(1 + 2 * accounts.length);
      expect(await fresh.ask(query)).toEqual({ ...response, calls: 1 });
    } finally {
      await fresh.stop();
    }
  });
});

describe("a block with 200 transactions and their logs", () => {
  let hash: string;

  beforeAll(async () => {
    const { upstream } = served;
    const data = `${pointsLedgerSelectors["remark(string)"]}${"20".padStart(64, "0")}${"0".repeat(64)}`;
    const before = Number(await upstream.call("eth_blockNumber"));
    const nonce = Number(await upstream.call("eth_getTransactionCount", [demoAccounts.eve, "pending"]));
    await upstream.batch(
      Array.from({ length: 200 }, (_, position) => ({
        method: "eth_sendTransaction",
        params: [{ from: demoAccounts.eve, to: demoContract, data, gas: "0x186a0", nonce: quantity(nonce + position) }],
      })),
    );
    await upstream.call("evm_mine");
    const block = (await upstream.call("eth_getBlockByNumber", [quantity(before + 1), false])) as { hash: string };
    hash = block.hash;
  });

  it("takes at most three calls", async () => {
    const response = await served.ask(
      `query ($hash: Bytes32!) {
        block(hash: $hash) {
          number
          transactions {
            hash nonce index value gasPrice effectiveTip inputData status gasUsed raw rawReceipt
            from { address } to { address } createdContract { address }
            block { number hash timestamp }
            logs { index topics data account { address } transaction { hash status value block { hash gasUsed } } }
          }
        }
      }`,
      { hash },
    );
    expect(response.errors).toEqual([]);
    const { block } = response.data as { block: { transactions: { status: string; logs: unknown[] }[] } };
    expect(block.transactions.length).toBeGreaterThanOrEqual(200);
    expect(block.transactions.filter(({ logs }) => logs.length === 1).length).toBeGreaterThanOrEqual(200);
    expect(response.calls).toBeLessThanOrEqual(3);
  });

  it("takes at most three calls from its logs as well", async () => {
    const fresh = await served.ask(
      "{ logs(filter: {}) { index transaction { hash status from { address } block { number timestamp } logs { index } } } }",
    );
    expect(fresh.errors).toEqual([]);
    expect((fresh.data as { logs: unknown[] }).logs.length).toBeGreaterThanOrEqual(200);
    expect(fresh.calls).toBeLessThanOrEqual(3);
  });

  it("takes no call but for the latest block when the node was asked before", async () => {
    const response = await served.ask("{ block { transactions { hash logs { data } } } }");
    expect(response.errors).toEqual([]);
    expect(response.calls).toBeLessThanOrEqual(1);
  });
});

describe("every field of a transaction", () => {
  const fields = [
    "hash nonce index from { address } to { address } value gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas",
    "effectiveTip gas inputData block { gasLimit } status gasUsed cumulativeGasUsed effectiveGasPrice blobGasUsed blobGasPrice",
    "createdContract { address } logs { index } r s v yParity type accessList { address } raw rawReceipt blobVersionedHashes",
  ]
    .join(" ")
    .match(/\w+(?: \{ \w+ \})?/g);

  let uncached: ServedInterface;

  beforeAll(async () => {
    uncached = await serveDemoChain({ cacheBytes: 0 });
  });

  afterAll(async () => {
    await uncached.stop();
  });

  it.each(fields ?? [])("is loaded when it is asked for alone: %s", async (field) => {
    const hash = "0x665fc0a69c7654538dfb020ac57ac15990e4ac5d11da590790a157fd1682a5b2";
    const response = await uncached.ask(
      `query ($hash: Bytes32!) {
          direct: transaction(hash: $hash) { ${field} }
          block(number: 5) { transactions { ${field} } transactionAt(index: 1) { ...part } }
          logs(filter: {fromBlock: 5, toBlock: 5}) { transaction { ${field} } }
          pending { transactions { ${field} } }
        }
        fragment part on Transaction { ... on Transaction { ${field} } }`,
      { hash },
    );
    expect(response.errors).toEqual([]);
    const data = response.data as {
      direct: object;
      block: { transactions: object[]; transactionAt: object };
      logs: { transaction: object }[];
    };
    expect(data.block.transactionAt).toEqual(data.direct);
    expect(data.block.transactions[1]).toEqual(data.direct);
    expect(data.logs[1]?.transaction).toEqual(data.direct);
  });
});

describe("selections", () => {
  it("leave out what is skipped and not included", async () => {
    const query = `query ($logs: Boolean!, $bodies: Boolean!) {
      block(number: 2) { transactions { hash logs @include(if: $logs) { index } value @skip(if: $bodies) } }
    }`;
    const fresh = await serveDemoChain();
    try {
      expect((await fresh.ask(query, { logs: false, bodies: true })).calls).toBe(1);
      expect((await fresh.ask(query, { logs: true, bodies: true })).calls).toBe(2);
      expect((await fresh.ask(query, { logs: false, bodies: false })).errors).toEqual([]);
    } finally {
      await fresh.stop();
    }
  });
});

describe("limits", () => {
  it("hold a request to a number of calls", async () => {
    const limited = await serveDemoChain({ limits: { calls: 5 } });
    try {
      const ask = (heights: number): string =>
        `{ ${Array.from({ length: heights }, (_, height) => `b${height}: block(number: ${height}) { hash }`).join(" ")} }`;
      expect((await limited.ask(ask(5))).errors).toEqual([]);
      const before = limited.upstream.totals().methodCalls;
      const refused = await limited.ask(ask(6));
      expect(refused.status).toBe(400);
      expect(limited.upstream.totals().methodCalls).toBe(before);
      expect(refused.errors[0]?.message).toBe(
        "The request needs more calls of the node than 5, the limit; request less at once",
      );
    } finally {
      await limited.stop();
    }
  });
});

describe("a response that grows with each level of its query", () => {
  it("is held to a number of objects", async () => {
    const nested = (depth: number): string =>
      depth === 0 ? "hash" : `hash block { transactions { ${nested(depth - 1)} } }`;
    const query = (depth: number): string => `{ block(number: 5) { transactions { ${nested(depth)} } } }`;
    // Four transactions, each leading to four, and so on: 4 + 4^2 + … + 4^(depth + 1).
    expect((await served.ask(query(3))).errors).toEqual([]);
    const refused = await served.ask(query(8));
    expect(refused.status).toBe(400);
    expect(refused.errors).toHaveLength(1);
    expect(refused.errors[0]?.message).toBe(
      "The response has more blocks, transactions and logs than 50000, the limit; request less at once",
    );
    expect(refused.calls).toBeLessThanOrEqual(3);
  });
});

describe("a transaction that is sent", () => {
  it("is pending, then mined", async () => {
    const fresh = await serveDemoChain();
    try {
      const raw =
        "0x02f86c82053905843b9aca0084b2d05e008252089415d34aaf54267db7d7c367839aaf71a00a2c6a650180c001a0efa8135a5fc30c407e3afa40d288569387f3dcb7f860bd2201710341b0c9d5a6a011ddae74d6772b8c34a6f87cb91c3aca35503bd2f5a2e9be72767321a2017c6f";
      const sent = await fresh.ask("mutation ($data: Bytes!) { sendRawTransaction(data: $data) }", { data: raw });
      const hash = (sent.data as { sendRawTransaction: string }).sendRawTransaction;
      expect(hash).toBe(keccak256(bytesOf(raw)));
      const query =
        "query ($hash: Bytes32!) { transaction(hash: $hash) { status index block { number } logs { index } rawReceipt raw gasUsed effectiveTip } pending { transactionCount } }";
      expect((await fresh.ask(query, { hash })).data).toEqual({
        transaction: {
          status: null,
          index: null,
          block: null,
          logs: null,
          rawReceipt: "0x",
          raw,
          gasUsed: null,
          effectiveTip: null,
        },
        pending: { transactionCount: "0x3" },
      });
      await fresh.upstream.call("evm_mine");
      expect((await fresh.ask(query, { hash })).data).toMatchObject({
        transaction: { status: "0x1", block: { number: "0x9" }, logs: [], gasUsed: "0x5208" },
        pending: { transactionCount: "0x0" },
      });
      const again = await fresh.ask("mutation ($data: Bytes!) { sendRawTransaction(data: $data) }", { data: raw });
      expect(again).toMatchObject({ status: 400, data: null, errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
    } finally {
      await fresh.stop();
    }
  });
});
