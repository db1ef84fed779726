import { afterEach, describe, expect, it } from "vitest";
import {
  requestNode,
  type RpcCall,
  type RpcReply,
  type ServedInterface,
  serve,
  serveDemoChain,
  startMadeUpNode,
} from "../test-support/serve.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const unknownMethod: RpcReply = { error: { code: -32601, message: "Method not found" } };
const word = (digit: string): string => `0x${digit.repeat(64)}`;

/** Header with the members that every client returns, from before the upgrades. */
const oldBlock = {
  /** Its hashes are not those of Ethereum. */
  madeUp: "0x1",
  number: "0x1",
  hash: word("1"),
  parentHash: word("0"),
  sha3Uncles: word("2"),
  miner: `0x${"3".repeat(40)}`,
  stateRoot: word("4"),
  transactionsRoot: word("5"),
  receiptsRoot: word("6"),
  logsBloom: `0x${"0".repeat(512)}`,
  difficulty: "0x400",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x55ba4224",
  extraData: "0x",
  mixHash: word("7"),
  nonce: "0x539bd4979fef1ec4",
  transactions: [] as readonly unknown[],
  uncles: [] as readonly string[],
};

/** Serves the interface over a fake node with responses by method. */
async function serveMadeUp(replies: Readonly<Record<string, (call: RpcCall) => RpcReply>>): Promise<ServedInterface> {
  const node = await startMadeUpNode((call) => replies[call.method]?.(call));
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return served;
}

/** Serves the interface over the demo chain, with other responses to some methods. */
async function serveChanged(
  replies: Readonly<Record<string, (call: RpcCall) => RpcReply>>,
): Promise<ServedInterface & { readonly original: ServedInterface; readonly requests: readonly string[][] }> {
  const original = await serveDemoChain();
  const node = await startMadeUpNode((call) => replies[call.method]?.(call) ?? requestNode(original.upstream, call));
  const served = await serve(node.url);
  closers.push(
    () => original.stop(),
    () => node.stop(),
    () => served.stop(),
  );
  return { ...served, original, requests: node.requests };
}

describe("a node without", () => {
  it("eth_getBlockReceipts is asked for the receipts one by one, in one batch", async () => {
    const served = await serveChanged({ eth_getBlockReceipts: () => unknownMethod });
    const query = "{ block(number: 5) { transactions { status gasUsed logs { index data } } } }";
    const response = await served.ask(query);
    expect(response.errors).toEqual([]);
    expect(response.data).toEqual((await served.original.ask(query)).data);
    expect(served.requests).toContainEqual(new Array(4).fill("eth_getTransactionReceipt"));
  });

  it("txpool methods shows what it would put into the next block", async () => {
    const served = await serveChanged({ txpool_status: () => unknownMethod, txpool_content: () => unknownMethod });
    const response = await served.ask("{ pending { transactionCount transactions { hash nonce block { hash } } } }");
    expect(response.errors).toEqual([]);
    expect(response.data).toMatchObject({ pending: { transactionCount: "0x2", transactions: [{ block: null }, {}] } });
  });

  it("debug_traceCall simulates a call whose gas is requested", async () => {
    const served = await serveChanged({ debug_traceCall: () => unknownMethod });
    const call = 'call(data: {to: "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0", data: "0x8da5cb5b"})';
    const query = `{ block(number: 8) { ${call} { data status gasUsed } } }`;
    expect((await served.ask(query)).data).toEqual((await served.original.ask(query)).data);
  });

  it("eth_protocolVersion leaves the version to the configuration", async () => {
    expect((await (await serveMadeUp({})).ask("{ protocolVersion }")).data).toEqual({ protocolVersion: 68 });
  });

  it.each([
    [67, 67],
    ["0x44", 68],
    ["66", 66],
    ["eth/68", 68],
  ])("a settled form of eth_protocolVersion, %j", async (result, version) => {
    const served = await serveMadeUp({ eth_protocolVersion: () => ({ result }) });
    expect((await served.ask("{ protocolVersion }")).data).toEqual({ protocolVersion: version });
  });

  it("a method that nothing can take the place of says so", async () => {
    const served = await serveMadeUp({});
    const response = await served.ask("{ gasPrice }");
    expect(response).toMatchObject({ status: 400, data: null, errors: [{ extensions: { code: "NOT_IMPLEMENTED" } }] });
  });
});

