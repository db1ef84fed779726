import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendrawtransaction } from "../handlers/sendrawtransaction.ts";
import { changedIndex } from "../testing/changed-index.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedResponse } from "../testing/scripted-node.ts";
import { type IndexedChain, indexChain, openScript, spend } from "../testing/test-chain.ts";
import { assertBurntAmount } from "./send-transaction.ts";

let chain: IndexedChain;

beforeAll(async () => {
  chain = await indexChain(2);
});

afterAll(() => chain.close());

const subsidy = 5_000_000_000n;

/** Returns a transaction that spends a complete coinbase, with this fee in satoshi. */
function payment(fee: bigint, scriptPubKey: Uint8Array = openScript) {
  const transaction = spend(chain.tip.coins.slice(-1), [{ value: subsidy - fee, scriptPubKey }]);
  return { transaction, hex: toHex(transaction.bytes), txid: displayHash(transaction.txid) };
}

/** Sends by the handler; returns its outcome, and the calls to the node. */
async function send(
  responses: Readonly<Record<string, ScriptedResponse>>,
  input: Parameters<typeof sendrawtransaction>[0],
) {
  const node = createScriptedNode(responses);
  const outcome = await attempt(
    async () => await sendrawtransaction(input, chain.context({ upstream: node.upstream })),
  );
  return {
    outcome,
    sent: node.calls.filter(({ method }) => method === "sendrawtransaction").map(({ params }) => params),
  };
}

async function attempt(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return error;
  }
}

describe("a transaction that the node takes", () => {
  it("is told by its id, and sent once", async () => {
    const { hex, txid } = payment(1_000n);
    for (const software of [likeBtcd, likeCore]) {
      const { outcome, sent } = await send({ ...software, sendrawtransaction: txid }, { hexstring: hex.toUpperCase() });
      expect(outcome).toBe(txid);
      expect(sent).toEqual([[hex]]);
    }
  });

  it.each([["00".repeat(32)], [null], [{}]])(
    "is not believed to be another, but may have been taken: %j",
    async (reported) => {
      const { hex } = payment(1_000n);
      const { outcome } = await send({ ...likeCore, sendrawtransaction: reported }, { hexstring: hex });
      expect(outcome).toMatchObject({
        code: "upstream_unavailable",
        message: expect.stringContaining("look for its txid with getmempoolentry or getrawtransaction"),
        details: { reason: "may-have-arrived" },
      });
    },
  );

  it("is not sent again when the node gives no response", async () => {
    const { hex } = payment(1_000n);
    for (const code of ["upstream_unavailable", "upstream_timeout"] as const) {
      const away = new ServiceError(code, "The node did not answer");
      const { outcome, sent } = await send({ ...likeBtcd, sendrawtransaction: away }, { hexstring: hex });
      expect(outcome).toBe(away);
      expect(sent).toHaveLength(1);
    }
  });
});

