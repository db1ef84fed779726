import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireProgram } from "../support/requirement.ts";
import { type ReverseProxy, startReverseProxy } from "./reverse-proxy.ts";
import { serveChain, type ServedChain } from "./served-chain.ts";

// The requests of Esplora's web front end, page by page, in the order and with the paths in which a browser sends them (commit
// a51df73 of Blockstream/esplora), and the members that its pages read. Its paging follows from what it has shown.

const { path } = requireProgram("btcd");

const blocksPerPage = 10;
const transactionsPerPage = 25;
const shownUnconfirmed = 50;

interface Block {
  readonly id: string;
  readonly height: number;
  readonly tx_count: number;
  readonly previousblockhash: string | null;
}

interface BlockStatus {
  readonly in_best_chain: boolean;
  readonly next_best: string | null;
}

interface Output {
  readonly scriptpubkey_address?: string;
  readonly value: number;
}

interface Transaction {
  readonly txid: string;
  readonly vin: readonly { readonly prevout: Output | null; readonly is_coinbase: boolean }[];
  readonly vout: readonly Output[];
  readonly fee: number;
  readonly status: { readonly confirmed: boolean; readonly block_hash?: string };
}

interface Statistics {
  readonly tx_count: number;
  readonly funded_txo_count: number;
  readonly spent_txo_count: number;
}

interface Address {
  readonly chain_stats: Statistics;
  readonly mempool_stats: Statistics;
}

interface Outspend {
  readonly spent: boolean;
  readonly txid?: string;
  readonly vin?: number;
}

const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
const number = expect.any(Number);
const text = expect.any(String);

const shownBlock = {
  id: hash,
  height: number,
  timestamp: number,
  tx_count: number,
  size: number,
  weight: number,
  version: number,
  nonce: number,
  bits: number,
  difficulty: number,
  merkle_root: hash,
};
const shownOutput = { scriptpubkey: text, scriptpubkey_asm: text, scriptpubkey_type: text, value: number };
const shownTransaction = { txid: hash, version: number, locktime: number, size: number, weight: number, fee: number };
const shownStatistics = {
  tx_count: number,
  funded_txo_count: number,
  funded_txo_sum: number,
  spent_txo_count: number,
  spent_txo_sum: number,
};

