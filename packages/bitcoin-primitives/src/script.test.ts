import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, isUnspendable, lastPushOf, renderCoreAsm, renderEsploraAsm, scriptType, toHex } from "./index.ts";

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}

const genesisKey =
  "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f";
const compressedKey = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const zero20 = "00".repeat(20);
const zero32 = "00".repeat(32);

describe("scriptType", () => {
  test.each([
    ["", "empty", "nonstandard"],
    [`41${genesisKey}ac`, "p2pk", "pubkey"],
    [`21${compressedKey}ac`, "p2pk", "pubkey"],
    // A length that fits and a first byte that no public key has.
    [`21${"05".repeat(33)}ac`, "p2pk", "nonstandard"],
    [`76a914${zero20}88ac`, "p2pkh", "pubkeyhash"],
    [`a914${zero20}87`, "p2sh", "scripthash"],
    [`0014${zero20}`, "v0_p2wpkh", "witness_v0_keyhash"],
    [`0020${zero32}`, "v0_p2wsh", "witness_v0_scripthash"],
    [`0010${"00".repeat(16)}`, "unknown", "nonstandard"],
    [`5120${zero32}`, "v1_p2tr", "witness_v1_taproot"],
    ["51024e73", "unknown", "anchor"],
    [`5220${zero32}`, "unknown", "witness_unknown"],
    ["6002751e", "unknown", "witness_unknown"],
    ["6a", "op_return", "nulldata"],
    ["6a0548656c6c6f", "op_return", "nulldata"],
    ["6a0548", "op_return", "nonstandard"],
    ["6aac", "op_return", "nonstandard"],
    [`5121${compressedKey}51ae`, "unknown", "multisig"],
    // Keys may be pushed in longer forms, numbers may not.
    [`514c21${compressedKey}51ae`, "unknown", "multisig"],
    [`514d2100${compressedKey}514e00000000${compressedKey}51ae`, "unknown", "nonstandard"],
    [`514e21000000${compressedKey}51ae`, "unknown", "multisig"],
    [`51${`4e41000000${genesisKey}`.repeat(20)}0114ae`, "unknown", "multisig"],
    [`4c010121${compressedKey}51ae`, "unknown", "nonstandard"],
    // What ends in a push of the opcode's byte does not check anything.
    [`5121${compressedKey}5101ae`, "unknown", "nonstandard"],
    [`5221${compressedKey}41${genesisKey}52ae`, "unknown", "multisig"],
    [`5221${compressedKey}51ae`, "unknown", "nonstandard"],
    [`5121${compressedKey}52ae`, "unknown", "nonstandard"],
    [`0021${compressedKey}51ae`, "unknown", "nonstandard"],
    [`5121${compressedKey}0101ae`, "unknown", "nonstandard"],
    [`51${`21${compressedKey}`.repeat(17)}0111ae`, "unknown", "multisig"],
    [`0111${`21${compressedKey}`.repeat(17)}0111ae`, "unknown", "multisig"],
    [`51${`21${compressedKey}`.repeat(21)}0115ae`, "unknown", "nonstandard"],
    ["5151ae", "unknown", "nonstandard"],
    ["ae", "unknown", "nonstandard"],
    ["50", "unknown", "nonstandard"],
    ["7e", "unknown", "nonstandard"],
    ["ff", "unknown", "nonstandard"],
    ["bb", "unknown", "nonstandard"],
    ["51", "unknown", "nonstandard"],
    ["61", "unknown", "nonstandard"],
  ])("%s is %s to Esplora and %s to Bitcoin Core", (script, esplora, core) => {
    expect(scriptType(bytesOf(script))).toEqual({ esplora, core });
  });

  test("looks at a script of any length quickly", () => {
    const script = new Uint8Array(4_000_000).fill(0xae);
    expect(scriptType(script).core).toBe("nonstandard");
    expect(isUnspendable(script)).toBe(true);
  });
});

