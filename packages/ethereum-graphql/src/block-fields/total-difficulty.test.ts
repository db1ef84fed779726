import { afterEach, describe, expect, it } from "vitest";
import { madeUpBlock } from "../../test-support/made-up-block.ts";
import { type RpcCall, type RpcReply, type ServedInterface, serve, startMadeUpNode } from "../../test-support/serve.ts";
import { quantity } from "../basics/quantity.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const hashOf = (height: number, branch = "a"): string => `0x${branch}${height.toString(16).padStart(63, "0")}`;

function blockAt(height: number, changes: Readonly<Record<string, unknown>> = {}) {
  return madeUpBlock({
    number: quantity(height),
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    difficulty: "0x10",
    ...changes,
  });
}

async function serveChain(
  length: number,
  change: (height: number) => Readonly<Record<string, unknown>> = () => ({}),
  chainId = "0x539",
): Promise<ServedInterface> {
  const blocks = Array.from({ length }, (_, height) => blockAt(height, change(height)));
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const node = await startMadeUpNode(({ method, params }: RpcCall): RpcReply | undefined => {
    if (method === "eth_chainId") return { result: chainId };
    if (method === "eth_getBlockByHash") return { result: byHash.get(String(params[0])) ?? null };
    if (method !== "eth_getBlockByNumber") return undefined;
    return { result: blocks[params[0] === "latest" ? length - 1 : Number(params[0])] ?? null };
  });
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return served;
}

const totalOf = async (served: ServedInterface, height: number) =>
  await served.ask(`{ block(number: ${height}) { totalDifficulty } }`);

describe("total difficulty", () => {
  it("is the sum of a chain's difficulties, found out once for all blocks on the way", async () => {
    const served = await serveChain(601);
    expect((await totalOf(served, 600)).data).toEqual({ block: { totalDifficulty: quantity(601 * 16) } });
    expect(await totalOf(served, 300)).toMatchObject({ data: { block: { totalDifficulty: quantity(301 * 16) } } });
    const blocks = await served.ask("{ blocks(from: 0, to: 2) { totalDifficulty } }");
    expect(blocks.data).toEqual({
      blocks: [{ totalDifficulty: "0x10" }, { totalDifficulty: "0x20" }, { totalDifficulty: "0x30" }],
    });
  });

  it("stays what it was when proof of work ended", async () => {
    const served = await serveChain(30, (height) => ({ difficulty: height < 10 ? "0x10" : "0x0" }));
    expect((await totalOf(served, 29)).data).toEqual({ block: { totalDifficulty: "0xa0" } });
  });

  it("is counted on from a block whose total the node tells", async () => {
    const served = await serveChain(5_000, (height) => (height === 4_990 ? { totalDifficulty: "0x1000" } : {}));
    expect((await totalOf(served, 4_990)).data).toEqual({ block: { totalDifficulty: "0x1000" } });
  });

  it("is null far above the first block, and nothing is asked for it", async () => {
    const served = await serveChain(2_002);
    expect(await totalOf(served, 2_001)).toMatchObject({
      errors: [],
      calls: 1,
      data: { block: { totalDifficulty: null } },
    });
  });

  it("grows with a chain that was looked back over while it was short", async () => {
    const served = await serveChain(1_010);
    for (let height = 998; height < 1_010; height++) {
      expect((await totalOf(served, height)).data).toEqual({
        block: { totalDifficulty: quantity((height + 1) * 16) },
      });
    }
  });

  it("is null for a block next to the chain", async () => {
    const served = await serveChain(20, (height) => (height === 19 ? { parentHash: hashOf(18, "b") } : {}));
    expect((await totalOf(served, 19)).data).toEqual({ block: { totalDifficulty: null } });
  });

  it.each([
    // In decimal they are what explorers of these chains show for every later block.
    ["0x1", 15_537_394, 58_750_003_716_598_352_816_469n],
    ["0xaa36a7", 1_450_410, 17_000_018_015_853_232n],
    ["0x4268", 1, 1n],
    ["0x88bb0", 1, 1n],
  ])("of the public chain %s is known from block %d on", async (chainId, height, total) => {
    const node = await startMadeUpNode(({ method, params }: RpcCall): RpcReply | undefined => {
      if (method === "eth_chainId") return { result: chainId };
      if (method !== "eth_getBlockByNumber") return undefined;
      return { result: blockAt(params[0] === "latest" ? height : Number(params[0]), { difficulty: "0x0" }) };
    });
    const served = await serve(node.url);
    closers.push(
      () => node.stop(),
      () => served.stop(),
    );
    const { data } = await totalOf(served, height);
    expect(data).toEqual({ block: { totalDifficulty: quantity(total) } });
  });
});
