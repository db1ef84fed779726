import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ByteReader, ByteWriter, uint32Key } from "./byte-codec.ts";

test("sums are read as they were written, on both sides of what numbers hold", () => {
  const edges = [0n, 127n, 128n, 2n ** 42n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 70n];
  const sum = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 75n }));
  fc.assert(
    fc.property(fc.array(sum), (sums) => {
      const writer = new ByteWriter();
      for (const value of sums) writer.bigVarint(value);
      const reader = new ByteReader(writer.take());
      expect(sums.map(() => reader.bigVarint())).toEqual(sums);
    }),
  );
});

describe("LEB128", () => {
  it.each([
    [0, "00"],
    [0x7f, "7f"],
    [0x80, "8001"],
    [0x3fff, "ff7f"],
    [0x4000, "808001"],
    [300, "ac02"],
    [2 ** 32, "8080808010"],
    [Number.MAX_SAFE_INTEGER, "ffffffffffffff0f"],
  ])("writes %i as %s", (value, hex) => {
    expect(new ByteWriter().varint(value).take().toString("hex")).toBe(hex);
    expect(new ByteWriter().bigVarint(BigInt(value)).take().toString("hex")).toBe(hex);
    expect(new ByteReader(Buffer.from(hex, "hex")).varint()).toBe(value);
    expect(new ByteReader(Buffer.from(hex, "hex")).bigVarint()).toBe(BigInt(value));
  });

  it.each([
    [2n ** 53n, "8080808080808010"],
    [2n ** 70n - 1n, "ffffffffffffffffff7f"],
    [2n ** 70n, "8080808080808080808001"],
  ])("writes %i, which no number holds, as %s", (value, hex) => {
    expect(new ByteWriter().bigVarint(value).take().toString("hex")).toBe(hex);
    expect(new ByteReader(Buffer.from(hex, "hex")).bigVarint()).toBe(value);
  });
});

describe("ByteWriter", () => {
  it("grows from any capacity, whatever is written", () => {
    for (let capacity = 0; capacity < 12; capacity += 1) {
      const writer = new ByteWriter(capacity);
      writer
        .byte(9)
        .varint(2 ** 53 - 1)
        .uint32(0x01020304)
        .bytes(Buffer.from("abcdefgh"))
        .bigVarint(2n ** 60n)
        .byte(7);
      expect(writer.take().toString("hex")).toBe(
        `09${"ff".repeat(7)}0f01020304${Buffer.from("abcdefgh").toString("hex")}${"80".repeat(8)}1007`,
      );
    }
  });

  it("starts anew when it gave what was written, and never changes that", () => {
    const writer = new ByteWriter(4);
    const first = writer.byte(1).take();
    expect(first.length).toBe(1);
    expect([...writer.byte(2).byte(3).take()]).toEqual([2, 3]);
    expect([...first]).toEqual([1]);
    expect(writer.take().length).toBe(0);
  });
});

describe("ByteReader", () => {
  it("reads big-endian numbers over all 32 bits", () => {
    for (const value of [0, 1, 0x01020304, 0x7fffffff, 0x80000000, 0xffffffff]) {
      expect(new ByteReader(uint32Key(value)).uint32()).toBe(value);
      expect(new ByteReader(new ByteWriter().uint32(value).take()).uint32()).toBe(value);
    }
    expect(uint32Key(0x01020304).toString("hex")).toBe("01020304");
  });

  it("goes on where it ended, from the offset that it was given", () => {
    const bytes = Uint8Array.of(9, 9, 1, 2, 3, 4, 5, 6, 7);
    const reader = new ByteReader(bytes, 2);
    expect(reader.byte()).toBe(1);
    const copy = reader.bytes(2);
    const target = new Uint8Array(4);
    reader.copyTo(target, 1, 2);
    expect(reader.hasMore).toBe(true);
    const rest = reader.rest();
    expect(reader.hasMore).toBe(false);
    bytes.fill(0);
    expect([[...copy], [...target], [...rest]]).toEqual([
      [2, 3],
      [0, 4, 5, 0],
      [6, 7],
    ]);
    expect([...reader.rest()]).toEqual([]);
  });

  it.each<readonly [string, (reader: ByteReader) => unknown, number]>([
    ["a byte", (reader) => reader.byte(), 1],
    ["a number", (reader) => reader.uint32(), 4],
    ["bytes", (reader) => reader.bytes(5), 5],
    ["copied bytes", (reader) => reader.copyTo(new Uint8Array(5), 0, 5), 5],
  ])("does not read %s beyond the end", (_, read, length) => {
    expect(() => read(new ByteReader(new Uint8Array(length)))).not.toThrow();
    expect(() => read(new ByteReader(new Uint8Array(length - 1)))).toThrow(
      expect.objectContaining({
        code: "tables-damaged",
        message: "A row of the index ends early: its tables are damaged.",
      }),
    );
  });

  it("does not read a varint beyond the end", () => {
    for (const read of [(reader: ByteReader) => reader.varint(), (reader: ByteReader) => reader.bigVarint()]) {
      for (const length of [0, 1, 7, 9]) {
        expect(() => read(new ByteReader(new Uint8Array(length).fill(0x80)))).toThrow("ends early");
      }
    }
  });
});
