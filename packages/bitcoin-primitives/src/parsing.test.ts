import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ByteReader,
  ByteWriter,
  compactSizeAt,
  compactSizeLength,
  displayHash,
  equalBytes,
  fromHex,
  hash160,
  hashScript,
  isZeroHash,
  isMalformedBytesError,
  MalformedBytesError,
  parseBlock,
  parseBlockHeader,
  parseMerkleBlock,
  parseTransaction,
  serializeBlock,
  serializeTransaction,
  toHex,
  type TransactionContent,
  wireHash,
} from "./index.ts";
import { asBuffer } from "./bytes.ts";

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const int32 = fc.integer({ min: -0x80000000, max: 0x7fffffff });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" });
const script = fc.uint8Array({ maxLength: 300, size: "max" });

const input = fc.record({
  previousOutput: fc.record({ txid: hash, vout: uint32 }),
  scriptSig: script,
  sequence: uint32,
  witness: fc.array(script, { maxLength: 3 }),
});
const output = fc.record({ value: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), scriptPubKey: script });
const transaction: fc.Arbitrary<TransactionContent> = fc.record({
  version: int32,
  inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
  outputs: fc.array(output, { maxLength: 4 }),
  locktime: uint32,
});
const header = fc.record({
  version: int32,
  previousHash: hash,
  merkleRoot: hash,
  time: uint32,
  bits: uint32,
  nonce: uint32,
});
const block = fc.record({ header, transactions: fc.array(transaction, { maxLength: 4 }) });

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable(`${hex} is no hex`);
}

/** Returns bytes with some of them changed, removed or inserted. */
function mutated(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const change = fc.record({ at: fc.nat(), remove: fc.nat({ max: 3 }), insert: fc.uint8Array({ maxLength: 9 }) });
  return fc.tuple(bytes, fc.array(change, { minLength: 1, maxLength: 5 })).map(([original, changes]) => {
    let changed = Buffer.from(original);
    for (const { at, remove, insert } of changes) {
      const start = at % (changed.length + 1);
      changed = Buffer.concat([changed.subarray(0, start), insert, changed.subarray(start + remove)]);
    }
    return changed;
  });
}

/** Returns the parser's result, or undefined where it threw the one allowed error. */
function parsedOrRefused<T>(parse: (bytes: Uint8Array) => T, bytes: Uint8Array): T | undefined {
  try {
    return parse(bytes);
  } catch (reason) {
    if (!isMalformedBytesError(reason)) throw reason;
    expect(reason.offset).toBeGreaterThanOrEqual(0);
    expect(reason.offset).toBeLessThanOrEqual(bytes.length);
    return undefined;
  }
}

