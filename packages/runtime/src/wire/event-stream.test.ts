import { describe, expect, it } from "vitest";
import { EventParser, writeEvent } from "./event-stream.ts";
import { JsonLinesParser, jsonLinesForm, writeJsonLine } from "./json-lines.ts";
import { readUtf8 } from "./json-text.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits } from "./wire-limits.ts";

describe("a server-sent event (WHATWG HTML, section 9.2)", () => {
  it.each([
    [{ data: "a" }, "data: a\n\n"],
    [{ data: "" }, "data: \n\n"],
    [{ data: "a\nb\r\nc\rd" }, "data: a\ndata: b\ndata: c\ndata: d\n\n"],
    [{ data: "a", event: "" }, "data: a\n\n"],
    [{ data: "a", event: "e", id: "", retryMilliseconds: 1.9 }, "event: e\nid: \nretry: 1\ndata: a\n\n"],
    [{ data: "a", retryMilliseconds: -5 }, "retry: 0\ndata: a\n\n"],
  ])("is written: %j", (event, text) => {
    expect(writeEvent(event)).toBe(text);
  });

  it.each(["\r", "a\nb", "\0"])("has no line end in its name and id: %j", (text) => {
    for (const changes of [{ event: text }, { id: text }]) {
      expect(() => writeEvent({ data: "", ...changes })).toThrow(
        new RangeError("The name and the id of an event can't hold a line end"),
      );
    }
  });

  it.each<[string, readonly string[], readonly object[]]>([
    [
      "a space behind the colon, or none, or two",
      ["data: a\n\ndata:b\n\ndata:  c\n\n"],
      [{ data: "a" }, { data: "b" }, { data: " c" }],
    ],
    ["a field without a colon", ["data\n\n"], [{ data: "" }]],
    ["fields of other names, and comments", ["datas: a\n: b\nx\n:\n\n"], []],
    ["no data, whose name and id the next has not", ["event: e\nid: 1\n\ndata: a\n\n"], [{ data: "a" }]],
    [
      "a name and an id",
      ["event: e\nid: 1\ndata: a\n\ndata: b\n\n"],
      [{ event: "e", id: "1", data: "a" }, { data: "b" }],
    ],
    ["an empty name and id", ["event\nid\ndata: a\n\n"], [{ id: "", data: "a" }]],
    ["an id with a null character", ["id: a\0\ndata: a\n\n"], [{ data: "a" }]],
    ["carriage returns", ["data: a\rdata: b\r\rdata: c\r\n\r\n"], [{ data: "a\nb" }, { data: "c" }]],
    [
      "a carriage return at the end of a piece",
      ["data: a\r", "\n\r", "", "\ndata: b\n\n"],
      [{ data: "a" }, { data: "b" }],
    ],
    ["a line feed after it that ends a line", ["data: a\r", "x\n\n"], [{ data: "a" }]],
    ["a byte order mark", ["\uFEFFdata: a\n\n\uFEFFdata: b\n\n"], [{ data: "a" }]],
    ["a byte order mark after nothing", ["", "\uFEFFdata: a\n\n"], [{ data: "a" }]],
    ["no end", ["data: a\n"], []],
  ])("is read with %s", (_name, pieces, events) => {
    const parser = new EventParser();
    expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(events);
  });

  it.each([
    ["retry: 5\n", 5],
    ["retry: 999999999\n", 999_999_999],
    ["retry: 1000000000\n", undefined],
    ["retry: -1\n", undefined],
    ["retry: 1s\n", undefined],
    ["retry\n", undefined],
  ])("says how long to wait: %j", (text, milliseconds) => {
    const parser = new EventParser();
    parser.push(text);
    expect(parser.retryMilliseconds).toBe(milliseconds);
  });

  it("leaves its id to the connection", () => {
    const parser = new EventParser(defaultWireLimits, "before");
    expect([new EventParser().lastEventId, parser.lastEventId]).toEqual(["", "before"]);
    parser.push("id: 1\n\n");
    expect(parser.lastEventId).toBe("1");
    parser.push("id: \0\n\ndata: a\n\n");
    expect(parser.lastEventId).toBe("1");
  });

  it("is no longer than it may be, in one line or in several", () => {
    const create = () => new EventParser({ ...defaultWireLimits, maximumItemLength: 10 });
    expect(create().push("data:aaaa\ndata:aaaa\n\ndata:aaaa\n\n")).toHaveLength(2);
    expect(() => create().push("data:aaaa\ndata:aaaaa\n")).toThrow(
      new WireError("too-large", "An event is longer than 10 characters"),
    );
    expect(() => create().push("data:aaaaaa")).toThrow(
      new WireError("too-large", "A line is longer than 10 characters"),
    );
  });
});

