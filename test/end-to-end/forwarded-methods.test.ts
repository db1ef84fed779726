import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentText } from "@nodewright/bitcoin-api/document";
import { createBitcoinRpc } from "@nodewright/bitcoin-api/server";
import { type ChainIndexReader, type IndexerProcess, openChainIndex, startIndexer } from "@nodewright/bitcoin-indexer";
import { RegtestChain, type RegtestCoin, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import {
  type BitcoinNodeContext,
  createCommandReference,
  createParameterRefusal,
  handlers,
  type OpenRpcDocument,
} from "@nodewright/bitcoin-node";
import {
  displayHash,
  networks,
  parseBlock,
  parseTransaction,
  serializeBlock,
  serializeTransaction,
  toHex,
  type Transaction,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import { createHttpUpstream, type Upstream } from "@nodewright/upstream";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";

const { path } = requireProgram("btcd");

/** Makes small transactions as long as nodes want them. */
const noOperations = new Array<number>(12).fill(0x61);
/** Anyone may spend it; nobody may spend the other. */
const openScript: Uint8Array = Uint8Array.of(...noOperations, 0x51);
const closedScript: Uint8Array = Uint8Array.of(...noOperations, 0x00);
const subsidy = 5_000_000_000n;
/** Blocks after which a coinbase may be spent. */
const maturity = 100;

interface DescribedMethod {
  readonly name: string;
  readonly "x-served-by": string;
  readonly errors: readonly {
    readonly code: number;
    readonly "x-provoked-by"?: readonly {
      readonly name: string;
      readonly params: readonly unknown[];
      readonly message?: string;
    }[];
  }[];
}

const description = JSON.parse(documentText) as OpenRpcDocument;
const { methods: described } = JSON.parse(documentText) as { readonly methods: readonly DescribedMethod[] };

/** Requests that are wrong in themselves, with the error that the description names for each. */
const provocations = described
  .filter((method) => method["x-served-by"] === "node")
  .flatMap(({ name: method, errors }) =>
    errors.flatMap(({ code, "x-provoked-by": requests = [] }) =>
      requests.map(({ name, params, message }) => ({ title: `${method}: ${name}`, method, params, code, message })),
    ),
  );

interface Answer {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | null;
}

describe.skipIf(path === undefined)("the methods that need a node, over btcd", { timeout: 120_000 }, () => {
  const chain = new RegtestChain();
  /** The second block is years younger than the first: btcd takes blocks with transactions no earlier than P2SH (BIP 16). */
  const blocks: RegtestTip[] = [{ ...chain.genesis, time: 1_400_000_000 }];
  let directory: string;
  let btcd: BitcoinProgram;
  let other: BitcoinProgram;
  let indexer: IndexerProcess;
  let reader: ChainIndexReader;
  let upstream: Upstream;
  let server: FastifyInstance;
  let isShared = false;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-forward-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"), { hasTransactionIndex: true });
    other = await prepareBtcd(path ?? "", join(directory, "other"), { listensForPeers: true });
    await Promise.all([btcd.start(), other.start()]);
    for (let height = 1; height <= maturity + 40; height += 1) extend();
    const made = blocks.slice(1).map(({ bytes }) => [toHex(bytes)]);
    expect(new Set(await btcd.callEach("submitblock", made))).toEqual(new Set([null]));
    const { url, user, password } = btcd;
    const credentials = { kind: "password", user, password } as const;
    upstream = createHttpUpstream({ url, credentials });
    reader = openChainIndex(join(directory, "data"), { network: networks.regtest });
    indexer = startIndexer({
      directory: join(directory, "data"),
      network: "regtest",
      source: { kind: "node", upstream: { url, credentials }, pollMilliseconds: 50 },
    });
    server = await serve();
    await indexed();
  }, 120_000);

  afterAll(async () => {
    await server?.close();
    await indexer?.stop();
    await reader?.close();
    await upstream?.close();
    await Promise.all([btcd?.stop(), other?.stop()]);
    rmSync(directory, { recursive: true });
  });

  /** The interface as it is served, with every answer held against the description. */
  async function serve(): Promise<FastifyInstance> {
    const commands = createCommandReference(description);
    const instance = fastify();
    await instance.register(
      createBitcoinRpc<BitcoinNodeContext>({
        handlers,
        context: () => ({
          index: reader,
          mempool: reader.mempool,
          upstream,
          isShared,
          identity: { version: 100, protocolVersion: 70_016 },
          methodAccess: { isEnabled: () => true, enableHint: "" },
          commands,
          startedAt: 0,
          now: Date.now,
        }),
        invalidParameters: createParameterRefusal(commands),
        validateResponses: "throw",
      }),
    );
    return instance;
  }

  async function call(method: string, ...params: readonly unknown[]): Promise<Answer> {
    const payload = JSON.stringify({ jsonrpc: "2.0", id: "1", method, params });
    const { body } = await server.inject({ method: "POST", url: "/", payload });
    return JSON.parse(body) as Answer;
  }

  async function result(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const answer = await call(method, ...params);
    expect(answer.error, method).toBeNull();
    return answer.result;
  }

  function extend(): RegtestTip {
    const tip = chain.extend(blocks.at(-1) ?? chain.genesis, openScript);
    blocks.push(tip);
    return tip;
  }

  async function indexed(): Promise<void> {
    const tip = await btcd.call("getbestblockhash");
    await waitUntil("the index has the node's best block", async () => (await reader.tip())?.hash === tip);
  }

  let nextCoin = 0;

  /** The coinbase of the lowest block that no transaction of this test has spent. */
  function takeCoin(): RegtestCoin {
    nextCoin += 1;
    const [coin] = blocks[nextCoin]?.coins.slice(-1) ?? [];
    return coin ?? expect.unreachable();
  }

  function makeTransaction(
    coins: readonly Pick<RegtestCoin, "outpoint">[],
    outputs: TransactionContent["outputs"],
    more: Partial<TransactionContent> = {},
  ): Transaction {
    const inputs = coins.map(({ outpoint }) => ({
      previousOutput: outpoint,
      scriptSig: new Uint8Array(0),
      sequence: 0xffffffff,
      witness: [],
    }));
    return parseTransaction(serializeTransaction({ version: 2, inputs, outputs, locktime: 0, ...more }));
  }

  /** Pays a fee of 1,000 satoshi. */
  function payment(scriptPubKey = openScript, coin = takeCoin(), fee = 1_000n): Transaction {
    return makeTransaction([coin], [{ value: coin.value - fee, scriptPubKey }]);
  }

  const hexOf = ({ bytes }: Transaction): string => toHex(bytes);
  const idOf = ({ txid }: Transaction): string => displayHash(txid);
  const coinOf = (transaction: Transaction): Pick<RegtestCoin, "outpoint"> => ({
    outpoint: { txid: transaction.txid, vout: 0 },
  });

  it("tells of the node's network", async () => {
    expect(await result("getnetworkinfo")).toMatchObject({
      version: 260_200,
      subversion: "/btcd:0.26.2/",
      protocolversion: 70_002,
      relayfee: 0.00001,
      incrementalfee: 0.00001,
      warnings: [],
    });
    expect(await result("getinfo")).toMatchObject({ version: 260_200, blocks: blocks.length - 1, relayfee: 0.00001 });
    expect(await result("getconnectioncount")).toBe(0);
    expect(await result("getpeerinfo")).toEqual([]);
    expect(await result("getaddednodeinfo")).toEqual([]);
    expect(await result("getnodeaddresses", 0)).toEqual([]);
    expect(await result("ping")).toBeNull();
  });

  it.each(provocations)("refuses $title", async ({ method, params, code, message }) => {
    const { error } = await call(method, ...params);
    expect(error).toMatchObject({ code, ...(message === undefined ? {} : { message }) });
  });

  describe("a transaction", () => {
    it("is sent, known at once, and told by its id when it is sent again", async () => {
      const transaction = payment();
      expect(await result("sendrawtransaction", hexOf(transaction))).toBe(idOf(transaction));
      expect(await reader.mempool.has(idOf(transaction))).toBe(true);
      expect(await result("sendrawtransaction", hexOf(transaction), 0, 0)).toBe(idOf(transaction));
      expect(await btcd.call("getrawmempool")).toContain(idOf(transaction));
    });

    it("may spend what waits, and be as dear as its sender allows", async () => {
      const parent = payment();
      expect(await result("testmempoolaccept", [hexOf(parent)])).toMatchObject([{ allowed: true }]);
      expect(await result("sendrawtransaction", hexOf(parent))).toBe(idOf(parent));
      const child = makeTransaction([coinOf(parent)], [{ value: 1_000_000n, scriptPubKey: openScript }]);
      const tooDear = { code: -25, message: "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)" };
      expect((await call("sendrawtransaction", hexOf(child))).error).toEqual(tooDear);
      expect((await call("sendrawtransaction", hexOf(child), false)).error).toEqual(tooDear);
      expect(await result("testmempoolaccept", [hexOf(child)])).toMatchObject([
        { allowed: false, "reject-reason": "max-fee-exceeded" },
      ]);
      expect(await result("testmempoolaccept", [hexOf(child)], 0)).toMatchObject([{ allowed: true }]);
      expect(await result("sendrawtransaction", hexOf(child), true)).toBe(idOf(child));
    });

    it("is tested without being sent", async () => {
      const transaction = payment(openScript, takeCoin(), 12_345n);
      const rate = Math.floor((12_345 * 1_000) / transaction.virtualSize) / 1e8;
      const wtxid = displayHash(transaction.wtxid);
      const { body } = await server.inject({
        method: "POST",
        url: "/",
        payload: JSON.stringify({ id: 1, method: "testmempoolaccept", params: [[hexOf(transaction)]] }),
      });
      expect((JSON.parse(body) as Answer).result).toEqual([
        {
          txid: idOf(transaction),
          wtxid,
          allowed: true,
          vsize: transaction.virtualSize,
          fees: { base: 0.00012345, "effective-feerate": rate, "effective-includes": [wtxid] },
        },
      ]);
      expect(body).toContain('"base":0.00012345,');
      expect(await btcd.call("getrawmempool")).not.toContain(idOf(transaction));
      // A rate that it just keeps, and one that it does not.
      expect(await result("testmempoolaccept", [hexOf(transaction)], rate)).toMatchObject([{ allowed: true }]);
      expect(await result("testmempoolaccept", [hexOf(transaction)], rate - 1e-8)).toMatchObject([{ allowed: false }]);
    });

    it("is tested in a package only as far as btcd can", async () => {
      const [first, second] = [payment(), payment()];
      expect(await result("testmempoolaccept", [hexOf(first), hexOf(second)])).toMatchObject([
        { txid: idOf(first), allowed: true },
        { txid: idOf(second), allowed: true },
      ]);
      const child = makeTransaction([coinOf(first)], [{ value: 1_000n, scriptPubKey: openScript }]);
      expect((await call("testmempoolaccept", [hexOf(first), hexOf(child)])).error).toMatchObject({ code: -1 });
    });

    /** Each way to be refused, with the error of sending and the reason of testing. */
    interface Refusal {
      readonly name: string;
      readonly make: () => Transaction;
      /** Of sending it. */
      readonly message: string;
      readonly code?: number;
      /** Of testing it, where that is another word. */
      readonly reason?: string;
    }
    const refusals: readonly Refusal[] = [
      {
        name: "spends what is not there",
        make: () =>
          makeTransaction(
            [{ outpoint: { txid: new Uint8Array(32).fill(7), vout: 3 } }],
            [{ value: 1_000n, scriptPubKey: openScript }],
          ),
        code: -25,
        message: "bad-txns-inputs-missingorspent",
        reason: "missing-inputs",
      },
      {
        name: "pays more than it has",
        make: () => payment(openScript, takeCoin(), -1n),
        message: "bad-txns-in-belowout",
      },
      {
        name: "spends a young coinbase",
        make: () => payment(openScript, blocks.at(-1)?.coins.at(-1) ?? expect.unreachable()),
        message: "bad-txns-premature-spend-of-coinbase",
      },
      {
        name: "spends one output twice",
        make: () => {
          const coin = takeCoin();
          return makeTransaction([coin, coin], [{ value: subsidy, scriptPubKey: openScript }]);
        },
        message: "bad-txns-inputs-duplicate",
      },
      {
        name: "has no outputs",
        make: () => makeTransaction([takeCoin(), takeCoin()], []),
        message: "bad-txns-vout-empty",
      },
      {
        name: "pays more than there is",
        make: () => makeTransaction([takeCoin()], [{ value: 2_100_000_000_000_001n, scriptPubKey: openScript }]),
        message: "bad-txns-vout-toolarge",
      },
      {
        name: "has an input that must wait",
        make: () => {
          const coin = takeCoin();
          const inputs = payment(openScript, coin).inputs.map((input) => ({ ...input, sequence: 5_000 }));
          return makeTransaction([], [{ value: coin.value - 1_000n, scriptPubKey: openScript }], { inputs });
        },
        message: "non-BIP68-final",
      },
      {
        name: "is too small",
        make: () => makeTransaction([takeCoin()], [{ value: 1_000n, scriptPubKey: Uint8Array.of(0x51) }]),
        message: "tx-size-small",
      },
      {
        name: "is a coinbase",
        make: () => parseBlock(blocks[1]?.bytes ?? new Uint8Array()).transactions[0] ?? expect.unreachable(),
        message: "coinbase",
      },
    ];

    it.each(refusals)("that $name is refused", async ({ make, message, code = -26, reason = message }) => {
      const transaction = make();
      const { error } = await call("sendrawtransaction", hexOf(transaction), 0);
      expect(error).toEqual({ code, message });
      const [tested] = (await result("testmempoolaccept", [hexOf(transaction)])) as readonly Record<string, unknown>[];
      expect(tested).toMatchObject({ txid: idOf(transaction), allowed: false, "reject-reason": reason });
      expect(tested).not.toHaveProperty("package-error");
      expect(tested).not.toHaveProperty("fees");
    });

    it("that fails its script, pays nothing or conflicts with one that waits is refused", async () => {
      const locked = payment(closedScript);
      expect(await result("sendrawtransaction", hexOf(locked))).toBe(idOf(locked));
      const thief = makeTransaction([coinOf(locked)], [{ value: 1_000_000n, scriptPubKey: openScript }]);
      const failure = { code: -26, message: "mempool-script-verify-flag-failed" };
      expect((await call("sendrawtransaction", hexOf(thief), 0)).error).toEqual(failure);
      const free = makeTransaction(
        [coinOf(locked)],
        [{ value: locked.outputs[0]?.value ?? 0n, scriptPubKey: openScript }],
      );
      expect((await call("sendrawtransaction", hexOf(free))).error).toEqual({
        code: -26,
        message: "min relay fee not met",
      });
      // btcd repeats the witness in hex.
      const large = serializeTransaction({
        ...thief,
        inputs: thief.inputs.map((input) => ({ ...input, witness: [new Uint8Array(40_000).fill(7)] })),
      });
      await expect(btcd.call("sendrawtransaction", toHex(large))).rejects.toThrow("07".repeat(40_000));
      expect((await call("sendrawtransaction", toHex(large), 0)).error).toEqual(failure);
      const coin = takeCoin();
      const [first, second] = [payment(openScript, coin), payment(openScript, coin, 9_000n)];
      await result("sendrawtransaction", hexOf(first));
      const conflict = { code: -26, message: "txn-mempool-conflict" };
      expect((await call("sendrawtransaction", hexOf(second))).error).toEqual(conflict);
    });
  });

  describe("a block", () => {
    it("is taken, then known, and its transactions are in the chain", async () => {
      const waiting = (await result("getrawmempool")) as readonly string[];
      expect(waiting.length).toBeGreaterThan(0);
      const parent = blocks.at(-1) ?? chain.genesis;
      const spent = takeCoin();
      const payments = [{ coins: [spent], outputs: [{ value: subsidy - 1_000n, scriptPubKey: openScript }] }];
      const tip = chain.extend(parent, openScript, payments);
      expect(await result("submitblock", toHex(tip.bytes))).toBeNull();
      expect(await result("submitblock", toHex(tip.bytes))).toBe("duplicate");
      blocks.push(tip);
      await indexed();
      const [, confirmed] = parseBlock(tip.bytes).transactions;
      const hex = hexOf(confirmed ?? expect.unreachable());
      const { error } = await call("sendrawtransaction", hex);
      expect(error).toEqual({ code: -27, message: "Transaction outputs already in utxo set" });
      const [tested] = (await result("testmempoolaccept", [hex])) as readonly Record<string, unknown>[];
      expect(tested).toMatchObject({ allowed: false, "reject-reason": "txn-already-known" });
    });

    it("next to the best chain is inconclusive, and one without a parent is not placed", async () => {
      const stale = chain.extend(blocks.at(-3) ?? chain.genesis, openScript);
      expect(await result("submitblock", toHex(stale.bytes))).toBe("inconclusive");
      const unknown = chain.extend(chain.extend(blocks.at(-2) ?? chain.genesis, openScript), openScript);
      expect(await result("submitblock", toHex(unknown.bytes))).toBe("prev-blk-not-found");
    });

    it("that breaks a rule is refused in the words of BIP 22", async () => {
      const { bytes } = chain.extend(blocks.at(-1) ?? chain.genesis, openScript);
      const block = parseBlock(bytes);
      const changed = (header: Partial<typeof block.header>): string =>
        toHex(serializeBlock({ ...block, header: { ...block.header, ...header } }));
      expect(await result("submitblock", changed({ bits: 0x1d00ffff }))).toBe("high-hash");
      const roots = await result("submitblock", minedAgain(bytes, 36));
      expect(roots).toBe("bad-txnmrklroot");
      expect((await call("submitblock", "00")).error).toEqual({ code: -22, message: "Block decode failed" });
      expect((await call("submitblock", toHex(bytes.subarray(0, -1)))).error).toMatchObject({ code: -22 });
    });

    /** The block with one byte of its header changed, and a nonce that still is enough on this network. */
    function minedAgain(bytes: Uint8Array, offset: number): string {
      const copy = Buffer.from(bytes);
      copy[offset] = (copy[offset] ?? 0) ^ 1;
      for (let nonce = 0; nonce < 1_000; nonce += 1) {
        copy.writeUInt32LE(nonce, 76);
        if ((parseBlock(copy).header.hash[31] ?? 255) < 0x7f) return toHex(copy);
      }
      return expect.unreachable();
    }
  });

  it("has no template while the node thinks that it is behind, and then one in Bitcoin Core's form", async () => {
    const request = { rules: ["segwit"] };
    const behind = { code: -10, message: "Bitcoin Core is in initial sync and waiting for blocks..." };
    expect((await call("getblocktemplate", request)).error).toEqual(behind);
    expect((await call("getblocktemplate", {})).error).toMatchObject({ code: -8 });

    const [hash] = (await result("generate", 1)) as readonly string[];
    await indexed();
    const template = (await result("getblocktemplate", { ...request, capabilities: ["coinbasetxn"] })) as Template;
    expect(template).toMatchObject({
      capabilities: ["proposal"],
      rules: expect.arrayContaining(["csv", "!segwit"]),
      vbrequired: 0,
      previousblockhash: hash,
      height: blocks.length + 1,
      default_witness_commitment: expect.stringMatching(/^6a24aa21a9ed[0-9a-f]{64}$/),
      bits: "207fffff",
      sizelimit: 4_000_000,
      weightlimit: 4_000_000,
    });
    expect(template.longpollid.startsWith(hash ?? "?")).toBe(true);
    for (const member of ["coinbasetxn", "submitold", "maxtime", "reject-reason"]) {
      expect(template).not.toHaveProperty(member);
    }

    // Who waits is answered soon after the next block.
    const waiting = call("getblocktemplate", { ...request, longpollid: template.longpollid });
    const [next] = await btcd.generate(1);
    expect((await waiting).result).toMatchObject({ previousblockhash: next });
    await indexed();
    expect(await call("getblocktemplate", { ...request, longpollid: "zz" })).toMatchObject({ error: { code: -8 } });
  });

  it("checks a proposed block", async () => {
    const tip = String(await btcd.call("getbestblockhash"));
    const block = toHex(blocks.at(-1)?.bytes ?? new Uint8Array());
    expect(await result("getblocktemplate", { mode: "proposal", data: block })).toBe("inconclusive-not-best-prevblk");
    expect((await call("getblocktemplate", { mode: "proposal", data: "00" })).error).toMatchObject({ code: -22 });
    expect(await btcd.call("getbestblockhash")).toBe(tip);
  });

  it("invalidates and reconsiders blocks", async () => {
    const height = Number(await btcd.call("getblockcount"));
    const hash = String(await btcd.call("getbestblockhash"));
    expect(await result("invalidateblock", hash)).toBeNull();
    expect(await btcd.call("getblockcount")).toBe(height - 1);
    expect(await result("reconsiderblock", hash)).toBeNull();
    expect(await btcd.call("getbestblockhash")).toBe(hash);
    for (const method of ["invalidateblock", "reconsiderblock"]) {
      expect((await call(method, "11".repeat(32))).error).toEqual({ code: -5, message: "Block not found" });
    }
    await indexed();
  });

  it("says what btcd does not offer", async () => {
    for (const [method, ...params] of [["preciousblock", "11".repeat(32)], ["pruneblockchain", 1], ["savemempool"]]) {
      expect((await call(String(method), ...params)).error).toMatchObject({
        code: -32601,
        data: { reason: "not-implemented", method },
      });
    }
  });

  it("estimates from its own mempool where btcd does not know", async () => {
    const estimate = (await result("estimatesmartfee", 6)) as { readonly feerate: number; readonly blocks: number };
    expect(estimate).toEqual({ feerate: expect.any(Number), blocks: 6 });
    expect(estimate.feerate).toBeGreaterThanOrEqual(0.00001);
    expect(await result("estimatefee", 6)).toBe(estimate.feerate);
    expect(await result("estimatesmartfee", 100, "CONSERVATIVE")).toMatchObject({ blocks: 25 });
  });

  it("sets the node's log and mining", async () => {
    expect(await result("debuglevel", "show")).toMatch(/RPCS/);
    expect(await result("debuglevel", "info")).toBe("Done.");
    expect((await call("debuglevel", "loud")).error).toMatchObject({ code: -8 });
    expect(await result("setgenerate", false)).toBeNull();
  });

  describe("a peer", () => {
    it("is added, told of, and removed", async () => {
      const address = other.peerAddress ?? expect.unreachable();
      expect(await result("addnode", address, "add")).toBeNull();
      await waitUntil("they are connected", async () => (await result("getconnectioncount")) === 1);
      const [peer] = (await result("getpeerinfo")) as readonly Record<string, unknown>[];
      expect(peer).toMatchObject({
        addr: address,
        network: "not_publicly_routable",
        services: expect.stringMatching(/^[0-9a-f]{16}$/),
        servicesnames: expect.arrayContaining(["NETWORK", "WITNESS"]),
        inbound: false,
        subver: expect.stringContaining("/btcd:0.26.2/"),
        addrlocal: expect.stringMatching(/^127\.0\.0\.1:/),
      });
      expect(await result("getaddednodeinfo")).toEqual([
        { addednode: address, connected: true, addresses: [{ address, connected: "outbound" }] },
      ]);
      expect(await result("getaddednodeinfo", false)).toEqual([address]);
      expect(await result("getaddednodeinfo", true, address)).toHaveLength(1);
      expect((await call("getaddednodeinfo", "192.0.2.1:1")).error).toEqual({
        code: -24,
        message: "Error: Node has not been added.",
      });
      expect(await result("getnetworkinfo")).toMatchObject({ connections: 1, connections_in: 0, connections_out: 1 });
      expect((await call("addnode", address, "add")).error).toEqual({
        code: -23,
        message: "Error: Node already added",
      });
      expect(await result("ping")).toBeNull();
      await waitUntil("the ping is told in seconds", async () => {
        const [{ pingtime } = {}] = (await result("getpeerinfo")) as readonly { readonly pingtime?: number }[];
        return pingtime !== undefined && pingtime < 5;
      });
      expect(await result("addnode", address, "remove")).toBeNull();
      await waitUntil("they are apart", async () => (await result("getconnectioncount")) === 0);
      const notAdded = "Error: Node could not be removed. It has not been added previously.";
      expect((await call("addnode", address, "remove")).error).toEqual({ code: -24, message: notAdded });
    });

    it("is connected for once, and disconnected by its number", async () => {
      const address = other.peerAddress ?? expect.unreachable();
      expect(await result("node", "connect", address)).toBeNull();
      await waitUntil("they are connected", async () => (await result("getconnectioncount")) === 1);
      const [peer] = (await result("getpeerinfo")) as readonly { readonly id: number }[];
      expect(await result("node", "disconnect", String(peer?.id))).toBeNull();
      await waitUntil("they are apart", async () => (await result("getconnectioncount")) === 0);
      const missing = { code: -29, message: "Node not found in connected nodes" };
      expect((await call("node", "disconnect", address)).error).toEqual(missing);
      expect((await call("node", "disconnect", "nonsense")).error).toMatchObject({ code: -8 });
    });
  });

  it("never does what acts on the node for those who share it", async () => {
    isShared = true;
    try {
      const height = await btcd.call("getblockcount");
      for (const [method, ...params] of [
        ["generate", 1],
        ["stop"],
        ["addnode", "192.0.2.1", "add"],
        ["debuglevel", "show"],
      ]) {
        expect((await call(String(method), ...params)).error).toMatchObject({
          code: -32601,
          data: { reason: "method-disabled", method },
        });
      }
      expect(await btcd.call("getblockcount")).toBe(height);
    } finally {
      isShared = false;
    }
  });

  it("says that the node is gone once it was stopped, and still answers getinfo", async () => {
    expect(await result("stop")).toBe("btcd stopping.");
    await waitUntil("it is gone", async () => (await call("getconnectioncount")).error !== null);
    expect((await call("getconnectioncount")).error).toEqual({
      code: -32603,
      message: "The node could not be reached",
    });
    expect(await result("getinfo")).toMatchObject({ version: 100, connections: 0 });
    expect(await result("estimatesmartfee", 2)).toMatchObject({ blocks: 2 });
  });
});

interface Template {
  readonly longpollid: string;
}
