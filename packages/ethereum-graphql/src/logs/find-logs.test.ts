import { afterEach, describe, expect, it } from "vitest";
import { madeUpBlock } from "../../test-support/made-up-block.ts";
import { type RpcCall, type RpcReply, type ServedInterface, serve, startMadeUpNode } from "../../test-support/serve.ts";
import { bytesOf, keccak256 } from "../raw/rlp.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;
const contract = `0x${"c".repeat(40)}`;
const [topic, otherTopic] = [word("a"), word("b")];

/** Creates a chain of five blocks with two logs each; its first block is number 0. */
function makeChain(length: number, extraData = "0x") {
  const blocks: ReturnType<typeof makeBlock>[] = [];
  for (let height = 0; height < length; height++)
    blocks.push(makeBlock(height, blocks.at(-1)?.hash ?? word("0"), extraData));
  return blocks;
}

function makeBlock(height: number, parentHash: string, extraData: string) {
  const header = {
    number: `0x${height}`,
    parentHash,
    sha3Uncles: keccak256(bytesOf("0xc0")),
    miner: contract,
    stateRoot: word("4"),
    transactionsRoot: word("5"),
    receiptsRoot: word("6"),
    logsBloom: `0x${"0".repeat(512)}`,
    difficulty: "0x0",
    gasLimit: "0x1388",
    gasUsed: "0x0",
    timestamp: "0x55ba4224",
    extraData,
    mixHash: word("7"),
    nonce: "0x539bd4979fef1ec4",
  };
  const hash = keccak256(bytesOf(`0x${height}${extraData.slice(2)}f`));
  return madeUpBlock({ ...header, hash, transactions: [word(`7${height}`)] });
}

function logsOf({ number, hash }: ReturnType<typeof makeBlock>) {
  return [topic, otherTopic].map((first, index) => ({
    address: contract,
    topics: [first],
    data: "0x",
    blockHash: hash,
    blockNumber: number,
    transactionHash: word(`7${Number(number)}`),
    transactionIndex: "0x0",
    logIndex: `0x${index}`,
    removed: false,
  }));
}

type Log = ReturnType<typeof logsOf>[number];
const chain = makeChain(5);
const allLogs = chain.flatMap(logsOf);

interface MadeUpChain extends ServedInterface {
  readonly asked: readonly RpcCall[];
}

/** Serves the interface over the chain, with the given results of `eth_getLogs`. */
async function serveChain(response: (filter: LogQuestion) => unknown, blocks = () => chain): Promise<MadeUpChain> {
  const asked: RpcCall[] = [];
  const node = await startMadeUpNode((call): RpcReply | undefined => {
    asked.push(call);
    if (call.method === "eth_getLogs") return { result: response(call.params[0] as LogQuestion) };
    if (call.method === "eth_getBlockReceipts")
      return { result: receiptsOf(String((call.params[0] as LogQuestion).blockHash)) };
    if (call.method === "eth_getBlockByHash")
      return { result: blocks().find(({ hash }) => hash === call.params[0]) ?? null };
    if (call.method !== "eth_getBlockByNumber") return undefined;
    const height = call.params[0] === "latest" ? blocks().length - 1 : Number(call.params[0]);
    return { result: blocks()[height] ?? null };
  });
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return { ...served, asked };
}