describe("the limits of a sender", () => {
  it("are handed to Bitcoin Core as exact decimals, and only where the sender names them", async () => {
    const { hex, txid } = payment(1_000n);
    const sentWith = async (limits: object) =>
      (await send({ ...likeCore, sendrawtransaction: txid }, { hexstring: hex, ...limits })).sent;
    expect(await sentWith({ maxfeerate: 10_000n })).toEqual([[hex, "0.00010000"]]);
    expect(await sentWith({ maxfeerate: "0.00012345" })).toEqual([[hex, "0.00012345"]]);
    expect(await sentWith({ maxfeerate: true })).toEqual([[hex, "0.00000000"]]);
    expect(await sentWith({ maxfeerate: false })).toEqual([[hex, "0.10000000"]]);
    expect(await sentWith({ maxburnamount: 5n })).toEqual([[hex, "0.10000000", "0.00000005"]]);
  });

  it("are not handed on where the node would not know them", async () => {
    const { hex, txid } = payment(1_000n);
    const limits = { maxfeerate: 20_000_000n, maxburnamount: 5n };
    const old = { getnetworkinfo: { version: 240_000, subversion: "/Satoshi:24.0.0/" }, sendrawtransaction: txid };
    expect((await send(old, { hexstring: hex, ...limits })).sent).toEqual([[hex, "0.20000000"]]);
    const btcd = { ...likeBtcd, sendrawtransaction: txid };
    expect((await send(btcd, { hexstring: hex, ...limits })).sent).toEqual([[hex]]);
  });

  it("hold over btcd, which does not look at fees", async () => {
    const { hex, transaction } = payment(1_000_000n);
    const rate = (1_000_000n * 1_000n) / BigInt(transaction.virtualSize);
    const btcd = { ...likeBtcd, sendrawtransaction: displayHash(transaction.txid) };
    const tooHigh = { rpcCode: -25, message: "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)" };
    expect(await send(btcd, { hexstring: hex })).toMatchObject({ outcome: tooHigh, sent: [] });
    expect(await send(btcd, { hexstring: hex, maxfeerate: rate - 100n })).toMatchObject({ outcome: tooHigh, sent: [] });
    expect((await send(btcd, { hexstring: hex, maxfeerate: rate + 100n })).sent).toEqual([[hex]]);
    expect((await send(btcd, { hexstring: hex, maxfeerate: 0n })).sent).toEqual([[hex]]);
  });

  it("do not hold for what is in the best chain or the mempool already", async () => {
    const { hex, txid } = payment(1_000_000n);
    const known = refused(-27, "TX rejected: transaction already exists in blockchain");
    const node = createScriptedNode({ ...likeBtcd, sendrawtransaction: known });
    const transactionPlace: ChainQueries["transactionPlace"] = async (asked) =>
      asked === txid ? { hash: "ab".repeat(32), height: 1, position: 1, time: 0, medianTime: 0 } : undefined;
    const index = changedIndex(chain.index, { transactionPlace });
    const sendAgain = async (more: object) =>
      await attempt(
        async () => await sendrawtransaction({ hexstring: hex }, chain.context({ upstream: node.upstream, ...more })),
      );
    expect(await sendAgain({ index })).toMatchObject({ rpcCode: -27 });
    expect(await sendAgain({ mempool: { has: async (asked: string) => asked === txid } })).toMatchObject({
      rpcCode: -27,
    });
    expect(await sendAgain({ mempool: { has: async () => false } })).toMatchObject({ rpcCode: -25 });
  });

  it("count unconfirmed outputs as btcd tells of them", async () => {
    const { transaction: parent } = payment(1_000n);
    const child = spend([{ outpoint: { txid: parent.txid, vout: 0 } }], [{ value: 1_000n, scriptPubKey: openScript }]);
    const hexstring = toHex(child.bytes);
    const asked: unknown[] = [];
    const gettxout = (params: unknown) => {
      asked.push(params);
      return { value: 49.99999, confirmations: 0 };
    };
    const { outcome, sent } = await send({ ...likeBtcd, gettxout }, { hexstring });
    expect(asked).toEqual([[displayHash(parent.txid), 0, true]]);
    expect({ outcome, sent }).toMatchObject({ outcome: { rpcCode: -25 }, sent: [] });
    // Its inputs are unknown: the node has to report that.
    const unknown = {
      ...likeBtcd,
      gettxout: null,
      sendrawtransaction: refused(-25, "TX rejected: orphan transaction"),
    };
    expect((await send(unknown, { hexstring })).sent).toHaveLength(1);
  });

  it.each<[name: string, script: readonly number[], isBurnt: boolean]>([
    ["data", [0x6a], true],
    ["an opcode that no script may have", [0x51, 0xba], true],
    ["the last opcode", [0x51, 0xb9], false],
    ["a push that is cut off", [0x05, 1], true],
    ["a push of 521 bytes", [0x4d, 0x09, 0x02, ...new Array<number>(521).fill(0)], true],
    ["a push of 520 bytes", [0x4d, 0x08, 0x02, ...new Array<number>(520).fill(0)], false],
    ["10,001 bytes", new Array<number>(10_001).fill(0x51), true],
    ["10,000 bytes", new Array<number>(10_000).fill(0x51), false],
    ["nothing", [], false],
  ])("take for burnt what is paid to %s: %s", (_name, script, isBurnt) => {
    const { transaction } = payment(subsidy - 7n, Uint8Array.from(script));
    const assertWith = (burntAmount: bigint) => () => assertBurntAmount(transaction, { burntAmount });
    expect(assertWith(7n)).not.toThrow();
    if (!isBurnt) expect(assertWith(0n)).not.toThrow();
    else expect(assertWith(6n)).toThrow(expect.objectContaining({ rpcCode: -25 }));
  });

  it("let nobody burn by mistake, on any node", async () => {
    const message = "Unspendable output exceeds maximum configured by user (maxburnamount)";
    for (const script of [[0x6a, 1, 7], [0x4c], [0xba], [0x4d, 0x09, 0x02, ...new Array<number>(521).fill(0)]]) {
      const { hex, txid } = payment(1_000n, Uint8Array.from(script));
      for (const software of [likeBtcd, likeCore]) {
        const node = { ...software, sendrawtransaction: txid };
        expect(await send(node, { hexstring: hex })).toMatchObject({ outcome: { rpcCode: -25, message }, sent: [] });
        expect((await send(node, { hexstring: hex, maxburnamount: "49.99999" })).outcome).toBe(txid);
      }
    }
  });

  it.each([
    ["abc", -3, "Invalid amount"],
    ["0.000000001", -3, "Invalid amount"],
    [-1n, -3, "Amount out of range"],
    [100_000_000n, -8, "Fee rates larger than or equal to 1BTC/kvB are not accepted"],
    ["7", -8, "Fee rates larger than or equal to 1BTC/kvB are not accepted"],
  ])("can't be %s", async (maxfeerate, rpcCode, message) => {
    const { outcome, sent } = await send(likeCore, { hexstring: payment(1_000n).hex, maxfeerate });
    expect(outcome).toMatchObject({ rpcCode, message });
    expect(sent).toEqual([]);
  });
});

