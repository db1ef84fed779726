import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildChain, playInto } from "@nodewright/bitcoin-test-chain";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRest, waitUntil } from "../support/calls.ts";
import { checkAgainstNode } from "../support/check-against-node.ts";
import { holdFiltersAgainstBtcd } from "../support/hold-filters-against-btcd.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { demoBlockFile, demoBlocks } from "./demo-blocks.ts";

const { path } = requireProgram("btcd");

const isLong = process.env["NODEWRIGHT_LONG"] === "1";
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

const blockCount = 14_132;
/** Of mainnet's blocks that stand in files; the others the node alone has. */
const blocksInFiles = 14_000;
/** Every so many of mainnet's blocks are held against btcd, and all that pay something. */
const step = isLong ? 1 : 251;

describe.skipIf(path === undefined)("every block and transaction is what btcd says of it", () => {
  let directory: string;
  let btcd: BitcoinProgram | undefined;
  let service: StartedService | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-differential-"));
  });

  afterEach(async () => {
    await service?.stop();
    await btcd?.stop();
    service = undefined;
    btcd = undefined;
    rmSync(directory, { recursive: true });
  });

  async function serve(node: BitcoinProgram, parameters: readonly string[] = []): Promise<ReadyNode> {
    service = await startService({
      parameters: ["--bitcoin-rpc", node.url, ...parameters],
      environment: { NODEWRIGHT_BITCOIN_USER: node.user, NODEWRIGHT_BITCOIN_PASSWORD: node.password },
      dataDirectory: join(directory, "data"),
    });
    const served = nodeOf(service, "bitcoin");
    const tip = String(await node.call("getbestblockhash"));
    await waitUntil(
      "it has the node's best block",
      async () => (await askRest(served, "blocks/tip/hash")).text === tip,
    );
    return served;
  }

  describe("on mainnet's first blocks", { timeout: isLong ? 3_600_000 : 240_000 }, () => {
    const blocks = demoBlocks(blockCount);
    let parent: string;
    let mainnet: BitcoinProgram;

    beforeAll(async () => {
      parent = mkdtempSync(join(tmpdir(), "nodewright-mainnet-"));
      mainnet = await prepareBtcd(path ?? "", join(parent, "btcd"), { network: "mainnet", hasTransactionIndex: true });
      await mainnet.start();
      await mainnet.callEach(
        "submitblock",
        blocks.slice(1).map((block) => [block.toString("hex")]),
      );
    }, 180_000);

    afterAll(async () => {
      await mainnet?.stop();
      rmSync(parent, { recursive: true });
    });

    it.each([
      ["from files that are copied and then from the node", ["--bitcoin-blocks"]],
      ["from files that are read in place and then from the node", ["--blocks-in-place", "--bitcoin-blocks"]],
      ["from the node alone", []],
    ])("%s", async (_how, options) => {
      const files = join(directory, "blocks");
      mkdirSync(files);
      writeFileSync(join(files, "blk00000.dat"), demoBlockFile(blocksInFiles));

      const parameters = options.length === 0 ? [] : [...options, files];
      const node = await serve(mainnet, parameters);

      expect(node.id).toBe("bitcoin-mainnet");
      // btcd takes few callers at once.
      expect(service?.output().split("\n")).not.toContainEqual(expect.stringContaining("stalled"));
      const heights = blocks.flatMap((block, height) =>
        height % step === 0 || height === blockCount - 1 || block.readUInt8(80) > 1 ? [height] : [],
      );
      const held = await checkAgainstNode(node, mainnet, heights);
      console.log(`held against btcd on mainnet: ${held.blocks} blocks, ${held.transactions} transactions`);
      expect(held.transactions).toBeGreaterThan(200);

      await service?.stop();
      const again = await serve(mainnet, parameters);
      await checkAgainstNode(again, mainnet, [0, 170, blocksInFiles - 1, blocksInFiles, blockCount - 1]);
    });

    it("every filter and every filter header", async () => {
      const node = await serve(mainnet);

      expect(await holdFiltersAgainstBtcd(node, mainnet, blockCount - 1)).toBe(blockCount);
    });
  });

  it("on a chain of regtest with all kinds of scripts", { timeout: isLong ? 3_600_000 : 240_000 }, async () => {
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"), { hasTransactionIndex: true });
    await btcd.start();
    const transactions = isLong ? 5_000 : 250;
    // btcd keeps what it has in blocks as unconfirmed as well while its best block is older than a day.
    const tipTime = Math.floor(Date.now() / 1_000);
    await playInto(btcd, buildChain({ seed, transactions, staleBranches: 2, signatures: "real", tipTime }));
    const height = Number(await btcd.call("getblockcount"));

    const node = await serve(btcd);

    const heights = Array.from({ length: height + 1 }, (_, at) => at);
    const held = await checkAgainstNode(node, btcd, heights);
    await holdFiltersAgainstBtcd(node, btcd, height);
    console.log(`held against btcd on regtest: ${held.blocks} blocks, ${held.transactions} transactions, seed ${seed}`);
    expect(held.transactions).toBeGreaterThan(transactions);
  });

  it.each(["mainnet", "testnet3", "testnet4", "signet"] as const)(
    "on %s, of which a node alone has the first block",
    { timeout: 120_000 },
    async (network) => {
      btcd = await prepareBtcd(path ?? "", join(directory, "btcd"), { network, hasTransactionIndex: true });
      await btcd.start();

      const node = await serve(btcd);

      expect(node.id).toBe(`bitcoin-${network}`);
      expect(await checkAgainstNode(node, btcd, [0])).toEqual({ blocks: 1, transactions: 0 });
    },
  );
});
