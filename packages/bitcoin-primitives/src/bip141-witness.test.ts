import { describe, expect, test } from "vitest";
import { displayHash, fromHex, parseTransaction, serializeTransaction, toHex } from "./index.ts";

/** Signed transactions of BIP 143's examples, with the unsigned ones where only witnesses were added. */
const nativeP2wpkh =
  "01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000";
const nestedP2wpkh =
  "01000000000101db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a5477010000001716001479091972186c449eb1ded22b78e40d009bdf0089feffffff02b8b4eb0b000000001976a914a457b684d7f0d539a46a45bbc043f35b59d0d96388ac0008af2f000000001976a914fd270b1ee6abcaea97fea7ad0402e8bd8ad6d77c88ac02473044022047ac8e878352d3ebbde1c94ce3a10d057c24175747116f8288e5d794d12d482f0220217f36a485cae903c713331d877c1f64677e3622ad4010726870540656fe9dcb012103ad1d8e89212f0b92c74d23bb710c00662ad1470198ac48c43f7d6f93a2a2687392040000";

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}

describe("BIP 141 and BIP 144: transactions with witnesses", () => {
  test.each([
    ["one input of two with a witness", nativeP2wpkh],
    ["a nested program", nestedP2wpkh],
  ])("%s becomes the same bytes again", (_, hex) => {
    expect(toHex(serializeTransaction(parseTransaction(bytesOf(hex))))).toBe(hex);
  });

  test("each input has its own stack, which may be empty", () => {
    const { inputs } = parseTransaction(bytesOf(nativeP2wpkh));
    expect(inputs.map((input) => input.witness.map((item) => item.length))).toEqual([[], [71, 33]]);
  });

  test("the txid leaves witnesses out, the wtxid does not", () => {
    const transaction = parseTransaction(bytesOf(nestedP2wpkh));
    const stripped = serializeTransaction(transaction, { witness: false });
    const bare = parseTransaction(stripped);
    expect(displayHash(transaction.txid)).toBe("ef48d9d0f595052e0f8cdcf825f7a5e50b6a388a81f206f3f4846e5ecd7a0c23");
    expect(bare.txid).toEqual(transaction.txid);
    expect(bare.wtxid).toEqual(transaction.txid);
    expect(transaction.wtxid).not.toEqual(transaction.txid);
    expect(transaction.strippedSize).toBe(stripped.length);
  });

  test("weight counts a byte outside witnesses four times", () => {
    const transaction = parseTransaction(bytesOf(nativeP2wpkh));
    expect(transaction).toMatchObject({
      size: 343,
      strippedSize: 233,
      weight: 1042,
      virtualSize: 261,
      hasWitness: true,
    });
  });

  const content =
    "01db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a54770100000000feffffff010000000000000000016a";

  test.each([
    ["the witness form without a witness", `010000000001${content}0000000000`, 59, "witness form without a witness"],
    ["an unknown flag", `010000000002${content}0000000000`, 5, "unknown flag 2"],
    ["no inputs and no outputs behind the flag", "010000000001000000000000", 8, "witness form without a witness"],
    ["a stack longer than its bytes", `010000000001${content}ff0000000001000000`, 59, "length is above 32 MiB"],
    [
      "a stack of more items than bytes",
      `010000000001${content}fdffff00000000`,
      59,
      "too short for its 65535 witness items",
    ],
    ["a witness item longer than its bytes", `010000000001${content}010aaabb00000000`, 60, "ends inside a byte string"],
  ])("refuses %s", (_, hex, offset, reason) => {
    expect(() => parseTransaction(bytesOf(hex))).toThrow(
      expect.objectContaining({ name: "MalformedBytesError", offset, reason: expect.stringContaining(reason) }),
    );
  });

  test("a transaction without inputs is read in the older form when told so", () => {
    const hex = "0100000000010100000000000000016a00000000";
    expect(() => parseTransaction(bytesOf(hex))).toThrow("transaction");
    const transaction = parseTransaction(bytesOf(hex), { witness: false });
    expect(transaction.inputs).toEqual([]);
    expect(transaction.outputs[0]?.value).toBe(1n);
    expect(toHex(serializeTransaction(transaction, { witness: false }))).toBe(hex);
  });
});
