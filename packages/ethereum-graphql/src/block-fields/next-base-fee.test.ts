import { afterEach, describe, expect, it } from "vitest";
import { madeUpBlock } from "../../test-support/made-up-block.ts";
import {
  type MadeUpNode,
  type RpcCall,
  type RpcReply,
  type ServedInterface,
  serve,
  startMadeUpNode,
} from "../../test-support/serve.ts";
import { quantity } from "../basics/quantity.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const hashOf = (height: number, branch = "a"): string => `0x${branch}${height.toString(16).padStart(63, "0")}`;

type Block = ReturnType<typeof blockAt>;

function blockAt(height: number, baseFeePerGas?: string, branch = "a") {
  return madeUpBlock({
    number: quantity(height),
    hash: hashOf(height, branch),
    parentHash: height === 0 ? `0x${"0".repeat(64)}` : hashOf(height - 1),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
  });
}

interface ChainNode {
  /** Blocks by height. A test may replace them. */
  readonly blocks: Block[];
  readonly served: ServedInterface;
  readonly node: MadeUpNode;
}

/** Serves over a chain with these base fees, undefined before London, whose node returns the history of fees by `history`. */
async function serveFees(
  fees: readonly (string | undefined)[],
  history: (call: RpcCall, blocks: Block[]) => RpcReply | undefined,
): Promise<ChainNode> {
  const blocks = fees.map((fee, height) => blockAt(height, fee));
  const node = await startMadeUpNode((call): RpcReply | undefined => {
    const { method, params } = call;
    if (method === "eth_feeHistory") return history(call, blocks);
    if (method === "eth_getBlockByHash") return { result: blocks.find(({ hash }) => hash === params[0]) ?? null };
    if (method !== "eth_getBlockByNumber") return undefined;
    return { result: (params[0] === "latest" ? blocks.at(-1) : blocks[Number(params[0])]) ?? null };
  });
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return { blocks, served, node };
}

/** Returns a history of one block, as the execution APIs describe `eth_feeHistory`: the fee of a block before London is zero. */
const historyThatEndsWith =
  (next: string) =>
  ({ params: [count, newest, percentiles] }: RpcCall, blocks: readonly Block[]): RpcReply => {
    expect([count, percentiles]).toEqual(["0x1", []]);
    const own = (blocks[Number(newest)] as { readonly baseFeePerGas?: string }).baseFeePerGas ?? "0x0";
    return { result: { oldestBlock: newest, baseFeePerGas: [own, next], gasUsedRatio: [0.5] } };
  };

async function nextFee({ served }: ChainNode, block: string): Promise<unknown> {
  const response = await served.ask(`{ block${block} { nextBaseFeePerGas } }`);
  expect(response.errors).toEqual([]);
  return (response.data as { readonly block: { readonly nextBaseFeePerGas: unknown } }).block.nextBaseFeePerGas;
}

/** Fee by EIP-1559, of an empty block with a base fee of 8 Gwei. */
const sevenGwei = "0x1a13b8600";
const eightGwei = "0x1dcd65000";

