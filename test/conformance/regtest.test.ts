import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addressOfScript,
  displayHash,
  fromHex,
  hashScript,
  networks,
  parseBlock,
  parseTransaction,
  scriptOfAddress,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { buildChain, type NodeRpc, playInto } from "@nodewright/bitcoin-test-chain";
import { playSuite, renderPlainReport } from "@nodewright/conformance";
import { bitcoinSuite } from "@nodewright/bitcoin-api/conformance";
import { indexSuite } from "@nodewright/index-api/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRest, askRpc, readRest, waitUntil } from "../support/calls.ts";
import { enableMethods } from "../support/method-access.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { type OtherNames, rpcSuiteOfOtherChain, suiteOfOtherChain } from "./other-chain-suite.ts";
import { waitForIndexes } from "./optional-indexes.ts";
import { methodsToEnable } from "./required-operations.ts";
import { rpcSuiteOf } from "./rpc-suite-of.ts";

const { path } = requireProgram("btcd");

/** The transaction in most examples. */
const [, firstPayment] = parseBlock(demoBlocks(171).at(-1) ?? new Uint8Array(0)).transactions;
const mainnetAddress = "1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvm";

/** What Bitcoin Core alone offers: btcd has no such methods. */
const notOfBtcd = [
  "analyzepsbt",
  "combinepsbt",
  "combinerawtransaction",
  "converttopsbt",
  "decodepsbt",
  "finalizepsbt",
  "getaddrmaninfo",
  "getchainstates",
  "getdescriptoractivity",
  "getmempoolcluster",
  "getmempoolfeeratediagram",
  "getorphantxs",
  "getprioritisedtransactions",
  "joinpsbts",
  "utxoupdatepsbt",
];

