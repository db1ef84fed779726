import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import type { IndexedTransaction, PreviousOutput, WrittenTransaction } from "@nodewright/bitcoin-indexer";
import {
  addressOfScript,
  displayHash,
  fromHex,
  lastPushOf,
  networks,
  parseBlock,
  parseTransaction,
  renderEsploraAsm,
  scriptType,
  serializeTransaction,
  toHex,
  type Transaction as ParsedTransaction,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import type { Transaction, TransactionOutput } from "@nodewright/index-api/types";
import { violationsOfTransaction } from "@nodewright/index-api/validators";
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { renderTransaction, renderTransactions, transactionWriter } from "./transaction.ts";

const { mainnet } = networks;
const workspace = new URL("../../../../", import.meta.url);

const keyHash = "751e76e8199196d454941c45d1b3a323f1433bd6";
const scriptHash = "1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262";
const signature = "30".repeat(71);
const publicKey = `02${"79".repeat(32)}`;

function bytes(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable(`${hex} is no hex`);
}

function indexed(
  transaction: ParsedTransaction,
  previousOutputs: readonly (PreviousOutput | undefined)[],
): IndexedTransaction {
  return { txid: displayHash(transaction.txid), transaction, previousOutputs, fee: 0n };
}

function writtenOf(one: IndexedTransaction): WrittenTransaction {
  const place = { hash: "00".repeat(32), height: 1, time: 2, medianTime: 3, position: 0 };
  return { txid: one.txid, block: place, bytes: Buffer.from(transactionWriter(mainnet)(one)) };
}

/** Returns the value that a client reads. */
function read(one: IndexedTransaction): Transaction {
  return JSON.parse(String(renderTransaction(one, mainnet).text));
}

/** Renders a transaction with one input, which spends `scriptPubKey`, and one empty output. */
function renderSpend(
  scriptPubKey: string,
  input: { readonly scriptSig?: string; readonly witness?: readonly string[] },
) {
  const content: TransactionContent = {
    version: 2,
    inputs: [
      {
        previousOutput: { txid: new Uint8Array(32).fill(0xab), vout: 1 },
        scriptSig: bytes(input.scriptSig ?? ""),
        sequence: 0xfffffffd,
        witness: (input.witness ?? []).map(bytes),
      },
    ],
    outputs: [{ value: 1n, scriptPubKey: new Uint8Array() }],
    locktime: 0,
  };
  const spent: PreviousOutput = { value: 1n, scriptPubKey: bytes(scriptPubKey), height: 1, isCoinbase: false };
  const [rendered] = read(indexed(parseTransaction(serializeTransaction(content)), [spent])).vin;
  return rendered ?? expect.unreachable("the input is missing");
}

/** Renders an output in a transaction of its own. */
function renderOutput(scriptPubKey: string, value = 0n) {
  const content: TransactionContent = {
    version: 1,
    inputs: [
      {
        previousOutput: { txid: new Uint8Array(32), vout: 0xffffffff },
        scriptSig: bytes("0400"),
        sequence: 0xffffffff,
        witness: [],
      },
    ],
    outputs: [{ value, scriptPubKey: bytes(scriptPubKey) }],
    locktime: 0,
  };
  const [rendered] = read(indexed(parseTransaction(serializeTransaction(content)), [undefined])).vout;
  return rendered ?? expect.unreachable("the output is missing");
}

describe("a rendered input", () => {
  test("of a witness public key hash has its witness and an empty scriptSig", () => {
    expect(JSON.stringify(renderSpend(`0014${keyHash}`, { witness: [signature, publicKey] }))).toBe(
      JSON.stringify({
        txid: "ab".repeat(32),
        vout: 1,
        prevout: {
          scriptpubkey: `0014${keyHash}`,
          scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${keyHash}`,
          scriptpubkey_type: "v0_p2wpkh",
          scriptpubkey_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
          value: 1,
        },
        scriptsig: "",
        scriptsig_asm: "",
        witness: [signature, publicKey],
        is_coinbase: false,
        sequence: 4294967293,
      }),
    );
  });

  test("of a script hash shows the script behind it", () => {
    const input = renderSpend(`a914${keyHash}87`, { scriptSig: "000151" });
    expect(input.inner_redeemscript_asm).toBe("OP_PUSHNUM_1");
    expect(input).not.toHaveProperty("inner_witnessscript_asm");
    expect(input).not.toHaveProperty("witness");
  });

  test("of a script hash whose scriptSig ends with no push shows nothing behind it", () => {
    expect(renderSpend(`a914${keyHash}87`, { scriptSig: "015161" })).not.toHaveProperty("inner_redeemscript_asm");
    expect(renderSpend(`a914${keyHash}87`, { scriptSig: "0551" })).not.toHaveProperty("inner_redeemscript_asm");
  });

  test("of a witness program in a script hash shows both scripts, in this order", () => {
    const input = renderSpend(`a914${keyHash}87`, { scriptSig: `220020${scriptHash}`, witness: ["", "5187"] });
    expect(input.inner_redeemscript_asm).toBe(`OP_0 OP_PUSHBYTES_32 ${scriptHash}`);
    expect(input.inner_witnessscript_asm).toBe("OP_PUSHNUM_1 OP_EQUAL");
    expect(input.witness).toEqual(["", "5187"]);
    expect(Object.keys(input).slice(-4)).toEqual([
      "is_coinbase",
      "sequence",
      "inner_redeemscript_asm",
      "inner_witnessscript_asm",
    ]);
  });

  test("of a witness script hash shows the last witness item", () => {
    const input = renderSpend(`0020${scriptHash}`, { witness: ["01", "ac"] });
    expect(input.inner_witnessscript_asm).toBe("OP_CHECKSIG");
    expect(input).not.toHaveProperty("inner_redeemscript_asm");
  });

  test("of a taproot output shows no inner script", () => {
    const input = renderSpend(`5120${scriptHash}`, { witness: [signature, "51", `c0${"11".repeat(32)}`] });
    expect(input).not.toHaveProperty("inner_witnessscript_asm");
  });
});

describe("a rendered output", () => {
  test.each([
    ["", { scriptpubkey_asm: "", scriptpubkey_type: "empty" }],
    ["6a0548656c6c6f", { scriptpubkey_asm: "OP_RETURN OP_PUSHBYTES_5 48656c6c6f", scriptpubkey_type: "op_return" }],
    [`21${publicKey}ac`, { scriptpubkey_asm: `OP_PUSHBYTES_33 ${publicKey} OP_CHECKSIG`, scriptpubkey_type: "p2pk" }],
    [
      `5121${publicKey}51ae`,
      {
        scriptpubkey_asm: `OP_PUSHNUM_1 OP_PUSHBYTES_33 ${publicKey} OP_PUSHNUM_1 OP_CHECKMULTISIG`,
        scriptpubkey_type: "unknown",
      },
    ],
    ["4c", { scriptpubkey_asm: "<unexpected end>", scriptpubkey_type: "unknown" }],
  ])("of the script %j has no address", (script, expected) => {
    expect(renderOutput(script, 7n)).toEqual({ scriptpubkey: script, ...expected, value: 7 });
  });

  test("of a witness version without a meaning yet has an address", () => {
    expect(renderOutput("6002751e")).toMatchObject({
      scriptpubkey_type: "unknown",
      scriptpubkey_address: "bc1sw50qgdz25j",
    });
  });

  test("holds every satoshi there can be", () => {
    expect(renderOutput("51", 2_099_999_997_690_000n).value).toBe(2_099_999_997_690_000);
  });
});

describe("a rendered transaction", () => {
  test("has its version read as an unsigned number", () => {
    const content: TransactionContent = { version: -1, inputs: [], outputs: [], locktime: 5 };
    const transaction = parseTransaction(serializeTransaction(content), { witness: false });
    expect(read(indexed(transaction, []))).toMatchObject({ version: 4294967295, locktime: 5 });
  });

  test("without a block is unconfirmed and says nothing about one", () => {
    const content: TransactionContent = { version: 1, inputs: [], outputs: [], locktime: 0 };
    const transaction = parseTransaction(serializeTransaction(content), { witness: false });
    expect(read(indexed(transaction, [])).status).toEqual({ confirmed: false });
  });
});

/** Returns the same as a value, written down member by member. */
function asValue({ txid, transaction, previousOutputs, fee, block }: IndexedTransaction): Transaction {
  const output = ({ scriptPubKey, value }: Pick<PreviousOutput, "scriptPubKey" | "value">): TransactionOutput => ({
    scriptpubkey: toHex(scriptPubKey),
    scriptpubkey_asm: renderEsploraAsm(scriptPubKey),
    scriptpubkey_type: scriptType(scriptPubKey).esplora,
    ...optional("scriptpubkey_address", addressOfScript(scriptPubKey, mainnet)),
    value: Number(value),
  });
  return {
    txid,
    version: transaction.version >>> 0,
    locktime: transaction.locktime,
    vin: transaction.inputs.map(({ previousOutput, scriptSig, witness, sequence }, position) => {
      const spent = previousOutputs[position];
      const isScriptHash = spent !== undefined && scriptType(spent.scriptPubKey).esplora === "p2sh";
      const redeem = isScriptHash ? lastPushOf(scriptSig) : undefined;
      const witnessed = [spent?.scriptPubKey, redeem].some(
        (script) => script !== undefined && scriptType(script).esplora === "v0_p2wsh",
      );
      const last = witnessed ? witness.at(-1) : undefined;
      return {
        txid: Buffer.from(previousOutput.txid).reverse().toString("hex"),
        vout: previousOutput.vout,
        prevout: spent === undefined ? null : output(spent),
        scriptsig: toHex(scriptSig),
        scriptsig_asm: renderEsploraAsm(scriptSig),
        ...optional("witness", witness.length === 0 ? undefined : witness.map(toHex)),
        is_coinbase: previousOutput.vout === 0xffffffff && previousOutput.txid.every((byte) => byte === 0),
        sequence,
        ...optional("inner_redeemscript_asm", redeem === undefined ? undefined : renderEsploraAsm(redeem)),
        ...optional("inner_witnessscript_asm", last === undefined ? undefined : renderEsploraAsm(last)),
      };
    }),
    vout: transaction.outputs.map(output),
    size: transaction.size,
    weight: transaction.weight,
    fee: Number(fee),
    status:
      block === undefined
        ? { confirmed: false }
        : { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time },
  };
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Member in Name]?: Value };
}

const anyScript = fc.oneof(
  fc.uint8Array({ maxLength: 80, size: "max" }),
  fc.uint8Array({ minLength: 20, maxLength: 20, size: "max" }).map((hash) => Uint8Array.of(0xa9, 20, ...hash, 0x87)),
  fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }).map((hash) => Uint8Array.of(0, 32, ...hash)),
  fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }).map((hash) => Uint8Array.of(34, 0, 32, ...hash)),
);
const anyValue = fc.bigInt({ min: 0n, max: 2_099_999_997_690_000n });
const anyInput = fc.record({
  previousOutput: fc.record({
    txid: fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }), fc.constant(new Uint8Array(32))),
    vout: fc.constantFrom(0, 7, 0xffffffff),
  }),
  scriptSig: anyScript,
  sequence: fc.integer({ min: 0, max: 0xffffffff }),
  witness: fc.array(anyScript, { maxLength: 3 }),
});
const anyIndexed = fc
  .record({
    version: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    inputs: fc.array(anyInput, { minLength: 1, maxLength: 3 }),
    outputs: fc.array(fc.record({ value: anyValue, scriptPubKey: anyScript }), { maxLength: 3 }),
    locktime: fc.integer({ min: 0, max: 0xffffffff }),
    spent: fc.array(fc.option(fc.record({ value: anyValue, scriptPubKey: anyScript }), { nil: undefined }), {
      minLength: 3,
      maxLength: 3,
    }),
    fee: anyValue,
    height: fc.option(fc.nat(), { nil: undefined }),
  })
  .map(({ spent, fee, height, ...content }): IndexedTransaction => {
    const previousOutputs = spent.map((output) => output && { ...output, height: 1, isCoinbase: false });
    const block = height === undefined ? {} : { block: { hash: keyHash, height, time: 5, medianTime: 4, position: 0 } };
    return { ...indexed(parseTransaction(serializeTransaction(content)), previousOutputs), fee, ...block };
  });

describe("the text of transactions", () => {
  test("is what JSON.stringify writes, alone and in lists", () => {
    fc.assert(
      fc.property(fc.array(anyIndexed, { maxLength: 3 }), (list) => {
        for (const one of list) expect(renderTransaction(one, mainnet).text).toBe(JSON.stringify(asValue(one)));
        expect(String(renderTransactions(list, mainnet).text)).toBe(JSON.stringify(list.map(asValue)));
        // Every other one is serialized already.
        const history = list.map((one, position) => (position % 2 === 0 ? one : writtenOf(one)));
        expect(String(renderTransactions(history, mainnet).text)).toBe(JSON.stringify(list.map(asValue)));
      }),
    );
  });
});

describe.each([
  "00000000000000000021868c2cefc52a480d173c849412fe81c4e5ab806f94ab",
  "0000000000000000001602407ac49862a7bca9d00f7f402db20b7be2f5de59d2",
])("the transactions of mainnet block %s", (hash) => {
  const file = new URL(`test/fixtures/bitcoin/block-${hash}.bin.zst`, workspace);
  const block = parseBlock(zstdDecompressSync(readFileSync(file)));
  const rendered = block.transactions.map((transaction) => read(indexed(transaction, [])));

  test("match the schema of the document", () => {
    const mistakes = rendered.flatMap((transaction) => violationsOfTransaction(transaction));
    expect(mistakes).toEqual([]);
  });

  test("add up to the block", () => {
    const countBytes = rendered.length < 253 ? 1 : 3;
    const size = rendered.reduce((sum, transaction) => sum + transaction.size, 80 + countBytes);
    const weight = rendered.reduce((sum, transaction) => sum + transaction.weight, 4 * (80 + countBytes));
    expect(size).toBe(block.size);
    expect(weight).toBe(block.weight);
  });
});
