import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashScript, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, playInto } from "@nodewright/bitcoin-test-chain";
import { renderReport, runSuite } from "@nodewright/conformance";
import { indexSuite } from "@nodewright/index-api/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import { type Btcd, prepareBtcd } from "../support/btcd.ts";
import { askRest, readRest, waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { type OtherChain, suiteOfOtherChain } from "./other-chain-suite.ts";

const { path } = requireProgram("btcd");

/** The transaction in most examples. */
const [, firstPayment] = parseBlock(demoBlocks(171).at(-1) ?? new Uint8Array(0)).transactions;
const mainnetAddress = "1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvm";

describe.skipIf(path === undefined)("the suite of the index over btcd, a chain of regtest and its mempool", () => {
  let directory: string;
  let btcd: Btcd;
  let service: StartedService;
  let node: ReadyNode;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-conformance-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"), { hasTransactionIndex: true });
    await btcd.start();
    const tipTime = Math.floor(Date.now() / 1_000);
    const mempool = { transactions: 40, blocks: 1 };
    await playInto(btcd, buildChain({ seed: 4, transactions: 300, mempool, signatures: "real", tipTime }));
    service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    node = nodeOf(service, "bitcoin");
    const transactions = ((await btcd.call("getrawmempool")) as string[]).length;
    expect(transactions).toBeGreaterThan(10);
    await waitUntil("it has the node's mempool", async () => {
      const { count } = (await readRest(node, "mempool")) as { readonly count: number };
      return count === transactions;
    });
  }, 180_000);

  afterAll(async () => {
    await service?.stop();
    await btcd?.stop();
    rmSync(directory, { recursive: true });
  });

  /** Finds what the examples are about on this chain. */
  async function findNames(): Promise<OtherChain> {
    const tip = Number((await askRest(node, "blocks/tip/height")).text);
    const height = tip - 2;
    const hashOf = async (at: number) => (await askRest(node, `block-height/${at}`)).text;
    const hash = await hashOf(height);
    const block = (await readRest(node, `block/${hash}`)) as { readonly tx_count: number };
    expect(block.tx_count).toBeGreaterThan(5);
    const txids = (await readRest(node, `block/${hash}/txids`)) as string[];
    const [coinbase = "", other = ""] = txids;
    const { payment, paidIn, address, scriptPubKey } = await findPayment(txids.slice(1));
    const history = (await readRest(node, `address/${address}/txs/chain`)) as readonly { readonly txid: string }[];
    const genesis = await hashOf(0);
    return {
      height,
      names: new Map([
        ["000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f", genesis],
        ["00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee", hash],
        ["0000000049a63b4dda3a43450c19d085d6c28bfb4cbb2e0576815d7f31919c5d", hash],
        ["00000000b3e750f37fdb42e1018799a9f44b546d393b130b369590a072430a1c", await hashOf(tip)],
        ["f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16", payment],
        ["0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9", coinbase],
        ["5b62efcc5b069ab78504483869b71a9cddff63eb123bafeadd4da13c1c2902c2", other],
        ["0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098", coinbase],
        ["00e45be5b605fdb2106afa4cef5992ee6d4e3724de5dc8b13e729a3fc3ad4b94", history.at(-1)?.txid ?? payment],
        ["a16f3ce4dd5deb92d98ef5cf8afeaf0775ebca408f708b2146c4fb42b41e14be", history[0]?.txid ?? payment],
        ["f8bf1e886d6ba6e4927acf861cf5ab3e62af2d50a6b011427f0369fa3e058eb2", paidIn],
        [
          "786929a9e558952ce72efc809ef12043c96978534ca2ccb7dda62d9b1be33181",
          toHex(hashScript(Buffer.from(scriptPubKey, "hex"))),
        ],
        [mainnetAddress, address],
        ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"],
        // Wrong here, as this one is there: testnet's would be right.
        ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", mainnetAddress],
        [toHex(firstPayment?.bytes ?? new Uint8Array(0)), String(await btcd.call("getrawtransaction", payment))],
      ]),
    };
  }

  /** A transaction that pays an address of which the first output of some transaction is unspent. */
  async function findPayment(txids: readonly string[]) {
    for (const payment of txids) {
      const { vout } = (await readRest(node, `tx/${payment}`)) as { readonly vout: readonly Output[] };
      for (const { scriptpubkey: scriptPubKey, scriptpubkey_address: address } of vout) {
        if (address === undefined) continue;
        const unspent = (await readRest(node, `address/${address}/utxo`)) as readonly Unspent[];
        const paidIn = unspent.find((output) => output.vout === 0 && output.status.confirmed)?.txid;
        if (paidIn !== undefined && unspent.length > 1) return { payment, paidIn, address, scriptPubKey };
      }
    }
    throw new Error("The block pays no such address");
  }

  test("index REST", { timeout: 180_000 }, async () => {
    if (indexSuite.protocol !== "http") return expect.unreachable();
    const suite = suiteOfOtherChain(indexSuite, await findNames());
    const report = await runSuite(suite, {
      baseUrl: node.interfaces.rest ?? "",
      apiKey: node.apikey,
      // btcd knows no packages and tests no transactions, and its template has another form.
      mayBeMissing: ["broadcastPackage", "testTransactions", "getBlockTemplate"],
      allowWrites: true,
    });
    console.log(renderReport(report));
    expect(report.operations.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === "failed"))).toEqual([]);
    expect(report.conforms).toBe(true);
  });
});

interface Output {
  readonly scriptpubkey: string;
  readonly scriptpubkey_address?: string;
}

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly status: { readonly confirmed: boolean };
}
