import { networks, parseTransaction, serializeTransaction } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { isLongScript, renderLargeTransaction, renderLongScript } from "./long-scripts.ts";
import { renderScriptPubKey } from "./render/script.ts";
import { renderTransaction } from "./render/transaction.ts";
import { answerText } from "./testing/answer-text.ts";

const { regtest } = networks;

function repeated(length: number, ...unit: readonly number[]): Uint8Array {
  return Uint8Array.from({ length }, (_, position) => unit[position % unit.length] ?? 0);
}

/** Of opcodes, of pushes, one that is cut off, and data that nobody spends. */
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

describe("a large transaction", () => {
  const txid = new Uint8Array(32).fill(7);
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
      scriptSig: position === 1 ? repeated(20_000, 1, 7) : Uint8Array.of(1, 2),
      sequence: 5,
      witness: position === 2 ? [Uint8Array.of(1), new Uint8Array(0)] : [],
    }));
    const outputs = [Uint8Array.of(0, 20, ...repeated(20, 9)), ...scripts].map((scriptPubKey, position) => {
      return { value: BigInt(position), scriptPubKey };
    });
    const transaction = parseTransaction(serializeTransaction({ version: 2, inputs, outputs, locktime: 3 }));
    const written = await answerText(renderLargeTransaction(transaction, regtest));
    expect(written).toBe(await answerText(renderTransaction(transaction, regtest)));
  });
});