interface LogQuestion {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

function receiptsOf(hash: string) {
  const block = chain.find((each) => each.hash === hash);
  const transactionHash = block?.transactions[0];
  const place = { blockHash: hash, blockNumber: block?.number, transactionHash, transactionIndex: "0x0" };
  const gas = { gasUsed: "0x0", cumulativeGasUsed: "0x0" };
  return block && [{ ...place, ...gas, logsBloom: block.logsBloom, status: "0x1", logs: logsOf(block) }];
}

const inRange = ({ blockHash, fromBlock, toBlock }: LogQuestion): readonly Log[] =>
  allLogs.filter((log) =>
    blockHash === undefined
      ? Number(log.blockNumber) >= Number(fromBlock) && Number(log.blockNumber) <= Number(toBlock)
      : log.blockHash === blockHash,
  );

const range =
  "{ logs(filter: {fromBlock: 1, toBlock: 3}) { index data transaction { hash index block { number hash } } } }";
const unavailable = [{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }];
const reorganised = [{ message: "The chain was reorganized during the request; try again" }];

describe("logs of a range", () => {
  it("need no further call for their transaction's hash, index and block", async () => {
    const served = await serveChain(inRange);
    const response = await served.ask(range);
    expect(response.errors).toEqual([]);
    expect((response.data as { logs: unknown[] }).logs).toHaveLength(6);
    expect(served.asked.map(({ method }) => method)).toEqual([
      "eth_getBlockByNumber",
      "eth_getLogs",
      "eth_getBlockByNumber",
    ]);
  });

  it("are kept as long as the head is the same", async () => {
    const served = await serveChain(inRange);
    const first = await served.ask(range);
    const asked = served.asked.length;
    expect((await served.ask(range)).data).toEqual(first.data);
    expect(served.asked.slice(asked).map(({ method }) => method)).not.toContain("eth_getLogs");
  });

  it("are those of the head that the request has settled on, or none", async () => {
    let blocks = chain;
    const served = await serveChain(
      (filter) => {
        blocks = makeChain(5, "0x01");
        return inRange(filter);
      },
      () => blocks,
    );
    expect((await served.ask(range)).errors).toMatchObject(reorganised);
  });

  it.each<[string, (logs: readonly Log[]) => unknown]>([
    ["one that was taken back", ([first, ...others]) => [{ ...first, removed: true }, ...others]],
    [
      "two blocks for one height",
      ([first, ...others]) => [first, ...others.map((log, at) => (at === 0 ? { ...log, blockHash: word("e") } : log))],
    ],
    [
      "a block that is not on the chain",
      (logs) => logs.map((log) => (Number(log.blockNumber) === 3 ? { ...log, blockHash: word("e") } : log)),
    ],
  ])("are not answered with %s", async (_name, change) => {
    const served = await serveChain((filter) => change(inRange(filter)));
    await served.ask("{ blocks(from: 0, to: 4) { hash } }");
    expect((await served.ask(range)).errors).toMatchObject(reorganised);
  });

  it.each<[string, (logs: readonly Log[]) => unknown]>([
    ["nothing", () => null],
    ["something else", () => [{}]],
    ["a log without a block", ([first]) => [{ ...first, blockHash: null, blockNumber: null }]],
    ["a log of another height", ([first, ...others]) => [{ ...first, blockNumber: "0x4" }, ...others]],
    ["logs in another order", (logs) => logs.toReversed()],
    ["a log twice", ([first, ...others]) => [first, first, ...others]],
  ])("are an error when the node answers %s", async (_name, change) => {
    const served = await serveChain((filter) => change(inRange(filter)));
    expect((await served.ask(range)).errors).toMatchObject(unavailable);
  });

  it.each([`addresses: ["0x${"d".repeat(40)}"]`, `topics: [["${word("f")}"]]`])(
    "are an error when they do not match %s",
    async (filter) => {
      const served = await serveChain(inRange);
      const response = await served.ask(`{ logs(filter: {fromBlock: 1, toBlock: 3, ${filter}}) { index } }`);
      expect(response.errors).toMatchObject(unavailable);
    },
  );

  it("leave out those that lack a topic where any would match, as some clients do not", async () => {
    const served = await serveChain(inRange);
    const response = await served.ask("{ logs(filter: {fromBlock: 1, toBlock: 3, topics: [[], []]}) { index } }");
    expect(response).toMatchObject({ errors: [], data: { logs: [] } });
  });
});

describe("logs of one block", () => {
  it("are requested by its hash and kept, whether by height or by block", async () => {
    const served = await serveChain(inRange);
    const { hash } = chain[2] ?? {};
    await served.ask("{ blocks(from: 0, to: 4) { hash } }");
    const byHeight = await served.ask("{ logs(filter: {fromBlock: 2, toBlock: 2}) { index topics } }");
    expect(served.asked.filter(({ method }) => method === "eth_getLogs").map(({ params }) => params)).toEqual([
      [{ blockHash: hash }],
    ]);
    const byBlock = await served.ask(`{ block(hash: "${hash}") { logs(filter: {}) { index topics } } }`);
    expect(byBlock).toMatchObject({ errors: [], calls: 0, data: { block: byHeight.data } });
  });

  it.each([
    "logs(filter: {topics: [[]]}) { index } transactions { status }",
    "transactions { status } logs(filter: {topics: [[]]}) { index }",
  ])("come from the receipts that are asked for beside them: %s", async (fields) => {
    const served = await serveChain(inRange);
    const response = await served.ask(`{ block(hash: "${chain[2]?.hash}") { ${fields} } }`);
    expect(response.errors).toEqual([]);
    expect((response.data as { block: { logs: unknown[] } }).block.logs).toHaveLength(2);
    expect(served.asked.map(({ method }) => method)).toEqual(["eth_getBlockByHash", "eth_getBlockReceipts"]);
    const again = await served.ask(
      `{ block(hash: "${chain[2]?.hash}") { logs(filter: {topics: [["${topic}"]]}) { topics } none: logs(filter: {topics: [[], []]}) { index } } }`,
    );
    expect(again).toMatchObject({ errors: [], calls: 0, data: { block: { logs: [{ topics: [topic] }], none: [] } } });
  });

  it("with five positions of topics are refused before anything is asked", async () => {
    const served = await serveChain(inRange);
    const response = await served.ask(`{ block { logs(filter: {topics: [[], [], [], [], []]}) { index } } }`);
    expect(response.errors).toMatchObject([
      { extensions: { code: "BAD_USER_INPUT", limit: "topics", maximum: 4, actual: 5 } },
    ]);
    expect(served.asked.map(({ method }) => method)).not.toContain("eth_getLogs");
  });
});