describe("renderEsploraAsm", () => {
  test.each([
    ["", ""],
    [`41${genesisKey}ac`, `OP_PUSHBYTES_65 ${genesisKey} OP_CHECKSIG`],
    [`76a914${zero20}88ac`, `OP_DUP OP_HASH160 OP_PUSHBYTES_20 ${zero20} OP_EQUALVERIFY OP_CHECKSIG`],
    ["04ffff001d0104", "OP_PUSHBYTES_4 ffff001d OP_PUSHBYTES_1 04"],
    ["004f505160", "OP_0 OP_PUSHNUM_NEG1 OP_RESERVED OP_PUSHNUM_1 OP_PUSHNUM_16"],
    ["61b0b1b2b3b9baff", "OP_NOP OP_NOP1 OP_CLTV OP_CSV OP_NOP4 OP_NOP10 OP_CHECKSIGADD OP_INVALIDOPCODE"],
    ["626566898abbfe", "OP_VER OP_VERIF OP_VERNOTIF OP_RESERVED1 OP_RESERVED2 OP_RETURN_187 OP_RETURN_254"],
    ["4c03aabbcc", "OP_PUSHDATA1 aabbcc"],
    ["4d0300aabbcc", "OP_PUSHDATA2 aabbcc"],
    ["4e03000000aabbcc", "OP_PUSHDATA4 aabbcc"],
    ["4c00ac", "OP_PUSHDATA1 OP_CHECKSIG"],
    ["7605aabb", "OP_DUP OP_PUSHBYTES_5 <push past end>"],
    ["4effffffffaa", "OP_PUSHDATA4 <push past end>"],
    ["764c", "OP_DUP<unexpected end>"],
    ["4d00", "<unexpected end>"],
  ])("%s", (script, asm) => {
    expect(renderEsploraAsm(bytesOf(script))).toBe(asm);
  });
});

describe("renderCoreAsm", () => {
  const signature =
    "304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee";

  test.each([
    ["", ""],
    [`76a914${zero20}88ac`, `OP_DUP OP_HASH160 ${zero20} OP_EQUALVERIFY OP_CHECKSIG`],
    // The scriptSig of the genesis coinbase begins so.
    ["04ffff001d0104", "486604799 4"],
    ["004f505160", "0 -1 OP_RESERVED 1 16"],
    [
      "61b0b1b2b3b9baff",
      "OP_NOP OP_NOP1 OP_CHECKLOCKTIMEVERIFY OP_CHECKSEQUENCEVERIFY OP_NOP4 OP_NOP10 OP_CHECKSIGADD OP_INVALIDOPCODE",
    ],
    ["bbfe", "OP_UNKNOWN OP_UNKNOWN"],
    ["01810180020080", "-1 0 0"],
    ["04ffffffff", "-2147483647"],
    ["0500000000ff", "00000000ff"],
    ["4c03aabbcc", "-5028778"],
    ["7605aabb", "OP_DUP [error]"],
    ["764c", "OP_DUP [error]"],
  ])("%s", (script, asm) => {
    expect(renderCoreAsm(bytesOf(script))).toBe(asm);
  });

  test.each([
    ["01", "ALL"],
    ["02", "NONE"],
    ["03", "SINGLE"],
    ["81", "ALL|ANYONECANPAY"],
    ["82", "NONE|ANYONECANPAY"],
    ["83", "SINGLE|ANYONECANPAY"],
  ])("a signature of hash type %s ends with [%s] in a scriptSig", (hashType, name) => {
    const script = bytesOf(`47${signature}${hashType}`);
    expect(renderCoreAsm(script, { signatures: true })).toBe(`${signature}[${name}]`);
    expect(renderCoreAsm(script)).toBe(`${signature}${hashType}`);
  });

  test.each([
    ["an undefined hash type", `${signature}00`],
    ["another undefined hash type", `${signature}04`],
    ["a wrong length of the sequence", `3045${signature.slice(4)}01`],
    ["a negative R", `${signature.slice(0, 8)}b6${signature.slice(10)}01`],
    ["a longer R than there is", `${signature.slice(0, 6)}7f${signature.slice(8)}01`],
    ["an empty R", "300602000201010101"],
    ["no integer", `${signature.slice(0, 4)}03${signature.slice(6)}01`],
    ["a needless zero in front of S", `3006020101020200${"0101"}`],
  ])("data with %s is not taken for a signature", (_, data) => {
    const script = bytesOf(`${toHex(Uint8Array.of(data.length / 2))}${data}`);
    expect(renderCoreAsm(script, { signatures: true })).toBe(data);
  });

  test("data behind OP_RETURN is not taken for a signature", () => {
    expect(renderCoreAsm(bytesOf(`6a47${signature}01`), { signatures: true })).toBe(`OP_RETURN ${signature}01`);
  });
});

describe("any byte string", () => {
  test("is a script with a type and both assemblies", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (script) => {
        expect(scriptType(script).core).not.toBe("");
        expect(renderEsploraAsm(script) === "").toBe(script.length === 0);
        expect(renderCoreAsm(script, { signatures: true }) === "").toBe(script.length === 0);
      }),
    );
  });
});

describe("lastPushOf", () => {
  test.each([
    ["0002aabb", "aabb"],
    ["02aabb00", ""],
    ["02aabbac", undefined],
    ["02aabb05aa", undefined],
    ["", undefined],
  ])("%s", (script, data) => {
    const last = lastPushOf(bytesOf(script));
    expect(last && toHex(last)).toBe(data);
  });
});
