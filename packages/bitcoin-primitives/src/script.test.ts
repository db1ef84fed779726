import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  coreOpcodeNames,
  esploraOpcodeNames,
  fromHex,
  isUnspendable,
  lastPushOf,
  publicKeyHashOf,
  publicKeyOf,
  pushLength,
  renderCoreAsm,
  renderCoreAsmInSteps,
  renderEsploraAsm,
  scriptHashOf,
  scriptOperations,
  scriptType,
  toHex,
  witnessProgramOf,
} from "./index.ts";

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
    // A matching length and a first byte that no public key has.
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
    // A script that ends in a push of the opcode's byte does not check anything.
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

  test("tells each form by every byte that is not data", () => {
    const forms = [
      { hex: `21${compressedKey}ac`, fixed: [0, -1] },
      { hex: `41${genesisKey}ac`, fixed: [0, -1] },
      { hex: `76a914${zero20}88ac`, fixed: [0, 1, 2, -2, -1] },
      { hex: `a914${zero20}87`, fixed: [0, 1, -1] },
      { hex: `0014${zero20}`, fixed: [0, 1] },
      { hex: `0020${zero32}`, fixed: [0, 1] },
      { hex: `5120${zero32}`, fixed: [0, 1] },
      { hex: "51024e73", fixed: [0, 1, 2, 3] },
      { hex: `5221${compressedKey}41${genesisKey}52ae`, fixed: [0, 1, 2, 35, 36, -2, -1] },
    ];
    for (const { hex, fixed } of forms) {
      const right = bytesOf(hex);
      const { core } = scriptType(right);
      expect(core).not.toBe("nonstandard");
      for (const position of fixed) {
        const wrong = Uint8Array.from(right);
        const index = (position + right.length) % right.length;
        wrong[index] = 0xfb;
        expect(scriptType(wrong).core, `${hex} with byte ${index} changed`).not.toBe(core);
        expect(publicKeyHashOf(wrong) ?? scriptHashOf(wrong)).toBeUndefined();
      }
      expect(scriptType(Uint8Array.of(...right, 0)).core, `${hex} with a byte more`).not.toBe(core);
      expect(scriptType(right.subarray(0, -1)).core, `${hex} with a byte less`).not.toBe(core);
    }
  });

  test.each([
    [2, 33, "pubkey"],
    [3, 33, "pubkey"],
    [4, 65, "pubkey"],
    [6, 65, "pubkey"],
    [7, 65, "pubkey"],
    [1, 33, "nonstandard"],
    [4, 33, "nonstandard"],
    [6, 33, "nonstandard"],
    [7, 33, "nonstandard"],
    [2, 65, "nonstandard"],
    [3, 65, "nonstandard"],
    [5, 65, "nonstandard"],
    [8, 65, "nonstandard"],
  ])("a first byte %i of %i bytes is that of a %s script", (first, length, core) => {
    const key = new Uint8Array(length);
    key[0] = first;
    expect(scriptType(Uint8Array.of(length, ...key, 0xac))).toEqual({ esplora: "p2pk", core });
  });

  test.each([
    ["two keys of three in numbers of two bytes", `0102${`21${compressedKey}`.repeat(3)}0103ae`, "nonstandard"],
    ["sixteen keys", `60${`21${compressedKey}`.repeat(16)}60ae`, "multisig"],
    ["sixteen keys in a number of two bytes", `51${`21${compressedKey}`.repeat(16)}0110ae`, "nonstandard"],
    ["the longest multisig script", `0114${`4e41000000${genesisKey}`.repeat(20)}0114ae`, "multisig"],
    ["a negative number of keys", `51${`21${compressedKey}`.repeat(17)}0191ae`, "nonstandard"],
    ["an empty number of keys", `5121${compressedKey}00ae`, "nonstandard"],
    ["a number of keys in a longer push", `51${`21${compressedKey}`.repeat(17)}4c0111ae`, "nonstandard"],
    ["a key that is none", `5121${"05".repeat(33)}51ae`, "nonstandard"],
    ["an opcode in place of a key", "517651ae", "nonstandard"],
    ["no keys", "0000ae", "nonstandard"],
    ["a number alone", "51ae", "nonstandard"],
  ])("%s", (_, script, core) => {
    expect(scriptType(bytesOf(script)).core).toBe(core);
  });

  test.each([
    ["6a00", "nulldata"],
    ["6a50", "nulldata"],
    ["6a60", "nulldata"],
    ["6a61", "nonstandard"],
    ["6a4c", "nonstandard"],
    ["6a4c0101", "nulldata"],
    ["6a4c0201", "nonstandard"],
    ["6a51ff", "nonstandard"],
  ])("%s is %s: behind OP_RETURN there are pushes alone", (script, core) => {
    expect(scriptType(bytesOf(script)).core).toBe(core);
  });

  test.each([
    [0, "00020000", "nonstandard"],
    [0, `0028${"00".repeat(40)}`, "nonstandard"],
    [1, "51020000", "witness_unknown"],
    [1, "51024e00", "witness_unknown"],
    [1, "51030000ff", "witness_unknown"],
    [2, "52024e73", "witness_unknown"],
    [1, `5128${"00".repeat(40)}`, "witness_unknown"],
    [2, `5214${zero20}`, "witness_unknown"],
    [16, `6028${"00".repeat(40)}`, "witness_unknown"],
    [undefined, "510100", "nonstandard"],
    [undefined, `5129${"00".repeat(41)}`, "nonstandard"],
    [undefined, "50020000", "nonstandard"],
    [undefined, "61020000", "nonstandard"],
    [undefined, "4f020000", "nonstandard"],
    [undefined, "51020000ff", "nonstandard"],
    [undefined, "510200", "nonstandard"],
    [undefined, "", "nonstandard"],
  ])("a witness program of version %s: %s", (version, script, core) => {
    const bytes = bytesOf(script);
    const program = witnessProgramOf(bytes);
    expect(program?.version).toBe(version);
    if (program !== undefined) expect(toHex(program.program)).toBe(script.slice(4));
    expect(scriptType(bytes).core).toBe(core);
  });

  test("gives the hash or the key that a script holds", () => {
    const hash = "0102030405060708090a0b0c0d0e0f1011121314";
    expect(toHex(publicKeyHashOf(bytesOf(`76a914${hash}88ac`)) ?? expect.unreachable())).toBe(hash);
    expect(toHex(scriptHashOf(bytesOf(`a914${hash}87`)) ?? expect.unreachable())).toBe(hash);
    for (const key of [compressedKey, genesisKey]) {
      const script = bytesOf(`${toHex(Uint8Array.of(key.length / 2))}${key}ac`);
      expect(toHex(publicKeyOf(script) ?? expect.unreachable())).toBe(key);
    }
  });

  test("an output is unspendable above 10,000 bytes, or when it begins with OP_RETURN", () => {
    expect(isUnspendable(new Uint8Array(10_000))).toBe(false);
    expect(isUnspendable(new Uint8Array(10_001))).toBe(true);
    expect(isUnspendable(bytesOf("6a"))).toBe(true);
    expect(isUnspendable(bytesOf("516a"))).toBe(false);
    expect(isUnspendable(new Uint8Array())).toBe(false);
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
    ["04ffffff7f", "2147483647"],
    ["020100", "1"],
    ["4e0000", "[error]"],
    ["4c", "[error]"],
    ["4c00", "0"],
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

describe("renderCoreAsmInSteps", () => {
  const count = (steps: Generator<void, string>): readonly [number, string] => {
    for (let yields = 0; ; yields += 1) {
      const step = steps.next();
      if (step.done === true) return [yields, step.value];
    }
  };

  test.each([
    [0, 0],
    [1, 0],
    [1023, 0],
    [1024, 1],
    [1025, 1],
    [2048, 2],
    [2049, 2],
  ])("writes %i operations in one text, with %i pauses", (operations, pauses) => {
    const script = Uint8Array.from({ length: operations }, (_, index) => 0x51 + (index % 16));
    expect(count(renderCoreAsmInSteps(script))).toEqual([pauses, renderCoreAsm(script)]);
  });

  test("names signatures when told so", () => {
    const script = bytesOf("0930060201010201010103020101");
    expect(count(renderCoreAsmInSteps(script, { signatures: true }))[1]).toBe("3006020101020101[ALL] 65794");
    expect(count(renderCoreAsmInSteps(script))[1]).toBe("300602010102010101 65794");
  });
});

describe("names of opcodes", () => {
  /** As script.h of Bitcoin Core has them, from OP_NOP on. */
  const names =
    `NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT
    2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SUBSTR LEFT RIGHT SIZE INVERT AND OR XOR EQUAL EQUALVERIFY
    RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR NUMEQUAL
    NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256
    HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 CHECKLOCKTIMEVERIFY
    CHECKSEQUENCEVERIFY NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10 CHECKSIGADD`
      .split(/\s+/)
      .map((name) => `OP_${name}`);

  test("are those of Bitcoin Core and of rust-bitcoin", () => {
    const short: Readonly<Record<string, string>> = {
      OP_CHECKLOCKTIMEVERIFY: "OP_CLTV",
      OP_CHECKSEQUENCEVERIFY: "OP_CSV",
    };
    expect(names).toHaveLength(0xba - 0x61 + 1);
    for (const [index, name] of names.entries()) {
      expect(coreOpcodeNames[0x61 + index]).toBe(name);
      expect(esploraOpcodeNames[0x61 + index]).toBe(short[name] ?? name);
    }
    for (let opcode = 0xbb; opcode < 0xff; opcode += 1) {
      expect(coreOpcodeNames[opcode]).toBe("OP_UNKNOWN");
      expect(esploraOpcodeNames[opcode]).toBe(`OP_RETURN_${opcode}`);
    }
    for (let number = 1; number <= 16; number += 1) {
      expect(coreOpcodeNames[0x50 + number]).toBe(String(number));
      expect(esploraOpcodeNames[0x50 + number]).toBe(`OP_PUSHNUM_${number}`);
    }
    for (let length = 1; length <= 75; length += 1) expect(esploraOpcodeNames[length]).toBe(`OP_PUSHBYTES_${length}`);
    expect([coreOpcodeNames.length, coreOpcodeNames[0xff]]).toEqual([256, "OP_INVALIDOPCODE"]);
    expect([esploraOpcodeNames.length, esploraOpcodeNames[0xff]]).toEqual([256, "OP_INVALIDOPCODE"]);
  });
});

describe("any byte string", () => {
  test("is a script with a type and both assemblies", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200, size: "max" }), (script) => {
        expect(scriptType(script).core).not.toBe("");
        expect(renderEsploraAsm(script) === "").toBe(script.length === 0);
        expect(renderCoreAsm(script, { signatures: true }) === "").toBe(script.length === 0);
      }),
    );
  });
});

