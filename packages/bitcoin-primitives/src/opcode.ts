/** Numbers of the opcodes that this package names in code. */
export const opcodes = {
  OP_0: 0x00,
  OP_PUSHDATA1: 0x4c,
  OP_PUSHDATA2: 0x4d,
  OP_PUSHDATA4: 0x4e,
  OP_1NEGATE: 0x4f,
  OP_RESERVED: 0x50,
  OP_1: 0x51,
  OP_16: 0x60,
  OP_NOP: 0x61,
  OP_RETURN: 0x6a,
  OP_DUP: 0x76,
  OP_EQUAL: 0x87,
  OP_EQUALVERIFY: 0x88,
  OP_NUMEQUAL: 0x9c,
  OP_HASH160: 0xa9,
  OP_CHECKSIG: 0xac,
  OP_CHECKMULTISIG: 0xae,
  OP_CHECKLOCKTIMEVERIFY: 0xb1,
  OP_CHECKSEQUENCEVERIFY: 0xb2,
  OP_CHECKSIGADD: 0xba,
  OP_INVALIDOPCODE: 0xff,
} as const;

/** Names of the opcodes 0x61 (OP_NOP) to 0xba (OP_CHECKSIGADD) in order, as Bitcoin Core and the BIPs spell them. */
const operatorNames: readonly string[] = [
  "NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN",
  "TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK",
  "CAT SUBSTR LEFT RIGHT SIZE INVERT AND OR XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2",
  "1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR",
  "NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN",
  "RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR",
  "CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY",
  "NOP1 CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10 CHECKSIGADD",
].flatMap((group) => group.split(" ").map((name) => `OP_${name}`));

/** Name of each opcode in Bitcoin Core's assembly, where small numbers are written as numbers. */
export const coreOpcodeNames: readonly string[] = everyOpcode(coreName);

/** Name of each opcode in Esplora's assembly, which is that of rust-bitcoin. */
export const esploraOpcodeNames: readonly string[] = everyOpcode(esploraName);

function everyOpcode(nameOf: (opcode: number) => string): readonly string[] {
  return Array.from({ length: 256 }, (_, opcode) => nameOf(opcode));
}

function coreName(opcode: number): string {
  if (opcode === opcodes.OP_1NEGATE) return "-1";
  if (opcode === opcodes.OP_RESERVED) return "OP_RESERVED";
  if (opcode >= opcodes.OP_1 && opcode <= opcodes.OP_16) return String(opcode - opcodes.OP_RESERVED);
  if (opcode === opcodes.OP_INVALIDOPCODE) return "OP_INVALIDOPCODE";
  return operatorNames[opcode - opcodes.OP_NOP] ?? "OP_UNKNOWN";
}

function esploraName(opcode: number): string {
  if (opcode === opcodes.OP_0) return "OP_0";
  if (opcode < opcodes.OP_PUSHDATA1) return `OP_PUSHBYTES_${opcode}`;
  if (opcode === opcodes.OP_PUSHDATA1) return "OP_PUSHDATA1";
  if (opcode === opcodes.OP_PUSHDATA2) return "OP_PUSHDATA2";
  if (opcode === opcodes.OP_PUSHDATA4) return "OP_PUSHDATA4";
  if (opcode === opcodes.OP_1NEGATE) return "OP_PUSHNUM_NEG1";
  if (opcode === opcodes.OP_RESERVED) return "OP_RESERVED";
  if (opcode <= opcodes.OP_16) return `OP_PUSHNUM_${opcode - opcodes.OP_RESERVED}`;
  if (opcode === opcodes.OP_CHECKLOCKTIMEVERIFY) return "OP_CLTV";
  if (opcode === opcodes.OP_CHECKSEQUENCEVERIFY) return "OP_CSV";
  if (opcode === opcodes.OP_INVALIDOPCODE) return "OP_INVALIDOPCODE";
  return operatorNames[opcode - opcodes.OP_NOP] ?? `OP_RETURN_${opcode}`;
}