describe("headers", () => {
  it("without later upgrades have nulls for their fields", async () => {
    const served = await serveMadeUp({ eth_getBlockByNumber: () => ({ result: oldBlock }) });
    const fields = "baseFeePerGas nextBaseFeePerGas withdrawalsRoot withdrawals { index } blobGasUsed excessBlobGas";
    const response = await served.ask(`{ block(number: 1) { ${fields} slotNumber blockAccessListHash nonce } }`);
    expect(response.errors).toEqual([]);
    expect(response.data).toEqual({
      block: {
        baseFeePerGas: null,
        nextBaseFeePerGas: null,
        withdrawalsRoot: null,
        withdrawals: null,
        blobGasUsed: null,
        excessBlobGas: null,
        slotNumber: null,
        blockAccessListHash: null,
        nonce: "0x539bd4979fef1ec4",
      },
    });
  });

  it("of ommers have no transactions and no ommers", async () => {
    const { transactions: _transactions, uncles: _uncles, ...header } = oldBlock;
    const served = await serveMadeUp({
      eth_getBlockByNumber: () => ({ result: { ...oldBlock, uncles: [word("a"), word("b")] } }),
      eth_getUncleByBlockHashAndIndex: ({ params }) => ({
        result: { ...header, hash: params[1] === "0x0" ? word("a") : word("b") },
      }),
    });
    const fields =
      "hash difficulty transactionCount transactions { hash } transactionAt(index: 0) { hash } ommerCount ommers { hash }";
    const response = await served.ask(
      `{ block(number: 1) { ommerCount ommers { hash } ommerAt(index: 1) { ${fields} } none: ommerAt(index: 2) { hash } } }`,
    );
    expect(response.errors).toEqual([]);
    expect(response.data).toEqual({
      block: {
        ommerCount: "0x2",
        ommers: [{ hash: word("a") }, { hash: word("b") }],
        ommerAt: {
          hash: word("b"),
          difficulty: "0x400",
          transactionCount: null,
          transactions: null,
          transactionAt: null,
          ommerCount: null,
          ommers: null,
        },
        none: null,
      },
    });
  });
});

describe("total difficulty", () => {
  const chain = [0, 1, 2].map((height) => ({
    ...oldBlock,
    number: `0x${height}`,
    hash: word(String(height)),
    parentHash: height === 0 ? word("f") : word(String(height - 1)),
    difficulty: "0x10",
  }));
  const byNumber = ({ params }: RpcCall): RpcReply => ({ result: chain[Number(params[0])] ?? null });

  it("is what the node says, if it says it", async () => {
    const served = await serveMadeUp({
      eth_getBlockByNumber: () => ({ result: { ...oldBlock, totalDifficulty: "0x99" } }),
    });
    expect((await served.ask("{ block(number: 1) { totalDifficulty } }")).data).toEqual({
      block: { totalDifficulty: "0x99" },
    });
  });

  it("is added up over a short chain, once", async () => {
    const served = await serveMadeUp({ eth_getBlockByNumber: byNumber });
    const first = await served.ask("{ block(number: 2) { totalDifficulty } }");
    // Its ancestors are read by height, so the block itself is confirmed.
    expect(first).toMatchObject({ calls: 4, data: { block: { totalDifficulty: "0x30" } } });
    expect((await served.ask("{ block(number: 2) { totalDifficulty } }")).calls).toBe(1);
  });

  it("is null for a block that the chain does not lead to, and for one far up", async () => {
    const served = await serveMadeUp({
      eth_getBlockByNumber: byNumber,
      eth_getBlockByHash: () => ({ result: { ...chain[2], hash: word("e"), parentHash: word("d") } }),
    });
    const response = await served.ask(`{ block(hash: "${word("e")}") { totalDifficulty } }`);
    expect(response.data).toEqual({ block: { totalDifficulty: null } });
    const far = await serveMadeUp({ eth_getBlockByNumber: () => ({ result: { ...oldBlock, number: "0xffff" } }) });
    expect(await far.ask("{ block { totalDifficulty } }")).toMatchObject({
      calls: 1,
      data: { block: { totalDifficulty: null } },
    });
  });

  it("of the main network's blocks after proof of work is known", async () => {
    const served = await serveMadeUp({
      eth_getBlockByNumber: () => ({ result: { ...oldBlock, number: "0x1200000", difficulty: "0x0" } }),
      eth_chainId: () => ({ result: "0x1" }),
    });
    expect((await served.ask("{ block { totalDifficulty } }")).data).toEqual({
      block: { totalDifficulty: "0xc70d815d562d3cfa955" },
    });
  });
});

