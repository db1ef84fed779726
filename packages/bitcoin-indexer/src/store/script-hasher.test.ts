import { hashScript, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { ScriptHasher } from "./script-hasher.ts";

function scriptOf(number: number): Uint8Array {
  const script = Buffer.alloc(5);
  script.writeUInt32BE(number, 1);
  return script;
}

it("keeps the first 16 bytes of a script's hash, also as a text", () => {
  const { bytes, text } = new ScriptHasher().hash(scriptOf(7));
  expect(toHex(bytes)).toBe(toHex(hashScript(scriptOf(7))).slice(0, 32));
  expect(Buffer.from(text, "latin1").equals(bytes)).toBe(true);
});

it("hashes a script once, until a hundred thousand others came", () => {
  const hasher = new ScriptHasher();
  const first = hasher.hash(scriptOf(0));
  for (let number = 1; number < 100_000; number += 1) hasher.hash(scriptOf(number));
  expect(hasher.hash(scriptOf(0))).toBe(first);
  hasher.hash(scriptOf(100_000));
  const again = hasher.hash(scriptOf(0));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
