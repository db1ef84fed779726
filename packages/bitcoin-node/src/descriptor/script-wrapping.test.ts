import { fromHex, hash160, scriptType, sha256, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { findWrapping, scriptHashScript, witnessProgramScript } from "./script-wrapping.ts";

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? expect.unreachable(hex);

function wrappingOf(hex: string) {
  const script = bytesOf(hex);
  const wrapping = findWrapping(script, scriptType(script).core);
  return wrapping && (wrapping.witnessScript === undefined ? "no witness" : toHex(wrapping.witnessScript));
}

const hash20 = "22".repeat(20);
const hash32 = "33".repeat(32);
const key = `02${"11".repeat(32)}`;
const longKey = `04${"11".repeat(64)}`;
const programOf = (hex: string): string => `0020${toHex(sha256(bytesOf(hex)))}`;

describe("a script that may be paid by its hash", () => {
  it.each([
    ["a key's hash", `76a914${hash20}88ac`, `0014${hash20}`],
    ["a witness program of a key", `0014${hash20}`, "no witness"],
    ["a witness program of a script", `0020${hash32}`, "no witness"],
    ["keys of which each is short", `5121${key}21${key}52ae`, programOf(`5121${key}21${key}52ae`)],
    ["keys of which one is long", `5121${key}41${longKey}52ae`, "no witness"],
    ["a long key", `41${longKey}ac`, "no witness"],
    ["any other script", "51", programOf("51")],
    ["a push of 520 bytes", `4d0802${"00".repeat(520)}`, programOf(`4d0802${"00".repeat(520)}`)],
    ["the last opcode", "b9", programOf("b9")],
  ])("is %s", (_what, hex, witness) => expect(wrappingOf(hex)).toBe(witness));

  it("is a key, in a program of its hash", () => {
    expect(wrappingOf(`21${key}ac`)).toBe(`0014${toHex(hash160(bytesOf(key)))}`);
  });

  it.each([
    ["that has a hash around it", `a914${hash20}87`],
    ["of taproot", `5120${hash32}`],
    ["of an unknown witness version", `6002751e`],
    ["with data", "6a0101"],
    ["that is cut off", "4c"],
    ["with a push of 521 bytes", `4d0902${"00".repeat(521)}`],
    ["with an opcode that there is not", "ba"],
    ["of more than 10,000 bytes", "61".repeat(10_001)],
  ])("is none %s", (_what, hex) => expect(wrappingOf(hex)).toBeUndefined());

  it("has no opcode that tapscript calls a success (BIP 342)", () => {
    // BIP 342: 80, 98, 126-129, 131-134, 137-138, 141-142, 149-153, 187-254.
    const successes = new Set([
      80, 98, 126, 127, 128, 129, 131, 132, 133, 134, 137, 138, 141, 142, 149, 150, 151, 152, 153,
    ]);
    // Other push opcodes are truncated here, and OP_RETURN can never be spent.
    for (let opcode = 0x4f; opcode <= 0xff; opcode += 1) {
      const script = Uint8Array.of(0x51, opcode, 0x51);
      const isOfUse = !successes.has(opcode) && opcode <= 0xb9;
      expect(findWrapping(script, "nonstandard") !== undefined, String(opcode)).toBe(isOfUse);
    }
  });
});

it("hashes and programs are in scripts of their own", () => {
  expect(toHex(scriptHashScript(new Uint8Array(0)))).toBe("a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87");
  expect([toHex(witnessProgramScript(bytesOf(hash20))), toHex(witnessProgramScript(bytesOf(hash32)))]).toEqual([
    `0014${hash20}`,
    `0020${hash32}`,
  ]);
});
