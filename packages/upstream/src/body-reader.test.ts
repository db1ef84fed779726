import { describe, expect, it, vi } from "vitest";
import { createJsonReader, createListReader } from "./body-reader.ts";
import { ResponseBudget } from "./response-budget.ts";
import { ExcessiveStructure } from "./sliced-json-reader.ts";

function start(depth = 64) {
  const budget = new ResponseBudget();
  const lease = budget.acquire(() => undefined);
  const parse = vi.fn<(text: string) => unknown>((text) => JSON.parse(text));
  const limits = { values: 1e6, depth, isPassedByCorrectNodes: false };
  const reader = createJsonReader(parse, limits, lease);
  const push = (text: string, chunkBytes = 10_000): void => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  };
  return { reader, push, parse, budget };
}

/** Returns a list of one string with this many bytes. */
const listOf = (bytes: number): string => `["${"a".repeat(bytes - 4)}"]`;

describe("the reader of a JSON body", () => {
  it("parses 16 KiB at once, and what is longer in slices, for which memory is leased", () => {
    const short = start();
    short.push(listOf(16_384));
    expect(short.budget.bytes).toBe(0);
    expect(short.reader.end()).toEqual({ kind: "json", value: JSON.parse(listOf(16_384)) });
    expect(short.parse).toHaveBeenCalledExactlyOnceWith(listOf(16_384));
    expect(short.budget.bytes).toBe(4 * 16_384);

    const long = start();
    long.push(listOf(16_385));
    expect(long.budget.bytes).toBeGreaterThan(0);
    expect(long.reader.end()).toEqual({ kind: "json", value: JSON.parse(listOf(16_385)) });
  });

  it("gives the same however the body comes", () => {
    const text = JSON.stringify({ list: Array(4_000).fill("a value é"), last: { text: "b".repeat(200_000) } });
    for (const chunkBytes of [1_000, 16_384, 16_385, 1_000_000]) {
      const { reader, push } = start();
      push(text, chunkBytes);
      expect(reader.end()).toEqual({ kind: "json", value: JSON.parse(text) });
    }
  });

  it("gives short text that is no JSON complete, and the first KiB of longer text", () => {
    const word = "Bad gateway. ";
    const short = start();
    short.push(word.repeat(1_000));
    expect(short.reader.end()).toEqual({ kind: "text", text: word.repeat(1_000) });
    const texts = [`<p>${word.repeat(10_000)}`, `${word.repeat(10_000)}<`, `[1,${"2,".repeat(10_000)}`];
    // The first KiB of this is JSON.
    for (const text of [...texts, `[1]${" ".repeat(20_000)}]`]) {
      const long = start();
      long.push(text);
      expect(long.reader.end()).toEqual({ kind: "text", text: text.slice(0, 1_024) });
      long.reader.close?.();
    }
  });

  it("gives no text as text", () => {
    expect(start().reader.end()).toEqual({ kind: "text", text: "" });
  });

  it("frees its memory where the text turns out to be no JSON, and when it is closed", () => {
    const transfer = vi.spyOn(ArrayBuffer.prototype, "transferToFixedLength");
    const closing = start();
    closing.push(listOf(100_000));
    closing.reader.close?.();
    expect(transfer).toHaveBeenCalledExactlyOnceWith(0);
    const text = start();
    const broken = `["a"${',"a value"'.repeat(8_000)},]]`;
    text.push(broken);
    expect(transfer).toHaveBeenCalledTimes(2);
    // Bytes that still arrive are ignored.
    text.push("[".repeat(100_000));
    text.reader.close?.();
    expect(transfer).toHaveBeenCalledTimes(2);
    expect(text.reader.end()).toEqual({ kind: "text", text: broken.slice(0, 1_024) });
    transfer.mockRestore();
  });

  it("keeps the beginning of a long text without the chunk that it came in", () => {
    const { reader, push } = start();
    const chunk = Buffer.from(`["${"a".repeat(50_000)}`);
    reader.push(chunk);
    chunk.fill(0);
    push("x");
    expect(reader.end()).toEqual({ kind: "text", text: `["${"a".repeat(1_022)}` });
  });

  it.each([10, 20_000])("refuses deeper nesting than there may be, with a string of %i bytes next to it", (bytes) => {
    const deep = (levels: number): string =>
      `${"[".repeat(levels - 1)}["${"a".repeat(bytes)}"]${"]".repeat(levels - 1)}`;
    const { reader, push } = start(8);
    push(deep(8));
    expect(reader.end()).toEqual({ kind: "json", value: JSON.parse(deep(8)) });
    const deeper = start(8);
    expect(() => {
      deeper.push(deep(9));
      deeper.reader.end();
    }).toThrow(new ExcessiveStructure("Nested too deeply"));
  });

  it("passes on what the parser throws but for errors of syntax", () => {
    const { reader, push, parse } = start();
    push("[1]");
    parse.mockImplementation(() => {
      throw new RangeError("Too large");
    });
    expect(() => reader.end()).toThrow(new RangeError("Too large"));
    const sliced = start();
    sliced.parse.mockImplementation(() => {
      throw new RangeError("Too large");
    });
    expect(() => sliced.push(`["a"${',"a value"'.repeat(8_000)}`)).toThrow(new RangeError("Too large"));
  });
});

describe("the reader of a list", () => {
  it("gives each string, and what stands around them with an empty list", () => {
    const taken: string[] = [];
    const reader = createListReader((bytes, from, to) => taken.push(Buffer.from(bytes).toString("utf8", from, to)));
    for (const chunk of ['{"id":1,"result":["a","b', 'c"],', '"error":null}']) reader.push(Buffer.from(chunk));
    expect([taken, reader.end()]).toEqual([["a", "bc"], { kind: "json", value: { id: 1, result: [], error: null } }]);
  });

  it("gives what is no JSON as text", () => {
    const reader = createListReader(() => expect.unreachable());
    reader.push(Buffer.from("Bad gateway"));
    expect(reader.end()).toEqual({ kind: "text", text: "Bad gateway" });
  });
});