describe.skipIf(path === undefined)("the requests of Esplora's web front end", { timeout: 120_000 }, () => {
  let directory: string;
  let served: ServedChain;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-front-end-"));
    served = await serveChain(path ?? "", directory);
    proxy = await startReverseProxy(served.node);
  }, 120_000);

  afterAll(async () => {
    await proxy?.stop();
    await served?.stop();
    rmSync(directory, { recursive: true });
  });

  async function ask(path: string): Promise<Response> {
    const response = await fetch(`${proxy.origin}/api${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    return response;
  }

  const readText = async (path: string) => await (await ask(path)).text();
  const read = async <Body>(path: string) => (await (await ask(path)).json()) as Body;

  /** An item of a list, which must be there. */
  function first<Item>(items: readonly Item[]): Item {
    return items[0] ?? expect.unreachable("the list is empty");
  }

  function expectTransaction(transaction: Transaction): void {
    expect(transaction).toMatchObject(shownTransaction);
    for (const output of transaction.vout) expect(output).toMatchObject(shownOutput);
    for (const input of transaction.vin) {
      expect(input).toMatchObject({ txid: hash, vout: number, scriptsig: text, scriptsig_asm: text, sequence: number });
      if (input.is_coinbase) expect(input.prevout).toBeNull();
      else expect(input.prevout).toMatchObject(shownOutput);
    }
  }

  /** The busiest block of the test chain's upper part. */
  async function findBigBlock(): Promise<Block> {
    const tip = Number(await readText("/blocks/tip/height"));
    const blocks = await read<readonly Block[]>(`/blocks/${tip - 2}`);
    const big = first(blocks.toSorted((one, other) => other.tx_count - one.tx_count));
    expect(big.tx_count).toBeGreaterThan(3 * transactionsPerPage);
    return big;
  }

  it("fill the dashboard: blocks, what waits, fees, the next block, the difficulty", async () => {
    const blocks = await read<readonly Block[]>("/blocks");
    expect(blocks).toHaveLength(blocksPerPage);
    for (const block of blocks) expect(block).toMatchObject(shownBlock);
    const recent = await read<readonly unknown[]>("/mempool/recent");
    expect(recent).toHaveLength(10);
    for (const entry of recent) expect(entry).toMatchObject({ txid: hash, fee: number, vsize: number, value: number });
    expect(await read("/fee-estimates")).toMatchObject({ 1: number, 3: number, 12: number });
    const tip = await readText("/blocks/tip/height");
    expect(tip).toBe(String(first(blocks).height));
    const template = await read<{ readonly transactions: readonly unknown[] }>("/block-template");
    expect(template).toMatchObject({
      height: first(blocks).height + 1,
      previousblockhash: first(blocks).id,
      curtime: number,
      weightlimit: number,
      sizelimit: number,
    });
    expect(template.transactions.length).toBeGreaterThan(10);
    for (const transaction of template.transactions)
      expect(transaction).toMatchObject({ data: expect.stringMatching(/^[0-9a-f]+$/), fee: number, weight: number });
    const genesis = await readText("/block-height/0");
    expect(await read(`/block/${genesis}`)).toMatchObject({ ...shownBlock, height: 0, previousblockhash: null });
  });

  it("list blocks from the tip down to the first", async () => {
    const shown = [...(await read<readonly Block[]>("/blocks/"))];
    for (let lowest = shown.at(-1); lowest !== undefined && lowest.height > 0; lowest = shown.at(-1))
      shown.push(...(await read<readonly Block[]>(`/blocks/${lowest.height - 1}`)));
    const tip = Number(await readText("/blocks/tip/height"));
    expect(shown.map(({ height }) => height)).toEqual(Array.from({ length: tip + 1 }, (_, index) => tip - index));
    for (const [index, block] of shown.entries()) expect(block.previousblockhash).toBe(shown[index + 1]?.id ?? null);
  });

  it("show a block with all its transactions, and lead to the blocks next to it", async () => {
    const { id } = await findBigBlock();
    const block = await read<Block>(`/block/${id}`);
    expect(block).toMatchObject(shownBlock);
    const status = await read<BlockStatus>(`/block/${id}/status`);
    expect(status.in_best_chain).toBe(true);
    const shown = await read<Transaction[]>(`/block/${id}/txs/0`);
    while (shown.length < block.tx_count) {
      expect(shown.length % transactionsPerPage).toBe(0);
      shown.push(...(await read<readonly Transaction[]>(`/block/${id}/txs/${shown.length}`)));
    }
    for (const transaction of shown) expectTransaction(transaction);
    expect(shown.map(({ txid }) => txid)).toEqual(((await served.upstream.call("getblock", id)) as { tx: unknown }).tx);
    const below = await read<Block>(`/block/${block.previousblockhash}`);
    expect(await read<BlockStatus>(`/block/${below.id}/status`)).toMatchObject({ next_best: id });
    expect(await read<Block>(`/block/${status.next_best}`)).toMatchObject({ previousblockhash: id });
  });

  it("show transactions, confirmed or not, with what spends their outputs", async () => {
    const { id } = await findBigBlock();
    const confirmed = await read<readonly Transaction[]>(`/block/${id}/txs/${transactionsPerPage}`);
    const recent = await read<readonly Transaction[]>("/mempool/recent");
    let links = 0;
    for (const { txid } of [...confirmed, ...recent]) {
      const transaction = await read<Transaction>(`/tx/${txid}`);
      expectTransaction(transaction);
      const { status } = transaction;
      if (status.confirmed) {
        expect(status).toEqual({ confirmed: true, block_height: number, block_hash: id, block_time: number });
        expect(await read(`/block/${status.block_hash}`)).toMatchObject(shownBlock);
      } else {
        expect(status).toEqual({ confirmed: false });
      }
      const outspends = await read<readonly Outspend[]>(`/tx/${txid}/outspends`);
      expect(outspends).toHaveLength(transaction.vout.length);
      for (const [vout, outspend] of outspends.entries()) {
        if (!outspend.spent) continue;
        expect(outspend).toMatchObject({ txid: hash, vin: number, status: { confirmed: expect.any(Boolean) } });
        const spender = await read<Transaction>(`/tx/${outspend.txid}`);
        expect(spender.vin[outspend.vin ?? -1]).toMatchObject({ txid, vout });
        links += 1;
      }
    }
    expect(links).toBeGreaterThan(10);
  });

  it("load an address's transactions until its own count says that all are shown", async () => {
    const addresses = served.summary.hotScripts.flatMap(({ address }) => address ?? []);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      const told = await read<Address>(`/address/${address}`);
      expect(told).toMatchObject({ address, chain_stats: shownStatistics, mempool_stats: shownStatistics });
      const { chain_stats: chain, mempool_stats: mempool } = told;
      const shown = await read<Transaction[]>(`/address/${address}/txs`);
      while (shown.length - Math.min(shownUnconfirmed, mempool.tx_count) < chain.tx_count) {
        const more = await read<readonly Transaction[]>(`/address/${address}/txs/chain/${shown.at(-1)?.txid}`);
        expect(more.length, "a page that the count promises is there").toBeGreaterThan(0);
        shown.push(...more);
      }
      expect(new Set(shown.map(({ txid }) => txid)).size).toBe(chain.tx_count + mempool.tx_count);
      const isOfAddress = (output: Output | null) => output?.scriptpubkey_address === address;
      const paid = shown.flatMap(({ vout }) => vout).filter(isOfAddress);
      const spent = shown.flatMap(({ vin }) => vin).filter(({ prevout }) => isOfAddress(prevout));
      expect(paid).toHaveLength(chain.funded_txo_count + mempool.funded_txo_count);
      expect(spent).toHaveLength(chain.spent_txo_count + mempool.spent_txo_count);
    }
  });

  it("show the mempool and what it costs to leave it", async () => {
    interface Mempool {
      readonly vsize: number;
      readonly fee_histogram: readonly (readonly [number, number])[];
    }
    const mempool = await read<Mempool>("/mempool");
    const txids = (await served.upstream.call("getrawmempool")) as readonly string[];
    expect(mempool).toMatchObject({ count: txids.length, vsize: number, total_fee: number });
    expect(mempool.fee_histogram.reduce((total, [, size]) => total + size, 0)).toBe(mempool.vsize);
    const estimates = Object.entries(await read<Readonly<Record<string, number>>>("/fee-estimates"));
    expect(estimates).toHaveLength(28);
    for (const [, feeRate] of estimates) expect(feeRate).toBeGreaterThan(0);
  });

  it("find what is searched for by height, hash, place or address, and nothing by what is nowhere", async () => {
    const { id, height } = await findBigBlock();
    const txids = await read<readonly string[]>(`/block/${id}/txids`);
    expect(await readText(`/block-height/${height}`)).toBe(id);
    expect(await readText(`/block/${id}/txid/7`)).toBe(txids[7]);
    for (const nothing of [`/tx/${id}`, `/tx/${"ff".repeat(32)}`, `/block/${"ff".repeat(32)}`, "/block-height/100000"])
      expect((await fetch(`${proxy.origin}/api${nothing}`)).status, nothing).toBe(404);
    const address = first(served.summary.hotScripts.flatMap((script) => script.address ?? []));
    expect(await read<readonly string[]>(`/address-prefix/${address.slice(0, 12)}`)).toContain(address);
    const mistyped = `${address.slice(0, -1)}${address.endsWith("q") ? "p" : "q"}`;
    expect((await fetch(`${proxy.origin}/api/address/${mistyped}`)).status).toBe(400);
  });

  it("are answered without a body when a browser has the response already", async () => {
    const { id } = await findBigBlock();
    for (const path of ["/blocks", `/block/${id}`, `/block/${id}/txs/0`, "/mempool", "/fee-estimates"]) {
      const tag = (await ask(path)).headers.get("etag") ?? "";
      const again = await fetch(`${proxy.origin}/api${path}`, { headers: { "if-none-match": tag } });
      expect([path, again.status, await again.text()]).toEqual([path, 304, ""]);
      expect(again.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  it("send a transaction, and show its page at once", async () => {
    const push = async (body: string) => {
      const headers = { "content-type": "text/plain" };
      return await fetch(`${proxy.origin}/api/tx`, { method: "POST", headers, body });
    };
    const { unsent, unsentId } = served;
    const refused = await push(unsent.slice(0, -2));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/^sendrawtransaction RPC error -22: TX decode failed/);

    const answer = await push(unsent);

    expect([answer.status, await answer.text()]).toEqual([200, unsentId]);
    const transaction = await read<Transaction>(`/tx/${unsentId}`);
    expectTransaction(transaction);
    expect(transaction.status).toEqual({ confirmed: false });
    expect(first(await read<readonly Transaction[]>("/mempool/recent"))).toMatchObject({ txid: unsentId });
  });
});