describe("scriptOperations and pushLength", () => {
  test.each([
    ["4b", "data", 75],
    ["4c", "length", 0],
    ["4cff", "data", 255],
    ["4d01", "length", 1],
    ["4d0001", "data", 256],
    ["4effffff", "length", 0xffffff],
    ["4effffffff", "data", 0xffffffff],
    ["4e000000", "length", 0],
  ] as const)("%s ends inside its %s", (hex, cutOff, length) => {
    const script = bytesOf(`ac${hex}`);
    expect([...scriptOperations(script)].at(-1)).toEqual({ opcode: script[1], cutOff });
    expect(pushLength(script, 1)).toBe(length);
  });

  test("opcodes above OP_PUSHDATA4 push no data", () => {
    const script = bytesOf("4f4e");
    expect(pushLength(script, 0)).toBe(0);
    expect(pushLength(bytesOf("ac01"), 0)).toBe(0);
    expect([...scriptOperations(bytesOf("4fac"))]).toEqual([{ opcode: 0x4f }, { opcode: 0xac }]);
  });
});

describe("lastPushOf", () => {
  test.each([
    ["0002aabb", "aabb"],
    ["02aabb00", ""],
    ["02aabbac", undefined],
    ["ac02aabb", "aabb"],
    ["4c02aabb", "aabb"],
    ["4d0200aabb", "aabb"],
    ["4e02000000aabb", "aabb"],
    ["4c00", ""],
    ["4c", undefined],
    ["4d02", undefined],
    ["4c02aa", undefined],
    ["4e00000001aabb", undefined],
    ["4f", undefined],
    ["51", undefined],
    ["02aabb05aa", undefined],
    ["", undefined],
  ])("%s", (script, data) => {
    const last = lastPushOf(bytesOf(script));
    expect(last && toHex(last)).toBe(data);
  });
});
