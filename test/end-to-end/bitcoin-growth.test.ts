import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, type ChainBlock, type MempoolStep, type MempoolTransaction } from "@nodewright/bitcoin-test-chain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BitcoinProgram, NodeRefusal } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRest, readRest, waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

const { path } = requireProgram("btcd");

/** Of which the service sees this many at its start; the others come while it reads those. */
const blocksAtStart = 60;

/** Of reorganisations: the deepest that an index follows is for `npm run test:long`. */
const depths = process.env["NODEWRIGHT_LONG"] === "1" ? [1, 6, 30, 1_000] : [1, 6, 30];

interface Tx {
  readonly txid: string;
  readonly fee: number;
  readonly status: { readonly confirmed: boolean; readonly block_height?: number; readonly block_hash?: string };
  readonly vout: readonly { readonly scriptpubkey_address?: string }[];
}

describe.skipIf(path === undefined)("a service over a btcd whose chain grows", { timeout: 180_000 }, () => {
  let directory: string;
  /** The service's. */
  let btcd: BitcoinProgram;
  /** Has the same chain, and mines others. */
  let miner: BitcoinProgram;
  let service: StartedService;
  let node: ReadyNode;
  let steps: readonly MempoolStep[];
  let arrivals: MempoolTransaction[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-growth-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
    miner = await prepareBtcd(path ?? "", join(directory, "miner"));
    await Promise.all([btcd.start(), miner.start()]);
    const chain = buildChain({
      seed: 21,
      transactions: 150,
      mempool: { transactions: 70, blocks: 0 },
      signatures: "real",
      tipTime: Math.floor(Date.now() / 1_000),
    });
    const blocks: ChainBlock[] = [];
    for await (const block of chain.blocks) if (block.height > 0) blocks.push(block);
    const mempool: MempoolStep[] = [];
    for await (const step of chain.mempool) mempool.push(step);
    steps = mempool;
    arrivals = steps.flatMap((step) =>
      step.kind === "arrival" && step.transaction.parents.length === 0 ? [step.transaction] : [],
    );
    await submit(miner, blocks);
    await submit(btcd, blocks.slice(0, blocksAtStart));
    const starting = startService({
      parameters: ["--bitcoin-rpc", btcd.url, "--operator-port", "0"],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    await submit(btcd, blocks.slice(blocksAtStart));
    service = await starting;
    node = nodeOf(service, "bitcoin");
  }, 180_000);

  afterAll(async () => {
    await service?.stop();
    await btcd?.stop();
    await miner?.stop();
    rmSync(directory, { recursive: true });
  });

  async function submit(to: BitcoinProgram, blocks: readonly ChainBlock[]): Promise<void> {
    const answers = await to.callEach(
      "submitblock",
      blocks.map(({ bytes }) => [toHex(bytes)]),
    );
    expect(answers.filter((answer) => answer !== null)).toEqual([]);
  }

  /** Hands blocks of one node to the other. */
  async function pass(from: BitcoinProgram, to: BitcoinProgram, hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) expect(await to.call("submitblock", await from.call("getblock", hash, 0))).toBeNull();
  }

  const waitForTip = (hash: string | undefined) =>
    waitUntil(`the tip is ${hash}`, async () => (await askRest(node, "blocks/tip/hash")).text === hash);

  const mempoolOf = async (): Promise<readonly string[]> => (await readRest(node, "mempool/txids")) as string[];

  const waitForMempool = (what: string) =>
    waitUntil(`the mempool is the node's ${what}`, async () => {
      const nodes = (await btcd.call("getrawmempool")) as string[];
      return JSON.stringify((await mempoolOf()).toSorted()) === JSON.stringify(nodes.toSorted());
    });

  async function post(restPath: string, body: string) {
    const response = await fetch(`${node.endpoint}/indexer/rest/${restPath}`, {
      method: "POST",
      headers: { "x-api-key": node.apikey },
      body,
    });
    return { status: response.status, text: await response.text() };
  }

  const idOf = ({ txid }: MempoolTransaction): string => displayHash(txid);

  it("has the blocks that came while it read the others", async () => {
    await waitForTip(String(await btcd.call("getbestblockhash")));
  });

  it.each(depths)("goes over to a chain that leaves its own %i blocks down", async (depth) => {
    const waiting = arrivals.splice(0, 5);
    for (const { bytes } of waiting) await btcd.call("sendrawtransaction", toHex(bytes));
    const stale = await btcd.generate(depth);
    await waitForTip(stale.at(-1));
    const forkHeight = Number((await askRest(node, "blocks/tip/height")).text) - depth;
    const txids = waiting.map(idOf);
    for (const txid of txids) {
      const status = (await readRest(node, `tx/${txid}/status`)) as Tx["status"];
      expect(status).toMatchObject({ confirmed: true, block_height: forkHeight + 1, block_hash: stale[0] });
    }
    const staleIds = (await readRest(node, `block/${stale[0]}/txids`)) as readonly string[];
    expect(staleIds).toEqual(expect.arrayContaining(txids));
    const transactions = (await Promise.all(txids.map((txid) => readRest(node, `tx/${txid}`)))) as readonly Tx[];

    const branch = await miner.generate(depth + 1);
    await pass(miner, btcd, branch);

    await waitForTip(branch.at(-1));
    for (const [at, hash] of branch.entries()) {
      expect(await askRest(node, `block-height/${forkHeight + 1 + at}`)).toEqual({ status: 200, text: hash });
    }
    for (const hash of stale) {
      expect(await askRest(node, `block/${hash}`)).toEqual({ status: 404, text: "Block not found" });
      for (const part of ["header", "raw", "txs"]) {
        expect((await askRest(node, `block/${hash}/${part}`)).status).toBe(404);
      }
      expect(await readRest(node, `block/${hash}/status`)).toEqual({
        in_best_chain: false,
        height: null,
        next_best: null,
      });
    }
    expect(await readRest(node, `block/${stale[0]}/txids`)).toEqual(staleIds);
    const [staleCoinbase = ""] = staleIds;
    expect(await readRest(node, `tx/${staleCoinbase}/status`)).toEqual({ confirmed: false });

    await waitForMempool("after the reorganisation");
    expect(await mempoolOf()).toEqual(expect.arrayContaining(txids));
    for (const before of transactions) {
      expect(await readRest(node, `tx/${before.txid}`)).toEqual({ ...before, status: { confirmed: false } });
      const address = before.vout.find(({ scriptpubkey_address }) => scriptpubkey_address)?.scriptpubkey_address;
      if (address === undefined) continue;
      const unconfirmed = (await readRest(node, `address/${address}/txs/mempool`)) as readonly Tx[];
      expect(unconfirmed.map(({ txid }) => txid)).toContain(before.txid);
    }

    const again = await btcd.generate(1);
    await waitForTip(again.at(-1));
    for (const txid of txids) {
      expect(await readRest(node, `tx/${txid}/status`)).toMatchObject({
        confirmed: true,
        block_height: forkHeight + depth + 2,
        block_hash: again[0],
      });
    }
    await pass(btcd, miner, again);
  });

  it("hands transactions to the node, which then wait for a block, and gives its refusals word by word", async () => {
    const [posted, asked] = arrivals.splice(0, 2);
    if (posted === undefined || asked === undefined) return expect.unreachable();
    expect(await post("tx", toHex(posted.bytes))).toEqual({ status: 200, text: idOf(posted) });
    expect(await askRest(node, `broadcast?tx=${toHex(asked.bytes)}`)).toEqual({ status: 200, text: idOf(asked) });
    await waitForMempool("with what was handed to it");
    const recent = (await readRest(node, "mempool/recent")) as readonly Tx[];
    expect(recent).toEqual(
      expect.arrayContaining(
        [posted, asked].map((one) => expect.objectContaining({ txid: idOf(one), fee: Number(one.fee) })),
      ),
    );

    const refused = [posted.bytes, ...spoiledCopies(arrivals[0]?.bytes ?? posted.bytes)].map(toHex);
    const told = new Set<string>();
    for (const hex of refused) {
      const refusal: unknown = await btcd.call("sendrawtransaction", hex).catch((reason: unknown) => reason);
      if (!(refusal instanceof NodeRefusal)) return expect.unreachable();
      const { code, message } = refusal.error;
      const text = `sendrawtransaction RPC error ${code}: ${message}`;
      told.add(text);
      expect(await post("tx", hex)).toEqual({ status: 400, text });
      expect(await askRest(node, `broadcast?tx=${hex}`)).toEqual({ status: 400, text });
    }
    expect(told.size).toBe(refused.length);
    expect([...told].every((text) => /^sendrawtransaction RPC error -2[2-7]: \S/.test(text))).toBe(true);

    const firstBlock = (await askRest(node, "block-height/1")).text;
    const [minedId] = (await readRest(node, `block/${firstBlock}/txids`)) as readonly string[];
    const mined = (await askRest(node, `tx/${minedId}/hex`)).text;
    expect(await post("tx", mined)).toEqual({
      status: 400,
      text: "sendrawtransaction RPC error -27: Transaction already in block chain",
    });
    // btcd knows no packages.
    expect(await post("txs/package", JSON.stringify([toHex(posted.bytes)]))).toEqual({
      status: 501,
      text: "The index's upstream node does not offer submitpackage",
    });
  });

  it("shows arrivals, replacements and what they take with them", async () => {
    let replacements = 0;
    const handed = new Set<string>((await btcd.call("getrawmempool")) as string[]);
    for (const step of steps) {
      if (step.kind === "block") continue;
      const txid = idOf(step.transaction);
      // Some were mined above, and what stands on them was not shown to the node yet.
      const refusal = await btcd.call("sendrawtransaction", toHex(step.transaction.bytes)).catch(() => "refused");
      if (refusal !== txid) continue;
      handed.add(txid);
      if (step.kind !== "replacement") continue;
      replacements += 1;
      await waitForMempool("with a replacement");
      expect(await readRest(node, `tx/${txid}/status`)).toEqual({ confirmed: false });
      for (const gone of step.replaced.map((bytes) => displayHash(bytes)).filter((id) => handed.has(id))) {
        expect((await askRest(node, `tx/${gone}`)).status).toBe(404);
        expect(await mempoolOf()).not.toContain(gone);
      }
    }
    expect(replacements).toBeGreaterThan(2);
    await waitForMempool("at last");
    expect(await readRest(node, "mempool")).toMatchObject({ count: (await mempoolOf()).length });
    const [hash] = await btcd.generate(1);
    await waitForTip(hash);
    await waitForMempool("below a block");
  });

  it("tells its operator how the index, the mempool and the node are, also while the node is gone", async () => {
    const { operator = "" } = service;
    const health = async () => {
      const { nodes } = (await (await fetch(`${operator}/health`)).json()) as { nodes: readonly BitcoinHealth[] };
      const found = nodes.find(({ chain }) => chain === "bitcoin");
      if (found === undefined) throw new Error("The operator is told nothing of the Bitcoin node");
      return found;
    };
    const height = Number(await btcd.call("getblockcount"));
    await waitUntil("it is ready", async () => (await health()).index.state === "ready");
    const unconfirmed = (await mempoolOf()).length;
    // The indexer says how many there are behind what readers see already.
    await waitUntil(
      "it tells all that is unconfirmed",
      async () => (await health()).mempool.transactions === unconfirmed,
    );
    const { index, secondsSinceResponse } = await health();
    expect(index).toMatchObject({ height, targetHeight: height });
    expect(secondsSinceResponse).toBeLessThan(10);

    await btcd.stop();
    await waitUntil("it says that the node is gone", async () => (await health()).index.state === "stalled");
    expect(await health()).toMatchObject({
      isServed: true,
      problem: expect.stringContaining(`Served up to height ${height}: The node could not be reached`),
    });
    const metrics = await (await fetch(`${operator}/metrics`)).text();
    expect(metrics).toContain('nodewright_index_state{node="bitcoin-regtest",state="stalled"} 1\n');
    expect(metrics).toContain(`nodewright_index_height{node="bitcoin-regtest"} ${height}\n`);
    expect((await askRest(node, "blocks/tip/height")).text).toBe(String(height));
    await btcd.start();
    await waitUntil("it is ready again", async () => (await health()).index.state === "ready");
  });
});

interface BitcoinHealth {
  readonly chain: string;
  readonly index: { readonly state: string };
  readonly mempool: { readonly transactions: number };
  readonly secondsSinceResponse: number;
}

/** The same payment with inputs that do not exist, and with a signature that is wrong. */
function spoiledCopies(bytes: Uint8Array): readonly Uint8Array[] {
  const isSegwit = bytes[4] === 0;
  const firstInput = isSegwit ? 7 : 5;
  const missing = Buffer.from(bytes);
  missing.fill(0xab, firstInput, firstInput + 32);
  const forged = Buffer.from(bytes);
  // The value of the first output's lowest byte or the locktime: what is signed differs.
  forged.writeUInt32LE(1, forged.length - 4);
  return [missing, forged];
}
