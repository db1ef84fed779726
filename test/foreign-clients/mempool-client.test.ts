import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mempoolClient from "@mempool/mempool.js";
import { displayHash, parseBlock, parseTransaction, toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireProgram } from "../support/requirement.ts";
import { type ReverseProxy, startReverseProxy } from "./reverse-proxy.ts";
import { serveChain, type ServedChain } from "./served-chain.ts";

const { path } = requireProgram("btcd");

type Client = ReturnType<typeof mempoolClient>["bitcoin"];
type History = Awaited<ReturnType<Client["addresses"]["getAddressTxs"]>>;

describe.skipIf(path === undefined)("the client of mempool.space, over a service", { timeout: 120_000 }, () => {
  let directory: string;
  let served: ServedChain;
  let proxy: ReverseProxy;
  let client: Client;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-mempool-client-"));
    served = await serveChain(path ?? "", directory);
    proxy = await startReverseProxy(served.node);
    client = mempoolClient({ protocol: "http", hostname: new URL(proxy.origin).host }).bitcoin;
  }, 120_000);

  afterAll(async () => {
    await proxy?.stop();
    await served?.stop();
    rmSync(directory, { recursive: true });
  });

  it("reads blocks as the node has them", async () => {
    const { blocks } = client;
    const tip = await blocks.getBlocksTipHeight();
    expect(tip).toBe(await served.upstream.call("getblockcount"));
    expect(await blocks.getBlocksTipHash()).toBe(await served.upstream.call("getbestblockhash"));
    for (const height of [0, 1, 101, tip - 2, tip]) {
      const hash = await blocks.getBlockHeight({ height });
      const hex = String(await served.upstream.call("getblock", hash, 0));
      const txids = parseBlock(Buffer.from(hex, "hex")).transactions.map(({ txid }) => displayHash(txid));
      expect(await blocks.getBlockHeader({ hash })).toBe(hex.slice(0, 160));
      expect(await blocks.getBlockTxids({ hash })).toEqual(txids);
      expect(await blocks.getBlockTxid({ hash, index: txids.length - 1 })).toBe(txids.at(-1));
      expect(await blocks.getBlockStatus({ hash })).toEqual({
        in_best_chain: true,
        height,
        next_best: height === tip ? null : await served.upstream.call("getblockhash", height + 1),
      });
      for (let start = 0; start < txids.length; start += 25) {
        const page = (await blocks.getBlockTxs({ hash, start_index: start })) as unknown as History;
        expect(page.map(({ txid }) => txid)).toEqual(txids.slice(start, start + 25));
      }
    }
  });

  it("reads blocks with what it calls their extras", async () => {
    const { blocks } = client;
    const tip = await blocks.getBlocksTipHeight();
    const hash = await blocks.getBlocksTipHash();
    const block = await blocks.getBlock({ hash });
    expect(block).toMatchObject({ id: hash, height: tip, extras: { header: await blocks.getBlockHeader({ hash }) } });
    const page = await blocks.getBlocks({ start_height: tip });
    expect(page.map(({ height }) => height)).toEqual(Array.from({ length: 15 }, (_, position) => tip - position));
    expect(page[0]).toEqual(block);
    expect(await blocks.getBlocks({})).toEqual(page);
    expect(await blocks.getBlocks({ start_height: 1 })).toHaveLength(2);
  });

  it("follows transactions from one to the next that spends it", async () => {
    const { blocks, transactions } = client;
    const hash = await blocks.getBlockHeight({ height: 105 });
    const spenders = new Set<string>();
    for (const txid of await blocks.getBlockTxids({ hash })) {
      const told = await transactions.getTx({ txid });
      const bytes = Buffer.from(await transactions.getTxHex({ txid }), "hex");
      const { inputs, outputs } = parseTransaction(bytes);
      expect(told).toMatchObject({ txid, size: bytes.length, status: { confirmed: true, block_hash: hash } });
      expect(told.vin.map(({ vout }) => vout)).toEqual(inputs.map(({ previousOutput }) => previousOutput.vout));
      expect(told.vout.map(({ value, scriptpubkey }) => [BigInt(value), scriptpubkey])).toEqual(
        outputs.map(({ value, scriptPubKey }) => [value, toHex(scriptPubKey)]),
      );
      expect(await transactions.getTxStatus({ txid })).toEqual(told.status);
      expect(await transactions.getTxMerkleProof({ txid })).toMatchObject({ block_height: 105 });
      expect(await transactions.getTxMerkleBlockProof({ txid })).toMatch(/^[0-9a-f]{170,}$/);
      const outspends = await transactions.getTxOutspends({ txid });
      for (const [vout, outspend] of outspends.entries()) {
        expect(await transactions.getTxOutspend({ txid, vout })).toEqual(outspend);
        if (!outspend.spent) continue;
        const spender = await transactions.getTx({ txid: outspend.txid });
        expect(spender.vin[outspend.vin]).toMatchObject({ txid, vout, prevout: told.vout[vout] });
        spenders.add(spender.txid);
      }
    }
    expect(spenders.size).toBeGreaterThan(5);
  });

  it("pages through whole histories that agree with their sums and their unspent outputs", async () => {
    const { addresses } = client;
    const busy = served.summary.hotScripts.flatMap(({ address }) => address ?? []);
    expect(busy.length).toBeGreaterThan(3);
    for (const address of busy) {
      const { chain_stats: chain, mempool_stats: mempool } = await addresses.getAddress({ address });
      const history: History = await addresses.getAddressTxs({ address });
      for (let page = history; page.length > 0; history.push(...page)) {
        page = await addresses.getAddressTxs({ address, after_txid: history.at(-1)?.txid ?? "" });
      }
      expect(new Set(history.map(({ txid }) => txid)).size).toBe(history.length);
      const unconfirmed = history.filter(({ status }) => !status.confirmed);
      expect([history.length - unconfirmed.length, unconfirmed.length]).toEqual([chain.tx_count, mempool.tx_count]);
      expect(await addresses.getAddressTxsMempool({ address })).toEqual(unconfirmed.slice(0, 50));
      expect(await addresses.getAddressTxsChain({ address })).toEqual(
        history.slice(unconfirmed.length, unconfirmed.length + 25),
      );
      const outputs = history.flatMap(({ vout }) => vout).filter((output) => output.scriptpubkey_address === address);
      expect(sum(outputs)).toBe(chain.funded_txo_sum + mempool.funded_txo_sum);
      const unspent = await addresses.getAddressTxsUtxo({ address });
      expect(sum(unspent)).toBe(sum(outputs) - chain.spent_txo_sum - mempool.spent_txo_sum);
    }
  });

  it("reads the mempool and what a block costs", async () => {
    const { fees, mempool } = client;
    const txids = await mempool.getMempoolTxids();
    expect(txids).toEqual(((await served.upstream.call("getrawmempool")) as string[]).toSorted());
    expect(await mempool.getMempool()).toMatchObject({ count: txids.length, fee_histogram: [expect.any(Array)] });
    const recent = await mempool.getMempoolRecent();
    expect(recent).toHaveLength(10);
    for (const { txid, fee } of recent)
      expect(await client.transactions.getTx({ txid })).toMatchObject({ fee, status: { confirmed: false } });
    const { fastestFee, hourFee, minimumFee } = await fees.getFeesRecommended();
    expect(fastestFee).toBeGreaterThanOrEqual(hourFee);
    expect(hourFee).toBeGreaterThanOrEqual(minimumFee);
    expect(minimumFee).toBeGreaterThanOrEqual(1);
  });

  it("broadcasts a transaction and finds it at once, and is told why the node refuses another", async () => {
    const { mempool, transactions } = client;
    const { unsent, unsentId } = served;
    await expect(transactions.postTx({ txhex: unsent.slice(0, -2) })).rejects.toMatchObject({
      response: { status: 400, data: expect.stringContaining("RPC error -22") },
    });
    expect(await mempool.getMempoolTxids()).not.toContain(unsentId);

    expect(await transactions.postTx({ txhex: unsent })).toBe(unsentId);

    expect(await mempool.getMempoolTxids()).toContain(unsentId);
    expect((await mempool.getMempoolRecent()).map(({ txid }) => txid)).toContain(unsentId);
    expect(await transactions.getTxHex({ txid: unsentId })).toBe(unsent);
  });

  it("was refused nothing else", () => {
    expect(proxy.exchanges.filter(({ status }) => status !== 200)).toEqual([
      { method: "POST", path: "/tx", status: 400 },
    ]);
  });
});

function sum(outputs: readonly { readonly value: number }[]): number {
  return outputs.reduce((total, { value }) => total + value, 0);
}