describe("transactions and blocks", () => {
  test("what is serialized is parsed as the same", () => {
    fc.assert(
      fc.property(transaction, (content) => {
        const parsed = parseTransaction(serializeTransaction(content));
        expect(parsed).toMatchObject({ version: content.version, locktime: content.locktime });
        expect(parsed.inputs.map(plain)).toEqual(content.inputs.map(plain));
        expect(parsed.outputs.map(plain)).toEqual(content.outputs.map(plain));
        expect(parsed.strippedSize).toBe(serializeTransaction(content, { witness: false }).length);
      }),
    );
  });

  test("what is parsed is serialized to the same bytes, however mangled it was", () => {
    fc.assert(
      fc.property(mutated(transaction.map((content) => serializeTransaction(content))), (bytes) => {
        const parsed = parsedOrRefused(parseTransaction, bytes);
        if (parsed !== undefined) expect(toHex(serializeTransaction(parsed))).toBe(toHex(bytes));
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(mutated(block.map((content) => serializeBlock(content))), (bytes) => {
        const parsed = parsedOrRefused(parseBlock, bytes);
        if (parsed === undefined) return;
        expect(toHex(serializeBlock(parsed))).toBe(toHex(bytes));
        expect(parsed.weight).toBe(parsed.strippedSize * 3 + bytes.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("any bytes are parsed or refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400, size: "max" }), (bytes) => {
        parsedOrRefused(parseTransaction, bytes);
        parsedOrRefused(parseBlock, bytes);
        parsedOrRefused(parseBlockHeader, bytes);
        parsedOrRefused(parseMerkleBlock, bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  test("every proper beginning of a transaction is refused, and so is a byte behind it", () => {
    fc.assert(
      fc.property(transaction, (content) => {
        const bytes = serializeTransaction(content);
        for (let length = 0; length < bytes.length; length += 1) {
          expect(parsedOrRefused(parseTransaction, bytes.subarray(0, length))).toBeUndefined();
        }
        const longer = new Uint8Array(bytes.length + 1);
        longer.set(bytes);
        expect(() => parseTransaction(longer)).toThrow("1 bytes too many after the transaction");
      }),
      { numRuns: 20 },
    );
  });

  test("nothing is read outside the view that is given", () => {
    fc.assert(
      fc.property(transaction, fc.nat({ max: 9 }), fc.nat({ max: 9 }), (content, before, behind) => {
        const bytes = serializeTransaction(content);
        const room = new Uint8Array(before + bytes.length + behind).fill(0xab);
        room.set(bytes, before);
        const parsed = parseTransaction(room.subarray(before, before + bytes.length));
        expect(displayHash(parsed.txid)).toBe(displayHash(parseTransaction(bytes).txid));
      }),
    );
  });

  test.each([
    ["inputs", "01000000feffffff01", 4, "transaction is too short for its 33554431 inputs"],
    ["a 64-bit count of inputs", "01000000ffffffffffffffffff", 4, "length is above 32 MiB"],
    ["a scriptSig", `0100000001${"00".repeat(36)}feffffff01`, 41, "transaction ends inside a byte string"],
  ])("an absurd length of %s is refused at once", (_, hex, offset, reason) => {
    const bytes = Buffer.concat([fromHex(hex) ?? new Uint8Array(), Buffer.alloc(64)]);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => parseTransaction(bytes)).toThrow(expect.objectContaining({ offset, reason }));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });

  test("a block that claims more transactions than fit is refused at once", () => {
    const bytes = Buffer.concat([Buffer.alloc(80), fromHex("fe00000002") ?? new Uint8Array(), Buffer.alloc(1_000)]);
    expect(() => parseBlock(bytes)).toThrow(
      expect.objectContaining({ offset: 80, reason: "block is too short for its 33554432 transactions" }),
    );
  });

  test("a block without transactions is parsed: what it must hold is for others to say", () => {
    expect(parseBlock(new Uint8Array(81)).transactions).toEqual([]);
  });
});

describe("the reason of a refusal", () => {
  const zeros = (count: number) => "00".repeat(count);

  test.each<readonly [string, (bytes: Uint8Array) => unknown, string, number, string]>([
    ["a header", parseBlockHeader, zeros(79), 76, "block header ends early"],
    ["a header", parseBlockHeader, zeros(82), 80, "2 bytes too many after the block header"],
    ["a block", parseBlock, zeros(79), 76, "block ends early"],
    ["a block", parseBlock, `${zeros(80)}0101`, 80, "block is too short for its 1 transactions"],
    ["a block", parseBlock, `${zeros(81)}00`, 81, "1 bytes too many after the block"],
    ["a merkle block", parseMerkleBlock, zeros(83), 80, "merkle block ends early"],
    [
      "a merkle block",
      parseMerkleBlock,
      `${zeros(84)}01${zeros(31)}`,
      84,
      "merkle block is too short for its 1 hashes",
    ],
    ["a merkle block", parseMerkleBlock, `${zeros(85)}02ff`, 85, "merkle block ends inside a byte string"],
    ["a merkle block", parseMerkleBlock, `${zeros(86)}ff`, 86, "1 bytes too many after the merkle block"],
    ["a transaction", parseTransaction, "010000", 0, "transaction ends early"],
    ["a transaction", parseTransaction, `0100000001${zeros(40)}`, 4, "transaction is too short for its 1 inputs"],
    [
      "a transaction",
      parseTransaction,
      `0100000001${zeros(41)}02${zeros(17)}`,
      46,
      "transaction is too short for its 2 outputs",
    ],
    ["a transaction", parseTransaction, "0100000000ff", 5, "transaction has the unknown flag 255"],
  ])("names %s", (_, parse, hex, offset, reason) => {
    expect(() => parse(bytesOf(hex))).toThrow(
      expect.objectContaining({
        name: "MalformedBytesError",
        offset,
        reason,
        message: `${reason} (at byte ${offset})`,
      }),
    );
  });
});

describe("CompactSize", () => {
  test.each([0, 1, 0xfc, 0xfd, 0xffff, 0x10000, 0x02000000])(
    "%i is written in its shortest form and read again",
    (value) => {
      const writer = new ByteWriter();
      writer.writeCompactSize(value);
      const reader = new ByteReader(writer.finish(), "number");
      expect(reader.readCompactSize()).toBe(value);
      expect(reader.remaining).toBe(0);
    },
  );

  test.each([
    ["fd0000", "length is not in its shortest form"],
    ["fdfc00", "length is not in its shortest form"],
    ["feffff0000", "length is not in its shortest form"],
    ["ffffffffff00000000", "length is not in its shortest form"],
    ["fe01000002", "length is above 32 MiB"],
    ["ff0000000001000000", "length is above 32 MiB"],
    ["ffffffffffffffffff", "length is above 32 MiB"],
    ["fd00", "number ends early"],
    ["fe000000", "number ends early"],
    ["ff", "number ends early"],
    ["", "number ends early"],
  ])("%s is refused", (hex, reason) => {
    const reader = new ByteReader(fromHex(hex) ?? new Uint8Array(), "number");
    expect(() => reader.readCompactSize()).toThrow(expect.objectContaining({ name: "MalformedBytesError", reason }));
  });
});

describe("ByteWriter", () => {
  test.each([0, 1, 3, 16])("grows beyond a capacity of %i bytes", (capacity) => {
    const writer = new ByteWriter(capacity);
    writer.writeUint32(0x04030201);
    writer.writeBytes(Uint8Array.from({ length: 1_000 }, (_, index) => index & 0xff));
    writer.writeInt32(-2);
    writer.writeInt64(-3n);
    const bytes = writer.finish();
    expect(bytes).toHaveLength(4 + 1_000 + 4 + 8);
    expect(toHex(bytes.subarray(0, 8))).toBe("0102030400010203");
    expect(toHex(bytes.subarray(-13))).toBe("e7fefffffffdffffffffffffff");
  });

  test.each([
    [0xfc, "fc"],
    [0xfd, "fdfd00"],
    [0xffff, "fdffff"],
    [0x10000, "fe00000100"],
    [0xffffffff, "feffffffff"],
    [0x100000000, "ff0000000001000000"],
  ])("writes %i as the CompactSize %s", (value, hex) => {
    const writer = new ByteWriter();
    writer.writeCompactSize(value);
    expect(toHex(writer.finish())).toBe(hex);
  });
});

describe("compactSizeAt", () => {
  test.each([
    ["00", 0],
    ["fc", 0xfc],
    ["fdfd00", 0xfd],
    ["fd0201", 0x102],
    ["fdffff", 0xffff],
    ["fe00000100", 0x10000],
    ["fe04030201", 0x1020304],
    ["feffffffff", 0xffffffff],
  ])("reads %s, behind other bytes and before others", (hex, value) => {
    for (const after of ["", "ff"]) expect(compactSizeAt(bytesOf(`ffff${hex}${after}`), 2)).toBe(value);
    expect(compactSizeLength(value)).toBe(hex.length / 2);
  });

  test.each([
    ["", 2, "length is missing"],
    ["fd", 2, "length is cut off or too large"],
    ["fdff", 2, "length is cut off or too large"],
    ["fe000001", 2, "length is cut off or too large"],
    ["ff0000000001000000", 2, "length is cut off or too large"],
    ["fdfc00", 2, "length is not in its shortest form"],
    ["feffff0000", 2, "length is not in its shortest form"],
  ])("rejects %s", (hex, offset, reason) => {
    expect(() => compactSizeAt(bytesOf(`0000${hex}`), 2)).toThrow(
      expect.objectContaining({ name: "MalformedBytesError", offset, reason }),
    );
  });

  test("reports the end of the bytes when the length would begin behind it", () => {
    expect(() => compactSizeAt(new Uint8Array(3), 9)).toThrow(expect.objectContaining({ offset: 3 }));
  });
});

describe("hex and hashes", () => {
  test("hex is read in either case and refused when it is none", () => {
    expect(fromHex("00fF")).toEqual(Buffer.from([0, 255]));
    expect(fromHex("")).toEqual(Buffer.alloc(0));
    for (const text of ["0", "000", "0g", "zz", "00 ", "é0", "0x00"]) expect(fromHex(text)).toBeUndefined();
  });

  test("bytes are equal when they have the same length and content, whatever holds them", () => {
    const bytes = Uint8Array.of(9, 1, 2, 9).subarray(1, 3);
    expect(equalBytes(bytes, Buffer.of(1, 2))).toBe(true);
    for (const other of [[], [1], [1, 3], [3, 2], [1, 2, 0]])
      expect(equalBytes(bytes, Uint8Array.from(other))).toBe(false);
  });

  test("a Buffer stands for itself, and for the memory of another view", () => {
    const buffer = Buffer.of(1, 2);
    expect(asBuffer(buffer)).toBe(buffer);
    const view = Uint8Array.of(9, 1, 2, 9).subarray(1, 3);
    asBuffer(view)[0] = 7;
    expect([...view]).toEqual([7, 2]);
  });

  test("the hash of nothing is 32 zeros", () => {
    expect(isZeroHash(new Uint8Array(32))).toBe(true);
    expect(isZeroHash(new Uint8Array(31))).toBe(false);
    expect(isZeroHash(Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0)))).toBe(false);
  });

  test("hash functions give the published digests of no bytes", () => {
    const none = new Uint8Array();
    expect(toHex(hashScript(none))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(toHex(hash160(none))).toBe("b472a266d0bd89c13706a4132ccfb16f7c3b9fcb");
  });

  test("a hash is shown in reverse and read back", () => {
    fc.assert(
      fc.property(hash, (bytes) => {
        const text = displayHash(bytes);
        expect(text).toBe(toHex(bytes.toReversed()));
        expect(wireHash(text.toUpperCase())).toEqual(Buffer.from(bytes));
      }),
    );
    for (const text of ["", "00", "0".repeat(63), "0".repeat(65), "g".repeat(64)])
      expect(wireHash(text)).toBeUndefined();
  });
});

test("a malformed byte string is reported by its name, across copies of this package", () => {
  expect(isMalformedBytesError(new MalformedBytesError(3, "block ends early"))).toBe(true);
  expect(isMalformedBytesError(new RangeError("offset"))).toBe(false);
  expect(new MalformedBytesError(3, "block ends early").message).toBe("block ends early (at byte 3)");
});

/** Returns the same value with plain arrays for its bytes: Buffer and Uint8Array are not distinguished. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
