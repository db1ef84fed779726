import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytesOf,
  hexOf,
  integerBytesOf,
  keccak256,
  type RlpValue,
  readRlpItem,
  readRlpList,
  serializeRlp,
} from "./rlp.ts";

const text = (value: string): Uint8Array => Buffer.from(value, "ascii");

describe("RLP", () => {
  // The examples of the Ethereum yellow paper's companion page on RLP.
  const cases: readonly (readonly [string, RlpValue, string])[] = [
    ["no bytes", text(""), "0x80"],
    ["one low byte", bytesOf("0x0f"), "0x0f"],
    ["the byte zero", bytesOf("0x00"), "0x00"],
    ["one high byte", bytesOf("0x80"), "0x8180"],
    ["text", text("dog"), "0x83646f67"],
    ["an integer", integerBytesOf("0x0400"), "0x820400"],
    ["the integer zero", integerBytesOf("0x0"), "0x80"],
    ["no elements", [], "0xc0"],
    ["a list", [text("cat"), text("dog")], "0xc88363617483646f67"],
    ["lists in lists", [[], [[]], [[], [[]]]], "0xc7c0c1c0c3c0c1c0"],
    [
      "56 bytes",
      text("Lorem ipsum dolor sit amet, consectetur adipisicing elit"),
      "0xb8384c6f72656d20697073756d20646f6c6f722073697420616d65742c20636f6e7365637465747572206164697069736963696e6720656c6974",
    ],
    ["what is already written", [text("a"), { encoded: bytesOf("0xc0") }], "0xc261c0"],
  ];

  it.each(cases)("writes %s", (_name, value, expected) => {
    expect(hexOf(serializeRlp(value))).toBe(expected);
  });

  it("writes lengths in as many bytes as they need", () => {
    const of = (length: number): string => hexOf(serializeRlp(new Uint8Array(length).fill(0xff))).slice(0, 10);
    expect([55, 56, 255, 256, 65_536].map(of)).toEqual([
      "0xb7ffffff",
      "0xb838ffff",
      "0xb8ffffff",
      "0xb90100ff",
      "0xba010000",
    ]);
    expect(hexOf(serializeRlp(new Array<RlpValue>(56).fill([]))).slice(0, 8)).toBe("0xf838c0");
  });
});

describe("reading RLP", () => {
  const values = fc.letrec<{ value: RlpValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.uint8Array({ maxLength: 70, size: "max" }),
      fc.array(tie("value"), { maxLength: 4 }),
    ),
  })).value;

  it("finds where each item of a list begins and ends", () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 6 }), (list) => {
        const bytes = serializeRlp(list);
        const whole = readRlpItem(bytes, 0);
        expect(whole).toMatchObject({ isList: true, position: 0, end: bytes.length });
        const items = readRlpList(bytes, whole?.start ?? 0, bytes.length);
        expect(items.map(({ position, end }) => hexOf(bytes.subarray(position, end)))).toEqual(
          list.map((value) => hexOf(serializeRlp(value))),
        );
      }),
    );
  });

  it("finds nothing in what is cut off", () => {
    fc.assert(
      fc.property(values, fc.nat(), (value, length) => {
        const bytes = serializeRlp(value);
        expect(readRlpItem(bytes.subarray(0, length % bytes.length), 0)).toBeUndefined();
      }),
    );
  });

  it("takes any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40, size: "max" }), (bytes) => {
        const item = readRlpItem(bytes, 0);
        if (item !== undefined) expect(item.end).toBeLessThanOrEqual(bytes.length);
        readRlpList(bytes, 0, bytes.length);
      }),
    );
  });
});

it("keccak256 is the hash before SHA-3 was standardised", () => {
  expect(keccak256(text(""))).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
});

describe("the hash", () => {
  it("is that of another implementation, for bytes of any length", () => {
    fc.assert(
      // 136 bytes are absorbed at a time.
      fc.property(fc.uint8Array({ maxLength: 600, size: "max" }), (bytes) => {
        expect(keccak256(bytes)).toBe(hexOf(keccak_256(bytes)));
      }),
    );
    for (const length of [0, 1, 135, 136, 137, 271, 272, 273, 100_000]) {
      const bytes = new Uint8Array(length).fill(length);
      expect(keccak256(bytes)).toBe(hexOf(keccak_256(bytes)));
    }
  });

  it("of a part of a larger buffer is that of the part", () => {
    const whole = Uint8Array.from({ length: 300 }, (_, at) => at);
    expect(keccak256(whole.subarray(40, 240))).toBe(keccak256(whole.slice(40, 240)));
  });
});