describe.skipIf(path === undefined)("the suite of the index over btcd, a chain of regtest and its mempool", () => {
  let directory: string;
  let btcd: BitcoinProgram;
  let service: StartedService;
  let node: ReadyNode;
  /** A transaction that the node would take. */
  let held: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-conformance-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"), { hasTransactionIndex: true });
    await btcd.start();
    const tipTime = Math.floor(Date.now() / 1_000);
    const mempool = { transactions: 40, blocks: 1 };
    const chain = buildChain({ seed: 4, transactions: 300, mempool, signatures: "real", tipTime });
    const holding = holdLast(btcd);
    await playInto(holding.rpc, chain);
    held = holding.held();
    service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url, "--coin-statistics"],
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

  async function result<Result = unknown>(method: string, ...params: readonly unknown[]): Promise<Result> {
    const answer = await askRpc(node, method, ...params);
    expect(answer.error, method).toBeNull();
    return answer.result as Result;
  }

  /** Finds what the examples are about on this chain. */
  async function findNames(): Promise<OtherNames> {
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
    return new Map([
      ["170", String(height)],
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
    ]);
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
    const report = await playSuite(suite, {
      baseUrl: node.interfaces.rest ?? "",
      apiKey: node.apikey,
      examples: "exact",
      rate: 2_000,
      // btcd knows no packages, and its template has another form.
      mayBeMissing: ["broadcastPackage", "getBlockTemplate"],
      allowWrites: true,
    });
    console.log(renderPlainReport(report));
    expect(report.cases.filter(({ verdict }) => verdict === "failed")).toEqual([]);
    expect(report.outcome).toBe("conforms");
  });

  /** The names of `findNames` that examples of JSON-RPC have in another sense, or more of them. */
  async function findRpcNames(): Promise<OtherNames> {
    const names = new Map(await findNames());
    const tip = await result<number>("getblockcount");
    const hashOf = async (height: number) => await result<string>("getblockhash", height);
    const firstTransactionOf = async (height: number) =>
      (await result<{ readonly tx: readonly string[] }>("getblock", await hashOf(height))).tx[0] ?? "";
    const payment = names.get("f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16") ?? "";
    const paid = names.get(mainnetAddress) ?? "";
    for (const word of JSON.stringify(rpcSuiteOf(bitcoinSuite).operations).match(/[0-9A-Za-z]{20,90}/g) ?? []) {
      const address = addressOnRegtest(word);
      if (address !== undefined) names.set(word, address);
    }
    const entries: readonly (readonly [string, string])[] = [
      ["14131", String(tip)],
      ["1000", String(tip - 3)],
      ["00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048", await hashOf(1)],
      ["000000008d9dc510f23c2657fc4f67bea30078cc05a90eb89e84cc475c080805", await hashOf(9)],
      ["00000000d50a3cd05e451166e5f618c76cc3273104608fe424835ae5c0d47db9", await hashOf(tip - 1)],
      ["0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9", await firstTransactionOf(9)],
      ["4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b", await firstTransactionOf(0)],
      ["b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082", await firstTransactionOf(tip - 1)],
      ["18jANvQ6AuVGJnea4EhmXiAf6bHR5qKjPB", paid],
      [provedOnMainnet(), (await askRest(node, `tx/${payment}/merkleblock-proof`)).text],
      [
        "xpub6DJ2dNUysrn5Vt36jH2KLBT2i1auw1tTSSomg8PhqNiUtx8QX2SvC9nrHu81fT41fvDUnhMjEzQgXnQjKEu3oaqMSzhSrHMxyyoEAmUHQbY",
        testKey,
      ],
      ["cjjspncu", await checksumOf(testDescriptor)],
      ["632p52jr", await checksumOf(`addr(${addressOnRegtest("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")})`)],
    ];
    return new Map([...names, ...entries]);
  }

  async function checksumOf(descriptor: string): Promise<string> {
    return (await result<{ readonly checksum: string }>("getdescriptorinfo", descriptor)).checksum;
  }

  /** Of a transaction that waits and of one that waits for it: the names that examples about the mempool have. */
  async function findWaiting(): Promise<OtherNames> {
    const waiting = await result<Readonly<Record<string, MempoolEntry>>>("getrawmempool", true);
    const [child, entry] = Object.entries(waiting).find(([, { depends }]) => depends.length > 0) ?? [];
    if (child === undefined) throw new Error("No transaction waits for another");
    return new Map([
      ["f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16", entry?.depends[0] ?? ""],
      ["a16f3ce4dd5deb92d98ef5cf8afeaf0775ebca408f708b2146c4fb42b41e14be", child],
    ]);
  }

  test("Bitcoin JSON-RPC, in which every method answers", { timeout: 180_000 }, async () => {
    const suite = rpcSuiteOf(bitcoinSuite);
    const enabled = methodsToEnable(suite);
    await enableMethods(service, enabled);
    await waitForIndexes(node, ["basic block filter index", "coinstatsindex"]);
    const report = await playSuite(rpcSuiteOfOtherChain(suite, await findRpcNames(), await findWaiting()), {
      baseUrl: node.interfaces.rpc ?? "",
      apiKey: node.apikey,
      examples: "exact",
      rate: 2_000,
      enabled,
      allowWrites: true,
    });
    console.log(renderPlainReport(report));
    expect(report.cases.filter(({ verdict }) => verdict === "failed")).toEqual([]);
    expect(report.totals).toMatchObject({ untested: 0, "not-sent": 0 });
    // What acts on the node itself nobody can enable on a shared one.
    const control = new Set(suite.operations.flatMap(({ name, extensions }) => (extensions.nodeControl ? [name] : [])));
    const notOffered = report.operations.flatMap(({ operation, availability }) =>
      /missing|disabled/.test(availability) && !control.has(operation) ? operation : [],
    );
    expect(notOffered.sort()).toEqual(notOfBtcd);
  });

  test("what waits, told by every method that knows of it", { timeout: 60_000 }, async () => {
    const ids = (await btcd.call("getrawmempool")) as readonly string[];
    expect((await result<readonly string[]>("getrawmempool")).toSorted()).toEqual(ids.toSorted());
    const theirs = (await btcd.call("getrawmempool", true)) as Readonly<Record<string, MempoolEntry>>;
    const ours = await result<Readonly<Record<string, MempoolEntry>>>("getrawmempool", true);
    expect(Object.keys(ours).toSorted()).toEqual(ids.toSorted());

    /** All that can be reached from a transaction, itself aside, in the order of their ids. */
    const reach = (txid: string, next: (entry: MempoolEntry) => readonly string[]): readonly string[] => {
      const found = new Set<string>();
      const open = [txid];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        const entry = ours[at];
        for (const id of entry === undefined ? [] : next(entry)) if (!found.has(id)) found.add(id) && open.push(id);
      }
      return [...found].sort();
    };
    for (const txid of ids) {
      const entry = await result<MempoolEntry>("getmempoolentry", txid);
      const { vsize, fee, depends } = theirs[txid] ?? {};
      expect(entry).toMatchObject({ vsize, fee });
      expect(entry.depends.toSorted()).toEqual(depends?.toSorted());
      expect(entry).toEqual(ours[txid]);
      for (const parent of entry.depends) expect(ours[parent]?.spentby).toContain(txid);
      const ancestors = reach(txid, (one) => one.depends);
      const descendants = reach(txid, (one) => one.spentby);
      expect(entry).toMatchObject({ ancestorcount: ancestors.length + 1, descendantcount: descendants.length + 1 });
      const sizes = (among: readonly string[]) => among.reduce((sum, id) => sum + (ours[id]?.vsize ?? 0), entry.vsize);
      expect(entry).toMatchObject({ ancestorsize: sizes(ancestors), descendantsize: sizes(descendants) });
      expect(await result("getmempoolancestors", txid)).toEqual(ancestors);
      expect(await result("getmempooldescendants", txid)).toEqual(descendants);
      const select = (among: readonly string[]) => Object.fromEntries(among.map((id) => [id, ours[id]]));
      expect(await result("getmempoolancestors", txid, true)).toEqual(select(ancestors));
      expect(await result("getmempooldescendants", txid, true)).toEqual(select(descendants));
      const [input] = parseTransaction(bytesOf(await btcd.call("getrawtransaction", txid))).inputs;
      if (input === undefined) return expect.unreachable();
      const output = { txid: displayHash(input.previousOutput.txid), vout: input.previousOutput.vout };
      expect(await result("gettxspendingprevout", [output])).toEqual([{ ...output, spendingtxid: txid }]);
    }
    expect(Object.values(ours).some(({ ancestorcount }) => ancestorcount > 2)).toBe(true);
  });

  test("a template, and what it costs to be in the next blocks", async () => {
    const template = await result<Template>("getblocktemplate", { rules: ["segwit"] });
    const [height, previousblockhash] = [await result<number>("getblockcount"), await result("getbestblockhash")];
    expect(template).toMatchObject({ height: height + 1, previousblockhash });
    const waiting = new Set(await result<readonly string[]>("getrawmempool"));
    expect(template.transactions.length).toBeGreaterThan(0);
    expect(template.transactions.filter(({ txid }) => !waiting.has(txid))).toEqual([]);
    expect(await result("estimatesmartfee", 6)).toMatchObject({ blocks: expect.any(Number) });
  });

  test("a transaction is tested over both interfaces, and handed in twice", async () => {
    const transaction = parseTransaction(bytesOf(held));
    const txid = displayHash(transaction.txid);
    const [tested] = await result<readonly Tested[]>("testmempoolaccept", [held], 0);
    expect(tested).toMatchObject({ txid, wtxid: displayHash(transaction.wtxid), allowed: true });
    expect(tested?.vsize).toBe(transaction.virtualSize);
    const overRest = async (query: string) => {
      const response = await fetch(`${node.interfaces.rest}/txs/test${query}`, {
        method: "POST",
        headers: { "x-api-key": node.apikey },
        body: JSON.stringify([held]),
      });
      expect(response.status).toBe(200);
      return (await response.json()) as unknown;
    };
    expect(await overRest("?maxfeerate=0")).toEqual([tested]);
    expect(await overRest("?maxfeerate=0.00000001")).toMatchObject([
      { txid, allowed: false, "reject-reason": "max-fee-exceeded" },
    ]);
    expect(await btcd.call("getrawmempool")).not.toContain(txid);

    expect(await result("sendrawtransaction", held, 0)).toBe(txid);
    expect(await result("sendrawtransaction", held, 0)).toBe(txid);
    expect(await result("getrawmempool")).toContain(txid);
    expect(await result("getmempoolentry", txid)).toMatchObject({ wtxid: displayHash(transaction.wtxid) });
    expect(await overRest("?maxfeerate=0")).toMatchObject([
      { txid, allowed: false, "reject-reason": "txn-already-in-mempool" },
    ]);
  });
});

