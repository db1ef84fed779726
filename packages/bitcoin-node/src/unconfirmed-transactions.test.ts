import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  type IndexedTransaction,
  type MempoolQueries,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain } from "@nodewright/bitcoin-indexer/testing";
import {
  displayHash,
  networks,
  parseBlock,
  parseTransaction,
  serializeTransaction,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "./context/context.ts";
import { getrawtransaction } from "./handlers/getrawtransaction.ts";
import { gettxout } from "./handlers/gettxout.ts";
import { responseText, responseValue } from "./testing/response-text.ts";

const openScript: Uint8Array = Uint8Array.of(0x51);
const keyHashScript: Uint8Array = Uint8Array.of(0, 20, ...new Uint8Array(20).fill(7));

const chain = new RegtestChain();
const first = chain.extend(chain.genesis, openScript);
const second = chain.extend(first, openScript);
const [coinbase] = parseBlock(first.bytes).transactions;

/** Returns a transaction that spends an output, with a witness. */
function spendOf(txid: Uint8Array, value: bigint): Transaction {
  return parseTransaction(
    serializeTransaction({
      version: 2,
      inputs: [
        { previousOutput: { txid, vout: 0 }, scriptSig: new Uint8Array(), sequence: 1, witness: [Uint8Array.of(9)] },
      ],
      outputs: [
        { value, scriptPubKey: keyHashScript },
        { value: 0n, scriptPubKey: Uint8Array.of(0x6a) },
      ],
      locktime: 0,
    }),
  );
}

const parent = spendOf(coinbase?.txid ?? expect.unreachable(), 4_900_000_000n);
const child = spendOf(parent.txid, 4_800_000_000n);
const [parentId, childId] = [displayHash(parent.txid), displayHash(child.txid)];
const coinbaseId = displayHash(coinbase?.txid ?? expect.unreachable());

const unconfirmed = new Map<string, IndexedTransaction>(
  [parent, child].map((transaction) => [
    displayHash(transaction.txid),
    {
      txid: displayHash(transaction.txid),
      transaction,
      previousOutputs: [{ value: 5_000_000_000n, scriptPubKey: openScript, height: 1, isCoinbase: true }],
      fee: 100_000_000n,
    },
  ]),
);
const spenders = new Map([
  [`${coinbaseId}:0`, parentId],
  [`${parentId}:0`, childId],
]);

/** Parts of a mempool that are used here. */
const mempool: Pick<MempoolQueries, "transaction" | "spends"> = {
  transaction: async (txid) => unconfirmed.get(txid),
  spends: async (outpoints) =>
    outpoints.map(({ txid, vout }) => {
      const spender = spenders.get(`${txid}:${vout}`);
      return spender === undefined ? undefined : { txid: spender, vin: 0 };
    }),
};

const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
let index: ChainIndexReader;

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, networks.regtest);
  await runIndexer({
    store,
    source: createArraySource(networks.regtest, [chain.genesis.bytes, first.bytes, second.bytes]),
  });
  await store.close();
  index = openChainIndex(directory, { network: networks.regtest });
});

afterAll(async () => {
  await index.close();
  rmSync(directory, { recursive: true });
});

function context(): BitcoinNodeContext {
  return { index, mempool } as unknown as BitcoinNodeContext;
}

describe("getrawtransaction of an unconfirmed transaction", () => {
  it("gives its bytes, with the witness", async () => {
    for (const verbose of [0, false]) {
      expect(await responseText(getrawtransaction({ txid: childId, verbose }, context()))).toBe(
        JSON.stringify(toHex(child.bytes)),
      );
    }
  });

  it("gives it without a place, and tells nothing of what it spends: that is known of blocks", async () => {
    const plain = await responseValue(getrawtransaction({ txid: childId.toUpperCase(), verbose: 1 }, context()));
    expect(plain).toMatchObject({
      txid: childId,
      hex: toHex(child.bytes),
      vin: [{ txid: parentId, txinwitness: ["09"] }],
    });
    for (const member of ["blockhash", "confirmations", "time", "blocktime", "in_active_chain", "fee"]) {
      expect(plain).not.toHaveProperty(member);
    }
    expect(await responseValue(getrawtransaction({ txid: childId, verbose: 2 }, context()))).toEqual(plain);
  });

  it("finds it in no block", async () => {
    const input = { txid: childId, verbose: 1, blockhash: displayHash(first.hash) };
    await expect(async () => await getrawtransaction(input, context())).rejects.toMatchObject({ rpcCode: -5 });
  });
});

describe("gettxout", () => {
  it("gives an output of an unconfirmed transaction with no confirmations", async () => {
    expect(await responseValue(gettxout({ txid: childId, vout: 0 }, context()))).toMatchObject({
      bestblock: displayHash(second.hash),
      confirmations: 0,
      value: 48,
      coinbase: false,
      scriptPubKey: { type: "witness_v0_keyhash" },
    });
  });

  it("is null for an output that an unconfirmed transaction spends, be it confirmed or not", async () => {
    for (const txid of [coinbaseId, parentId]) {
      expect(await responseText(gettxout({ txid, vout: 0 }, context()))).toBe("null");
    }
  });

  it("knows the chain alone where the mempool is not to count", async () => {
    const includemempool = false;
    expect(await responseValue(gettxout({ txid: coinbaseId, vout: 0, includemempool }, context()))).toMatchObject({
      confirmations: 2,
      coinbase: true,
    });
    expect(await responseText(gettxout({ txid: childId, vout: 0, includemempool }, context()))).toBe("null");
  });

  it("is null for a position behind the last of an unconfirmed transaction", async () => {
    expect(await responseText(gettxout({ txid: childId, vout: 2 }, context()))).toBe("null");
  });
});
