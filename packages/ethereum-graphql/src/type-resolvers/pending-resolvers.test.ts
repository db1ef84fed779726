import { afterEach, describe, expect, it } from "vitest";
import {
  type RpcCall,
  type RpcReply,
  type ServedInterface,
  serve,
  serveDemoChain,
  startMadeUpNode,
} from "../../test-support/serve.ts";
import type { EthereumNodeOptions } from "../index.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const account = `0x${"a".repeat(40)}`;

function waiting(nonce: number) {
  return {
    hash: `0x${nonce.toString(16).padStart(64, "0")}`,
    type: "0x2",
    nonce: `0x${nonce.toString(16)}`,
    from: account,
    to: null,
    value: "0x1",
    gas: "0x5208",
    maxFeePerGas: "0x10",
    input: "0x",
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    r: "0x1",
    s: "0x1",
    yParity: "0x0",
  };
}

interface Served extends ServedInterface {
  readonly methods: () => readonly string[];
}

async function serveReplies(
  replies: Readonly<Record<string, (call: RpcCall) => RpcReply>>,
  options: EthereumNodeOptions = {},
): Promise<Served> {
  const node = await startMadeUpNode((call) => replies[call.method]?.(call));
  const served = await serve(node.url, options);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return { ...served, methods: () => node.requests.flat() };
}

const poolOf = (count: number): Readonly<Record<string, () => RpcReply>> => {
  const byNonce = Object.fromEntries(Array.from({ length: count }, (_, nonce) => [String(nonce), waiting(nonce)]));
  return {
    txpool_status: () => ({ result: { pending: `0x${count.toString(16)}`, queued: "0x1" } }),
    txpool_content: () => ({
      result: { pending: { [account]: byNonce }, queued: { [account]: { "99": waiting(99) } } },
    }),
  };
};

/** Fields that are only known of a mined transaction, as they are selected. */
const minedFields = {
  index: "index",
  block: "block { hash }",
  status: "status",
  gasUsed: "gasUsed",
  cumulativeGasUsed: "cumulativeGasUsed",
  effectiveGasPrice: "effectiveGasPrice",
  effectiveTip: "effectiveTip",
  blobGasUsed: "blobGasUsed",
  blobGasPrice: "blobGasPrice",
  createdContract: "createdContract { address }",
  logs: "logs { index }",
};

describe("pending transactions", () => {
  it("are those that could be executed, with nothing of what a block would tell", async () => {
    const served = await serveReplies(poolOf(2));
    const response = await served.ask(
      `{ pending { transactionCount transactions { nonce from { address } to { address } gasPrice rawReceipt ${Object.values(minedFields).join(" ")} } } }`,
    );
    expect(response.errors).toEqual([]);
    const transaction = {
      from: { address: account },
      to: null,
      gasPrice: "0x10",
      rawReceipt: "0x",
      ...Object.fromEntries(Object.keys(minedFields).map((name) => [name, null])),
    };
    expect(response.data).toEqual({
      pending: {
        transactionCount: "0x2",
        transactions: [
          { ...transaction, nonce: "0x0" },
          { ...transaction, nonce: "0x1" },
        ],
      },
    });
  });

  it("of a client that does not show its pool are those of its next block", async () => {
    const transactions = [waiting(0), { ...waiting(1), blockNumber: "0x9", transactionIndex: "0x1" }];
    const served = await serveReplies({ eth_getBlockByNumber: () => ({ result: { transactions } }) });
    const response = await served.ask("{ pending { transactionCount transactions { nonce index } } }");
    expect(response).toMatchObject({
      errors: [],
      data: { pending: { transactionCount: "0x2", transactions: [{ nonce: "0x0", index: null }, { index: null }] } },
    });
  });

  it("that are more than fit into a response are refused before they are read", async () => {
    const served = await serveReplies(poolOf(11), { limits: { objects: 10 } });
    const response = await served.ask("{ pending { transactions { hash } } }");
    expect(response).toMatchObject({
      status: 400,
      data: undefined,
      errors: [{ extensions: { limit: "objects", maximum: 10, actual: 11 } }],
    });
    expect(served.methods()).not.toContain("txpool_content");
    expect((await served.ask("{ pending { transactionCount } }")).data).toEqual({
      pending: { transactionCount: "0xb" },
    });
  });

  it.each([
    ["txpool_status", null],
    ["txpool_status", { queued: "0x0" }],
    ["txpool_content", null],
    ["txpool_content", {}],
    ["txpool_content", { pending: { [account]: { "0": null } } }],
    ["txpool_content", { pending: { [account]: { "0": {} } } }],
  ])("are an error when %s answers %j", async (method, result) => {
    const served = await serveReplies({ ...poolOf(1), [method]: () => ({ result }) });
    const response = await served.ask("{ pending { transactionCount transactions { hash } } }");
    expect(response.errors.length).toBeGreaterThan(0);
    for (const { extensions } of response.errors) expect(extensions.code).toBe("UPSTREAM_UNAVAILABLE");
  });
});

describe("the pending state", () => {
  it("holds what a waiting transaction would change, and is read anew each time", async () => {
    const served = await serveDemoChain();
    closers.push(() => served.stop());
    const { pending } = (await served.ask("{ pending { transactions { hash nonce from { address } } } }")).data as {
      pending: { transactions: readonly { nonce: string; from: { address: string } }[] };
    };
    const [first] = pending.transactions;
    expect(pending.transactions.length).toBeGreaterThan(0);
    const of = `(address: "${first?.from.address}") { transactionCount }`;
    const query = `{ pending { account${of} } block { account${of} } }`;
    const before = (await served.ask(query)).data as Record<
      "pending" | "block",
      { account: { transactionCount: string } }
    >;
    expect(Number(before.pending.account.transactionCount)).toBeGreaterThan(
      Number(before.block.account.transactionCount),
    );
    await served.upstream.call("evm_mine");
    expect((await served.ask(query)).data).toMatchObject({ pending: { account: before.pending.account } });
    expect((await served.ask(query)).calls).toBeGreaterThan(0);
  });
});