describe("a call that fails", () => {
  const call =
    '{ block(number: 8) { call(data: {to: "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0"}) { status data } } }';

  it.each([
    "out of gas",
    "invalid opcode: INVALID",
    "invalid jump destination",
    "stack underflow (0 <=> 1)",
    "stack limit reached 1024 (1023)",
    "write protection",
    "execution reverted",
    "VM execution error.",
    "EVM error InvalidFEOpcode",
  ])("in the machine, as in %s, is an answer", async (message) => {
    const served = await serveChanged({ eth_call: () => ({ error: { code: -32000, message } }) });
    expect(await served.ask(call)).toMatchObject({
      status: 200,
      data: { block: { call: { status: "0x0", data: "0x" } } },
    });
  });

  it.each(["insufficient funds for gas * price + value: address 0x…", "intrinsic gas too low: have 1, want 21000"])(
    "before it begins, as in %s, is an error",
    async (message) => {
      const served = await serveChanged({ eth_call: () => ({ error: { code: -32000, message } }) });
      expect(await served.ask(call)).toMatchObject({
        status: 400,
        data: { block: { call: null } },
        errors: [{ message }],
      });
    },
  );

  it("with an opcode of no meaning is a response of the demo chain too", async () => {
    const served = await serveDemoChain();
    closers.push(() => served.stop());
    const query = '{ block(number: 8) { call(data: {data: "0xfe", gas: 100000}) { status FIELDS } } }';
    for (const fields of ["data", "gasUsed"]) {
      const response = await served.ask(query.replace("FIELDS", fields));
      expect(response).toMatchObject({ status: 200, data: { block: { call: { status: "0x0" } } } });
    }
  });
});

describe("a chain that changes while it is read", () => {
  it("never answers the receipts of another block", async () => {
    const served = await serveChanged({
      eth_getBlockReceipts: () => ({ result: [{ blockHash: word("9"), logs: [], status: "0x1" }] }),
    });
    const response = await served.ask("{ block(number: 1) { transactions { status } } }");
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });

  it("does not answer blocks that do not follow each other", async () => {
    const served = await serveMadeUp({
      eth_getBlockByNumber: ({ params }) => ({
        result: { ...oldBlock, number: params[0], hash: word(String(params[0]).slice(-1)) },
      }),
    });
    const response = await served.ask("{ blocks(from: 3, to: 4) { number } }");
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });

  it("looks for the receipt of the block that the transaction was found in", async () => {
    const hash = "0x665fc0a69c7654538dfb020ac57ac15990e4ac5d11da590790a157fd1682a5b2";
    const place = { blockHash: word("9"), blockNumber: "0x9", transactionHash: hash, transactionIndex: "0x0" };
    const gas = { gasUsed: "0x1", cumulativeGasUsed: "0x1" };
    const other = { ...place, ...gas, logsBloom: oldBlock.logsBloom, logs: [], status: "0x0" };
    const served = await serveChanged({ eth_getTransactionReceipt: () => ({ result: other }) });
    expect((await served.ask(`{ transaction(hash: "${hash}") { status } }`)).data).toEqual({
      transaction: { status: "0x1" },
    });
  });
});

describe("a node that", () => {
  it("catches up tells how far it has come", async () => {
    const served = await serveMadeUp({
      eth_syncing: () => ({ result: { currentBlock: "0x10", highestBlock: "0x20" } }),
    });
    expect((await served.ask("{ syncing { startingBlock currentBlock highestBlock } }")).data).toEqual({
      syncing: { startingBlock: "0x0", currentBlock: "0x10", highestBlock: "0x20" },
    });
  });

  it("is down makes every field fail with one code, and shows no address", async () => {
    const node = await startMadeUpNode(() => undefined);
    await node.stop();
    const served = await serve(node.url);
    closers.push(() => served.stop());
    const response = await served.ask("{ block { number } gasPrice }");
    expect(response.status).toBe(503);
    expect(new Set(response.errors.map(({ extensions }) => extensions.code))).toEqual(
      new Set(["UPSTREAM_UNAVAILABLE"]),
    );
    expect(JSON.stringify(response)).not.toContain("127.0.0.1");
  });

  it.each([["a text"], [17], [{}], [{ hash: 1 }], [[]]])("answers %j for a block is not understood", async (result) => {
    const served = await serveMadeUp({ eth_getBlockByNumber: () => ({ result }) });
    const response = await served.ask("{ block { number transactions { hash } } }");
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });
});
