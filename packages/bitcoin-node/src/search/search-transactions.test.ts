import type { FoundTransaction } from "@nodewright/bitcoin-api/types";
import {
  addressOfScript,
  displayHash,
  networks,
  parseBlock,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import type { ChainIndexReader, ChainQueries } from "@nodewright/bitcoin-indexer";
import { isPreparedJson } from "@nodewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchrawtransactions } from "../handlers/searchrawtransactions.ts";
import { contextOver, type ChainNode, openChainNode } from "../testing/chain-node.ts";
import { findTransactions } from "./find-transactions.ts";

const { regtest } = networks;

let node: ChainNode;
/** Expected transactions by address, oldest first. */
let expected: ReadonlyMap<string, readonly Transaction[]>;
let confirmed: readonly Transaction[];
const scripts = new Map<string, Uint8Array>();

beforeAll(async () => {
  node = await openChainNode({ seed: 31, transactions: 1_500, hotScripts: 3, mempool: 120, signatures: "placeholder" });
  confirmed = node.best.flatMap(({ bytes }) => parseBlock(bytes).transactions);
  for (const { txid, outputs } of [...confirmed, ...node.unconfirmed]) {
    for (const [vout, { scriptPubKey }] of outputs.entries()) scripts.set(`${displayHash(txid)}:${vout}`, scriptPubKey);
  }
  const found = new Map<string, Transaction[]>();
  for (const transaction of [...confirmed, ...node.unconfirmed]) {
    for (const address of addressesOf(transaction)) found.set(address, [...(found.get(address) ?? []), transaction]);
  }
  expected = found;
});

afterAll(async () => {
  await node.close();
});

/** Returns the addresses in the inputs and outputs of a transaction. */
function addressesOf({ inputs, outputs, isCoinbase }: Transaction): ReadonlySet<string> {
  const touched = outputs.map(({ scriptPubKey }) => scriptPubKey);
  if (!isCoinbase) for (const { previousOutput } of inputs) touched.push(spentScript(previousOutput));
  return new Set(touched.map((script) => addressOfScript(script, regtest)).filter((address) => address !== undefined));
}

function spentScript({ txid, vout }: { readonly txid: Uint8Array; readonly vout: number }): Uint8Array {
  return scripts.get(`${displayHash(txid)}:${vout}`) ?? expect.unreachable();
}

function hexOf(transactions: readonly Transaction[]): readonly string[] {
  return transactions.map(({ bytes }) => toHex(bytes));
}

/** Returns an address with many transactions, some of them unconfirmed. */
function busyAddress(): { readonly address: string; readonly history: readonly Transaction[] } {
  const waiting = new Set(node.unconfirmed);
  const busy = [...expected]
    .filter(([, history]) => history.some((transaction) => waiting.has(transaction)))
    .sort(([, left], [, right]) => right.length - left.length)[0];
  const [address, history] = busy ?? expect.unreachable();
  expect(history.length).toBeGreaterThan(150);
  return { address, history };
}

/** Parses transactions; amounts stay as they are written. */
function objectsIn(response: unknown): readonly FoundTransaction[] {
  if (!isPreparedJson(response)) return expect.unreachable("no text");
  const text = (response.text as readonly string[]).join("");
  return JSON.parse(text.replaceAll(/"value":(\d+\.\d{8})/g, '"value":"$1"')) as readonly FoundTransaction[];
}

describe("a search for the transactions of an address", () => {
  it("gives all of them, those of the mempool last", async () => {
    let several = 0;
    for (const [address, history] of [...expected].slice(0, 150)) {
      expect(await searchrawtransactions({ address, verbose: 0, count: 1_000 }, node.context())).toEqual(
        hexOf(history),
      );
      if (history.length > 1) several += 1;
    }
    expect(several).toBeGreaterThan(20);
  });

  it("gives any part of them, from either end", async () => {
    const { address, history } = busyAddress();
    const { length } = history;
    for (const skip of [0, 1, 99, 127, 128, 129, length - 2, length - 1]) {
      for (const count of [1, 7, 60, 1_000]) {
        for (const reverse of [false, true]) {
          const ordered = reverse ? history.toReversed() : history;
          const response = await searchrawtransactions(
            { address, verbose: false, skip, count, reverse },
            node.context(),
          );
          expect(response).toEqual(hexOf(ordered.slice(skip, skip + count)));
        }
      }
    }
    expect(await searchrawtransactions({ address, verbose: 0 }, node.context())).toHaveLength(100);
  });

  it("finds those of the chain alone without a node", async () => {
    const { address, history } = busyAddress();
    const known = new Set(confirmed);
    const response = await searchrawtransactions({ address, verbose: 0, count: 1_000 }, contextOver(node.index));
    expect(response).toEqual(hexOf(history.filter((transaction) => known.has(transaction))));
  });

  it("tells where each is, and what its inputs spend when that is wanted", async () => {
    const { address, history } = busyAddress();
    const plain = objectsIn(await searchrawtransactions({ address, count: 1_000 }, node.context()));
    const extra = objectsIn(await searchrawtransactions({ address, count: 1_000, vinextra: 1 }, node.context()));
    const waiting = new Set(node.unconfirmed.map(({ txid }) => displayHash(txid)));
    for (const [position, transaction] of history.entries()) {
      const found = plain[position] ?? expect.unreachable();
      const { txid, size, virtualSize, weight } = transaction;
      expect(found).toMatchObject({
        txid: displayHash(txid),
        size: String(size),
        vsize: String(virtualSize),
        weight: String(weight),
      });
      if (waiting.has(found.txid)) expect(found).not.toHaveProperty("confirmations");
      else {
        const block = (await node.index.transaction(found.txid))?.block ?? expect.unreachable();
        const confirmations = node.best.length - block.height;
        expect(found).toMatchObject({ blockhash: block.hash, confirmations, time: block.time, blocktime: block.time });
      }
      expect(found.vin).toHaveLength(transaction.inputs.length);
      expect(JSON.stringify(found)).not.toContain("prevOut");
      const { vin, ...rest } = extra[position] ?? expect.unreachable();
      const { vin: _inputs, ...others } = found;
      expect(rest).toEqual(others);
      if (transaction.isCoinbase) continue;
      for (const [index, { previousOutput }] of transaction.inputs.entries()) {
        const spent = addressOfScript(spentScript(previousOutput), regtest);
        const prevOut = { ...(spent === undefined ? {} : { addresses: [spent] }), value: expect.any(String) };
        expect(vin[index]).toMatchObject({ prevOut });
      }
    }
  });

  it("gives only inputs and outputs of the addresses that are named", async () => {
    const { address, history } = busyAddress();
    const found = objectsIn(
      await searchrawtransactions(
        { address, count: 1_000, vinextra: true, filteraddrs: [address, address] },
        node.context(),
      ),
    );
    for (const [position, { inputs, outputs, isCoinbase }] of history.entries()) {
      const { vin, vout } = found[position] ?? expect.unreachable();
      const ownOutputs = outputs.filter(({ scriptPubKey }) => addressOfScript(scriptPubKey, regtest) === address);
      const ownInputs = isCoinbase
        ? []
        : inputs.filter(({ previousOutput }) => addressOfScript(spentScript(previousOutput), regtest) === address);
      expect(vout.map(({ n }) => n)).toEqual(
        [...outputs.keys()].filter((n) => ownOutputs.includes(outputs[n] ?? expect.unreachable())),
      );
      expect(vin).toHaveLength(ownInputs.length);
      expect(vin.every((input) => "prevOut" in input)).toBe(true);
    }
  });

  it("refuses what is no address of the network, also in the filter, and says which", async () => {
    const { address } = busyAddress();
    const foreign = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
    for (const input of [{ address: foreign }, { address, filteraddrs: [address, foreign] }]) {
      await expect(async () => searchrawtransactions(input, node.context())).rejects.toMatchObject({
        rpcCode: -5,
        message: expect.stringContaining(foreign),
      });
    }
  });

  describe("over an index that does what few do", () => {
    const longest = 8_000_000;
    const search = { scriptHash: "ab", skip: 0, count: 1_000, reverse: false };
    const refusal = {
      rpcCode: -8,
      message: "The transactions are larger than 8000000 bytes together: request a smaller count",
    };

    /** Returns an index with the history of one script: transactions of these sizes. */
    function indexOf(sizes: readonly number[], reported = sizes.length) {
      const slices: number[] = [];
      const history = sizes.map((length) => ({ transaction: { bytes: { length } } }));
      const index = {
        scriptStatistics: async () => ({ transactions: reported }),
        scriptHistorySlice: async (
          _hash: string,
          { skip, limit }: { readonly skip: number; readonly limit: number },
        ) => {
          slices.push(limit);
          if (slices.length > 20) throw new Error("There is nothing more to read");
          return history.slice(skip, skip + limit);
        },
      } as unknown as ChainQueries;
      return { index, slices, history };
    }

    it("reads fifty transactions at once, and no more than are requested", async () => {
      const { index, slices, history } = indexOf(Array.from({ length: 120 }, () => 100));
      expect(await findTransactions({ index }, search)).toEqual(history);
      expect(slices).toEqual([50, 50, 20]);
      slices.length = 0;
      expect(await findTransactions({ index }, { ...search, count: 51 })).toHaveLength(51);
      expect(slices).toEqual([50, 1]);
    });

    it("refuses transactions that are too large together, and reads no further then", async () => {
      const { index } = indexOf([longest - 1, 1]);
      expect(await findTransactions({ index }, search)).toHaveLength(2);
      await expect(findTransactions({ index: indexOf([longest, 1]).index }, search)).rejects.toMatchObject(refusal);
      const large = indexOf(Array.from({ length: 500 }, () => 100_000));
      await expect(findTransactions({ index: large.index }, search)).rejects.toMatchObject(refusal);
      expect(large.slices).toHaveLength(2);
    });

    it.each([
      [undefined, 100],
      [999, 999],
      [1_000, 1_000],
      [1_001, 1_000],
    ])("gives for a count of %s no more than %i", async (count, given) => {
      const one = { transaction: { bytes: Uint8Array.of(7) } };
      const index = {
        network: regtest,
        scriptStatistics: async () => ({ transactions: 2_000 }),
        scriptHistorySlice: async (_hash: string, { limit }: { readonly limit: number }) =>
          Array.from({ length: limit }, () => one),
      } as unknown as ChainIndexReader;
      const input = { address: busyAddress().address, verbose: 0, ...(count === undefined ? {} : { count }) };
      const found = await searchrawtransactions(input, contextOver(index));
      expect(found).toEqual(Array.from({ length: given }, () => "07"));
    });

    it("ends where blocks were disconnected meanwhile", async () => {
      const { index, slices, history } = indexOf([100, 100], 60);
      expect(await findTransactions({ index }, search)).toEqual(history);
      expect(slices).toEqual([50, 50]);
    });
  });

  it("has no information about an address that was never used, nor behind the last transaction", async () => {
    const { address, history } = busyAddress();
    const unused = addressOfScript(Uint8Array.from([0, 20, ...new Uint8Array(20).fill(7)]), regtest) ?? "";
    const refusal = { rpcCode: -5, message: "No information available about address" };
    for (const input of [
      { address: unused },
      { address, skip: history.length },
      { address, skip: 2_147_483_647, reverse: true },
    ]) {
      await expect(async () => searchrawtransactions(input, node.context())).rejects.toMatchObject(refusal);
    }
  });
});
