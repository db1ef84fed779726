import { networks, parseTransaction, serializeTransaction, type Transaction } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { isLargeTransaction, isLongScript, renderLargeTransaction, renderLongScript } from "./long-scripts.ts";
import { renderScriptPubKey } from "./script.ts";
import { renderTransaction } from "./transaction.ts";
import { responseText } from "../testing/response-text.ts";

const { regtest } = networks;

function repeated(length: number, ...unit: readonly number[]): Uint8Array {
  return Uint8Array.from({ length }, (_, position) => unit[position % unit.length] ?? 0);
}

/** Scripts of opcodes, of pushes, one that is truncated, and unspendable data. */
const scripts: readonly Uint8Array[] = [
  repeated(10_240, 0x51),
  repeated(30_001, 1, 7),
  repeated(20_002, 2, 7, 8),
  Uint8Array.of(0x6a, ...repeated(20_000, 0x51)),
];

describe("a long script", () => {
  it.each(scripts)("is written in slices as it is written at once (%#)", async (script) => {
    expect(isLongScript(script)).toBe(true);
    expect(await renderLongScript(script)).toEqual(renderScriptPubKey(script, regtest));
  });
});

it("what is written at once has a bound", () => {
  expect([isLongScript(new Uint8Array(10_000)), isLongScript(new Uint8Array(10_001))]).toEqual([false, true]);
  const ofSize = (size: number) => isLargeTransaction({ size } as Transaction);
  expect([ofSize(50_000), ofSize(50_001)]).toEqual([false, true]);
});

describe("a large transaction", () => {
  const txid = new Uint8Array(32).fill(7);
  /** A signature of main chain block 170, which a short script contains with the word for its last byte. */
  const signed = Buffer.from(
    "47304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901",
    "hex",
  );
  const coinbase = { txid: new Uint8Array(32), vout: 0xffffffff };

  it.each([
    [
      "spends",
      [
        { txid, vout: 0 },
        { txid, vout: 1 },
        { txid, vout: 2 },
      ],
    ],
    ["is a coinbase", [coinbase]],
  ])("that %s is written in slices as it is written at once", async (_name, outpoints) => {
    const inputs = outpoints.map((previousOutput, position) => ({
      previousOutput,
      scriptSig: position === 1 ? Uint8Array.of(...signed, ...repeated(20_000, 1, 7)) : Uint8Array.of(1, 2),
      sequence: 5,
      witness: position === 2 ? [Uint8Array.of(1), new Uint8Array(0)] : [],
    }));
    const outputs = [Uint8Array.of(0, 20, ...repeated(20, 9)), ...scripts].map((scriptPubKey, position) => {
      return { value: BigInt(position), scriptPubKey };
    });
    const transaction = parseTransaction(serializeTransaction({ version: 2, inputs, outputs, locktime: 3 }));
    const written = await responseText(renderLargeTransaction(transaction, regtest));
    expect(written).toBe(await responseText(renderTransaction(transaction, regtest)));
    expect(written).not.toContain("[ALL]");
  });

  it.each([
    ["inputs", 20_000, 1],
    ["outputs", 1, 20_000],
  ])("of many %s lets others have their turn", async (_name, inputCount, outputCount) => {
    const inputs = Array.from({ length: inputCount }, (_, vout) => ({
      previousOutput: { txid, vout },
      scriptSig: new Uint8Array(0),
      sequence: 5,
      witness: [],
    }));
    const outputs = Array.from({ length: outputCount }, () => ({ value: 1n, scriptPubKey: Uint8Array.of(0x51) }));
    const transaction = parseTransaction(serializeTransaction({ version: 2, inputs, outputs, locktime: 3 }));
    let turns = 0;
    let isDone = false;
    const rendering = renderLargeTransaction(transaction, regtest).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      turns += 1;
    }
    expect(await responseText(rendering)).toContain('"vout":[');
    expect(turns).toBeGreaterThan(3);
  });
});