describe("a transaction that the node refuses", () => {
  const orphan = "orphan transaction 1b references outputs of unknown or fully-spent transaction 2c";
  it.each([
    [-25, orphan, -25, "bad-txns-inputs-missingorspent"],
    [-27, "transaction already exists in blockchain", -27, "Transaction outputs already in utxo set"],
    [-26, "transaction 1b has 0 fees which is under the required amount of 83", -26, "min relay fee not met, 0 < 83"],
    [-25, "failed to validate input 1b:0 which references output 2c:0", -26, "mempool-script-verify-flag-failed"],
    [-26, "output already spent in mempool: output=1b:0, tx=2c", -26, "txn-mempool-conflict"],
    [-26, "a rule that nobody has heard of", -26, "a rule that nobody has heard of"],
  ])("by btcd with %i %s", async (code, text, rpcCode, message) => {
    const responses = { ...likeBtcd, sendrawtransaction: refused(code, `TX rejected: ${text}`) };
    expect((await send(responses, { hexstring: payment(1_000n).hex })).outcome).toMatchObject({ rpcCode, message });
  });

  it.each([
    [-25, "bad-txns-inputs-missingorspent", "bad-txns-inputs-missingorspent"],
    [-26, "min relay fee not met, 0 < 9", "min relay fee not met, 0 < 9"],
    [-27, "Transaction already in block chain", "Transaction outputs already in utxo set"],
  ])("by Bitcoin Core with %i %s", async (code, text, message) => {
    const responses = { ...likeCore, sendrawtransaction: refused(code, text) };
    expect((await send(responses, { hexstring: payment(1_000n).hex })).outcome).toMatchObject({
      rpcCode: code,
      message,
    });
  });

  it("with an internal error may have been taken all the same", async () => {
    const responses = { ...likeCore, sendrawtransaction: refused(-32603, "Internal error") };
    expect((await send(responses, { hexstring: payment(1_000n).hex })).outcome).toMatchObject({
      code: "upstream_unavailable",
      message: expect.stringMatching(/^The node failed to respond to sendrawtransaction; .*look for its txid with /),
      details: { reason: "may-have-arrived" },
    });
  });

  it("because it starts, or refuses the method, has not been taken", async () => {
    for (const refusal of [refused(-28, "Loading…"), refused(-32603, "limited user not authorized for this method")]) {
      const responses = { ...likeCore, sendrawtransaction: refusal };
      const { outcome } = await send(responses, { hexstring: payment(1_000n).hex });
      expect(outcome).toMatchObject({ message: expect.not.stringContaining("may or may not") });
    }
  });

  it("because it waits already is told by its id", async () => {
    const { hex, txid } = payment(1_000n);
    const known = refused(-26, `TX rejected: already have transaction in mempool ${txid}`);
    expect((await send({ ...likeBtcd, sendrawtransaction: known }, { hexstring: hex })).outcome).toBe(txid);
  });
});

it.each(["", "0", "zz", "00", "01000000", `02000000${"00".repeat(6)}`])("can't send %s", async (hexstring) => {
  const { outcome, sent } = await send(likeCore, { hexstring });
  const message = "TX decode failed. Make sure the tx has at least one input.";
  expect(outcome).toMatchObject({ rpcCode: -22, message });
  expect(sent).toEqual([]);
});