/** A node that is told of every transaction but the last one, so that there is one that it would take. */
function holdLast(rpc: NodeRpc): { readonly rpc: NodeRpc; held(): string } {
  let last: string | undefined;
  const flush = async () => {
    const sent = last;
    last = undefined;
    if (sent !== undefined) await rpc.call("sendrawtransaction", sent);
  };
  return {
    rpc: {
      async call(method, ...params) {
        await flush();
        if (method !== "sendrawtransaction") return await rpc.call(method, ...params);
        last = String(params[0]);
        return displayHash(parseTransaction(bytesOf(last)).txid);
      },
    },
    held() {
      if (last === undefined) throw new Error("The mempool does not end with a transaction");
      return last;
    },
  };
}

function bytesOf(hex: unknown): Uint8Array {
  return fromHex(String(hex)) ?? expect.unreachable();
}

/** The address of the same script, of an address of mainnet. */
function addressOnRegtest(text: string): string | undefined {
  const read = scriptOfAddress(text, networks.mainnet);
  return read.kind === "script" ? addressOfScript(read.scriptPubKey, networks.regtest) : undefined;
}

/** The proof that examples have. */
function provedOnMainnet(): string {
  const { operations } = rpcSuiteOf(bitcoinSuite);
  const one = operations.find(({ method }) => method === "verifytxoutproof");
  return String(Object.values(one?.examples.find(({ outcome }) => outcome.kind === "success")?.input ?? {})[0]);
}

/** The key of the examples' descriptors as the networks for tests write it (BIP 32). */
const testKey =
  "tpubDDff9cJfb8jXmgDxBU1QY6nQ38gZvQPWz5Q52gSrBHUNeEo7bFJ1LbTgXwCoBx1FTpkPQGsbn6EjDxuLi6kHh2HeWbSkXp2CZwPdvhpER9t";
const testDescriptor = `wpkh([d34db33f/84h/0h/0h]${testKey}/0/*)`;

interface MempoolEntry {
  readonly vsize: number;
  readonly fee: number;
  readonly depends: readonly string[];
  readonly spentby: readonly string[];
  readonly ancestorcount: number;
}

interface Template {
  readonly transactions: readonly { readonly txid: string }[];
}

interface Tested {
  readonly vsize?: number;
}

interface Output {
  readonly scriptpubkey: string;
  readonly scriptpubkey_address?: string;
}

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly status: { readonly confirmed: boolean };
}