describe("nextBaseFeePerGas", () => {
  it("of the latest block before London is what eth_feeHistory returns", async () => {
    const chain = await serveFees([undefined, undefined], historyThatEndsWith("0x3b9aca00"));
    expect(await nextFee(chain, "")).toBe("0x3b9aca00");
  });

  it("of the last block before London is the base fee of the next block", async () => {
    const chain = await serveFees([undefined, undefined, "0x3b9aca00"], () => undefined);
    expect(await nextFee(chain, "(number: 1)")).toBe("0x3b9aca00");
  });

  it("is null where the next block comes before London too", async () => {
    const chain = await serveFees([undefined, undefined, undefined], historyThatEndsWith("0x0"));
    expect([await nextFee(chain, "(number: 1)"), await nextFee(chain, "(number: 2)")]).toEqual([null, null]);
  });

  it("follows the rules of chains whose fee moves by other steps than Ethereum's", async () => {
    const chain = await serveFees([eightGwei, "0x1bf08eb00", eightGwei], historyThatEndsWith("0x1bf08eb00"));
    expect(await nextFee(chain, "(number: 0)")).toBe("0x1bf08eb00");
    expect(await nextFee(chain, "(number: 2)")).toBe("0x1bf08eb00");
  });

  it("is read once for each block", async () => {
    const chain = await serveFees([eightGwei, "0x1bf08eb00"], historyThatEndsWith("0x1bf08eb00"));
    const first = await nextFee(chain, "");
    const asked = chain.node.requests.flat().filter((method) => method === "eth_feeHistory").length;
    expect(await nextFee(chain, "")).toBe(first);
    expect(chain.node.requests.flat().filter((method) => method === "eth_feeHistory")).toHaveLength(asked);
  });

  it("of a range costs one history: the blocks of the range name each other's", async () => {
    const fees = ["0x10", "0x20", "0x30", "0x40"];
    const chain = await serveFees(fees, historyThatEndsWith("0x50"));
    const response = await chain.served.ask("{ blocks(from: 0, to: 3) { nextBaseFeePerGas } }");
    const found = (response.data as { blocks: { nextBaseFeePerGas: string }[] }).blocks;
    expect(found.map(({ nextBaseFeePerGas }) => nextBaseFeePerGas)).toEqual([...fees.slice(1), "0x50"]);
    expect(chain.node.requests.flat().filter((method) => method === "eth_feeHistory").length).toBeLessThanOrEqual(2);
  });

  it("is that of the new block where one was added while the history was read", async () => {
    const chain = await serveFees([eightGwei, eightGwei], (call, blocks) => {
      if (blocks.length === 2 && call.params[1] === "0x1") blocks.push(blockAt(2, "0x1bf08eb00"));
      return historyThatEndsWith("0x9")(call, blocks);
    });
    await chain.served.node.capabilities.all();
    expect(await nextFee(chain, "")).toBe("0x1bf08eb00");
  });

  it("is never that of another block at the same height", async () => {
    const chain = await serveFees([eightGwei, eightGwei], (call, blocks) => {
      if (call.params[1] === "0x1") blocks[1] = blockAt(1, eightGwei, "b");
      return historyThatEndsWith("0x9")(call, blocks);
    });
    await chain.served.node.capabilities.all();
    expect(await nextFee(chain, "")).toBe(sevenGwei);
  });

  it("of a stale block is computed by EIP-1559", async () => {
    const chain = await serveFees([eightGwei, eightGwei, eightGwei], historyThatEndsWith("0x9"));
    const stale = blockAt(1, eightGwei, "c");
    chain.served.node.keepBlock(stale as never);
    expect(await nextFee(chain, `(hash: "${stale.hash}")`)).toBe(sevenGwei);
  });

  it.each<[string, RpcReply | undefined]>([
    ["lacks eth_feeHistory", undefined],
    ["returns the history of another block", { result: { oldestBlock: "0x0", baseFeePerGas: [eightGwei, "0x9"] } }],
    ["returns the history of another fee", { result: { oldestBlock: "0x1", baseFeePerGas: ["0x8", "0x9"] } }],
    ["returns no next fee", { result: { oldestBlock: "0x1", baseFeePerGas: [eightGwei] } }],
    ["returns fees that are no quantities", { result: { oldestBlock: "0x1", baseFeePerGas: [eightGwei, 9] } }],
    ["returns nothing", { result: null }],
  ])("is computed by EIP-1559 where the node %s", async (_name, reply) => {
    const chain = await serveFees([eightGwei, eightGwei], () => reply);
    expect(await nextFee(chain, "")).toBe(sevenGwei);
  });

  it("is null before London where the node lacks eth_feeHistory", async () => {
    const chain = await serveFees([undefined, undefined], () => undefined);
    expect(await nextFee(chain, "")).toBeNull();
  });
});
