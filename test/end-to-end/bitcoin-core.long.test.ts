import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildChain, playInto } from "@nodewright/bitcoin-test-chain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BitcoinCore, type BitcoinCoreOptions, prepareBitcoinCore } from "../support/bitcoin-core.ts";
import { askRest, askRpc, readRest, waitUntil } from "../support/calls.ts";
import { checkAgainstNode } from "../support/check-against-node.ts";
import { requireBitcoinCore } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { demoBlocks } from "./demo-blocks.ts";

const { path } = requireBitcoinCore();

const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);
const mainnetBlocks = 14_132;

/** Key 1 of secp256k1 on regtest, and its witness address (BIP 173's test vectors). */
const key = "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA";
const address = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

describe.skipIf(path === undefined)("a service over Bitcoin Core", { timeout: 900_000 }, () => {
  let directory: string;
  let core: BitcoinCore;
  let service: StartedService | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-core-"));
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await core?.stop();
    rmSync(directory, { recursive: true });
  });

  async function start(options: BitcoinCoreOptions = {}): Promise<void> {
    core = await prepareBitcoinCore(path ?? "", join(directory, "core"), { hasTransactionIndex: true, ...options });
    await core.start();
  }

  async function serve(parameters: readonly string[] = []): Promise<ReadyNode> {
    service = await startService({
      parameters: ["--bitcoin-rpc", core.url, "--operator-port", "0", ...parameters],
      environment: parameters.includes("--bitcoin-cookie")
        ? {}
        : { NODEWRIGHT_BITCOIN_USER: core.user, NODEWRIGHT_BITCOIN_PASSWORD: core.password },
      dataDirectory: join(directory, "data"),
    });
    return nodeOf(service, "bitcoin");
  }

  const untilFollowed = async (node: ReadyNode): Promise<void> => {
    await waitUntil("the index has the node's best block", async () => {
      return (await askRest(node, "blocks/tip/hash")).text === String(await core.call("getbestblockhash"));
    });
  };

  const untilUnconfirmed = async (node: ReadyNode): Promise<readonly string[]> => {
    let expected: readonly string[] = [];
    await waitUntil("the service has the node's mempool", async () => {
      expected = ((await core.call("getrawmempool")) as string[]).toSorted();
      return ((await readRest(node, "mempool/txids")) as readonly string[]).toSorted().join() === expected.join();
    });
    return expected;
  };

  /** Signs a transaction that spends outputs of `address`, with one output to it. */
  async function sign(
    inputs: readonly { readonly txid: string; readonly vout: number; readonly amount: number }[],
    fee: number,
    version?: number,
  ): Promise<{ readonly hex: string; readonly txid: string; readonly amount: number }> {
    const amount = Number((inputs.reduce((sum, input) => sum + input.amount, 0) - fee).toFixed(8));
    const spent = inputs.map(({ txid, vout }) => ({ txid, vout }));
    const unsigned = await core.call("createrawtransaction", spent, [{ [address]: amount }], 0, true, version ?? 2);
    const outputs = inputs.map((input) => ({ ...input, scriptPubKey: "0014751e76e8199196d454941c45d1b3a323f1433bd6" }));
    const signed = await core.call("signrawtransactionwithkey", unsigned, [key], outputs);
    const { hex, complete } = signed as { readonly hex: string; readonly complete: boolean };
    if (!complete) throw new Error("The transaction can't be signed");
    const { txid } = (await core.call("decoderawtransaction", hex)) as { readonly txid: string };
    return { hex, txid, amount };
  }

  /** Mines blocks that differ from those that `generate` mines at the same heights: an invalid one would be mined again. */
  async function mineOthers(count: number): Promise<void> {
    await core.call("generatetoaddress", count, address);
  }

  /** Mines coins to `address` that can be spent. */
  async function mineCoins(count: number) {
    const hashes = (await core.call("generatetoaddress", count, address)) as readonly string[];
    await core.generate(100);
    const blocks = (await core.callEach(
      "getblock",
      hashes.map((hash) => [hash, 2]),
    )) as readonly {
      readonly tx: readonly { readonly txid: string; readonly vout: readonly { readonly value: number }[] }[];
    }[];
    return blocks.map(({ tx }) => ({ txid: tx[0]?.txid ?? "", vout: 0, amount: tx[0]?.vout[0]?.value ?? 0 }));
  }

  describe("first sync", () => {
    it.each([
      ["from the node alone", []],
      ["from its masked block files and then from the node", ["--bitcoin-blocks"]],
      ["from its masked block files, read in place, and then from the node", ["--blocks-in-place", "--bitcoin-blocks"]],
    ])("indexes mainnet's first blocks %s", async (_how, options) => {
      await start({ network: "mainnet" });
      const blocks = demoBlocks(mainnetBlocks);
      await core.callEach(
        "submitblock",
        blocks.slice(1).map((block) => [block.toString("hex")]),
      );

      const node = await serve(options.length === 0 ? [] : [...options, core.blocksDirectory]);

      await untilFollowed(node);
      expect(node.id).toBe("bitcoin-mainnet");
      const heights = blocks.flatMap((block, height) =>
        height % 251 === 0 || height === mainnetBlocks - 1 || block.readUInt8(80) > 1 ? [height] : [],
      );
      const { transactions } = await checkAgainstNode(node, core, heights);
      expect(transactions).toBeGreaterThan(200);
    });

    it("indexes a regtest chain with all kinds of scripts", async () => {
      await start({ parameters: ["-acceptnonstdtxn=1"] });
      const tipTime = Math.floor(Date.now() / 1_000);
      await playInto(core, buildChain({ seed, transactions: 2_000, staleBranches: 2, signatures: "real", tipTime }));

      const node = await serve();

      await untilFollowed(node);
      const tip = Number(await core.call("getblockcount"));
      const { transactions } = await checkAgainstNode(
        node,
        core,
        Array.from({ length: tip + 1 }, (_, at) => at),
      );
      console.log(`compared with Bitcoin Core: ${tip + 1} blocks, ${transactions} transactions, seed ${seed}`);
      expect(transactions).toBeGreaterThan(2_000);
    });
  });

  describe("following", () => {
    it("follows new blocks, a restart of the node, and a longer branch", async () => {
      await start();
      await core.generate(5);
      const node = await serve();
      await untilFollowed(node);

      await core.generate(3);
      await untilFollowed(node);
      await core.stop();
      await core.start();
      await core.generate(1);
      await untilFollowed(node);

      const replaced = await core.call("getblockhash", 8);
      await core.call("invalidateblock", replaced);
      await mineOthers(4);
      await untilFollowed(node);
      expect(await readRest(node, `block/${String(replaced)}/status`)).toMatchObject({ in_best_chain: false });
      await checkAgainstNode(node, core, [7, 8, 11]);
    });

    it("follows invalidateblock to a chain of less work, and reconsiderblock back", async () => {
      await start();
      await core.generate(12);
      const node = await serve();
      await untilFollowed(node);

      const eighth = await core.call("getblockhash", 8);
      await core.call("invalidateblock", eighth);
      expect(await core.call("getblockcount")).toBe(7);
      await untilFollowed(node);
      expect((await askRpc(node, "getblockcount")).result).toBe(7);

      // Equal work as the branch that was left: another block at the same height.
      await mineOthers(5);
      await untilFollowed(node);

      await core.call("reconsiderblock", eighth);
      await mineOthers(1);
      await untilFollowed(node);
    });
  });

  describe("mempool", () => {
    it("has what the node has, with replacements, and after a block and its reorganization", async () => {
      await start();
      const coins = await mineCoins(3);
      const node = await serve();
      await untilFollowed(node);
      const [first, second, third] = coins;
      if (first === undefined || second === undefined || third === undefined) return expect.unreachable("three coins");

      const payment = await sign([first], 0.0001);
      expect((await askRpc(node, "sendrawtransaction", payment.hex)).result).toBe(payment.txid);
      expect(await untilUnconfirmed(node)).toEqual([payment.txid]);
      const replacement = await sign([first], 0.001);
      expect((await askRest(node, `tx/${payment.txid}`)).status).toBe(200);
      await core.call("sendrawtransaction", replacement.hex);
      expect(await untilUnconfirmed(node)).toEqual([replacement.txid]);
      const child = await sign([{ txid: replacement.txid, vout: 0, amount: replacement.amount }], 0.0002);
      await core.call("sendrawtransaction", child.hex);
      expect(await untilUnconfirmed(node)).toEqual([child.txid, replacement.txid].toSorted());
      for (const method of ["getmempoolentry", "getmempoolancestors", "getmempooldescendants"])
        expect((await askRpc(node, method, child.txid)).error?.code).toBe(-32601);

      const [mined = ""] = await core.generate(1);
      await untilFollowed(node);
      expect(await untilUnconfirmed(node)).toEqual([]);
      await core.call("invalidateblock", mined);
      await untilFollowed(node);
      expect(await untilUnconfirmed(node)).toEqual([child.txid, replacement.txid].toSorted());
    });

    it("relays a package whose parent pays too little by itself", async () => {
      await start();
      const [coin] = await mineCoins(1);
      if (coin === undefined) return expect.unreachable("one coin");
      const node = await serve();
      await untilFollowed(node);
      // A parent without a fee is relayed with its child as transactions of version 3 (BIP 431).
      const parent = await sign([coin], 0, 3);
      const child = await sign([{ txid: parent.txid, vout: 0, amount: parent.amount }], 0.001, 3);
      expect((await askRpc(node, "sendrawtransaction", parent.hex)).error).toMatchObject({ code: -26 });

      const response = await fetch(`${node.endpoint}/indexer/rest/txs/package`, {
        method: "POST",
        headers: { "x-api-key": node.apikey, "content-type": "application/json" },
        body: JSON.stringify([parent.hex, child.hex]),
      });

      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ package_msg: "success" });
      expect(await untilUnconfirmed(node)).toEqual([child.txid, parent.txid].toSorted());
    });
  });

  describe("credentials", () => {
    it("reads the cookie file, and again when the node has written another", async () => {
      await start({ credentials: "cookie" });
      await core.generate(3);
      const node = await serve(["--bitcoin-cookie", core.cookieFile]);
      await untilFollowed(node);

      await core.stop();
      await core.start();
      await core.generate(1);

      await untilFollowed(node);
      expect((await askRpc(node, "getconnectioncount")).result).toBe(0);
    });

    it("says that the node refuses the credentials, without showing them", async () => {
      await start();
      await core.generate(3);
      const started = startService({
        parameters: ["--bitcoin-rpc", core.url],
        environment: { NODEWRIGHT_BITCOIN_USER: core.user, NODEWRIGHT_BITCOIN_PASSWORD: "not-the-password" },
        dataDirectory: join(directory, "data"),
      });

      const failure: unknown = await started.catch((reason: unknown) => reason);

      expect(String(failure)).toMatch(/refused the service's credentials\).*check its URL and credentials/);
      expect(String(failure)).not.toContain("not-the-password");
    });
  });
});