describe("JSON values in lines", () => {
  it.each([
    ["application/json-seq", "sequence"],
    ["application/geo+json-seq ; a=b", "sequence"],
    ["APPLICATION/JSON-SEQ", "sequence"],
    ["application/json-sequence", "lines"],
    ["application/jsonl; a=x/json-seq", "lines"],
    ["json-seq", "lines"],
  ])("are a sequence by their media type: %s: %s", (mediaType, form) => {
    expect(jsonLinesForm(mediaType)).toBe(form);
  });

  it("are written one behind the other", () => {
    expect([writeJsonLine([1], "lines"), writeJsonLine("a", "sequence")]).toEqual(["[1]\n", '\u001e"a"\n']);
    expect(() => writeJsonLine(undefined, "lines")).toThrow(new RangeError("undefined has no JSON representation"));
  });

  it("are read line by line, or between separators", () => {
    const lines = new JsonLinesParser("lines");
    expect([lines.push('1\n\n  \r\n{"a":'), lines.push("2}\n3"), lines.end()]).toEqual([[1], [{ a: 2 }], [3]]);
    const sequence = new JsonLinesParser("sequence");
    expect([sequence.push("\u001e1\n\u001e[\n2]"), sequence.push('\u001e"a"'), sequence.end()]).toEqual([
      [1],
      [[2]],
      ["a"],
    ]);
  });

  it.each(["1", "true", "-1.5"])("of a sequence are whole only with white space behind: %s", (text) => {
    const cut = new JsonLinesParser("sequence");
    cut.push(`\u001e${text}`);
    expect(() => cut.end()).toThrow(new WireError("malformed", "A value of the sequence is cut"));
    const whole = new JsonLinesParser("sequence");
    whole.push(`\u001e${text} `);
    expect(whole.end()).toEqual([JSON.parse(text)]);
  });

  it("are JSON, not nested too deep, and of long integers as it is requested", () => {
    const limits = { ...defaultWireLimits, maximumDepth: 2, maximumItemLength: 30 };
    const create = (keepsLongIntegers?: boolean) =>
      new JsonLinesParser("lines", { limits, ...(keepsLongIntegers === undefined ? {} : { keepsLongIntegers }) });
    expect(create().push("[[1]]\n")).toEqual([[[1]]]);
    expect(() => create().push("[[[]]]\n")).toThrow(new WireError("too-large", "JSON is nested deeper than 2 levels"));
    expect(() => create().push("{a}\n")).toThrow(new WireError("malformed", "There is text that is not JSON"));
    expect(() => create().push("1".repeat(31))).toThrow(
      new WireError("too-large", "A line is longer than 30 characters"),
    );
    expect(create(true).push("9007199254740993\n")).toEqual([9_007_199_254_740_993n]);
    expect(create().push("9007199254740993\n")).toEqual([9_007_199_254_740_992]);
  });

  it("are UTF-8, without a byte order mark", () => {
    expect(readUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]))).toBe("é");
    expect(() => readUtf8(new Uint8Array([0xff]))).toThrow(
      new WireError("malformed", "There are bytes that are not UTF-8"),
    );
  });
});
