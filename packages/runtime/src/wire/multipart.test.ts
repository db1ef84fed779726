import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundary, type Part, readHeaderParameters, readMultipart, writeMultipart } from "./multipart.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits } from "./wire-limits.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);
const read = (text: string, limits = defaultWireLimits) =>
  readMultipart(bytes(text), "b", limits).map((part) => ({ ...part, body: textOf(part.body) }));
const part = (headers: string, body: string) => `--b\r\n${headers}\r\n${body}\r\n--b--\r\n`;

describe("a boundary", () => {
  it("is random, in characters that need no quotes", () => {
    expect(createBoundary()).toMatch(/^nodewright-[0-9a-f]{32}$/);
    expect(createBoundary()).not.toBe(createBoundary());
  });
});

describe("a multipart body", () => {
  it("is written with the headers of each part", () => {
    const parts: readonly Part[] = [
      { name: "a", body: bytes("1") },
      {
        name: 'q"\r\n%22%2522%41\0',
        filename: "f.txt",
        contentType: "text/plain",
        headers: { "x-a": "b" },
        body: bytes(""),
      },
      { body: bytes("2") },
    ];
    expect(textOf(writeMultipart(parts, "b"))).toBe(
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n' +
        '--b\r\ncontent-disposition: form-data; name="q%22%0D%0A%2522%252522%41\uFFFD"; filename="f.txt"\r\n' +
        "content-type: text/plain\r\nx-a: b\r\n\r\n\r\n--b\r\n\r\n2\r\n--b--\r\n",
    );
    expect(textOf(writeMultipart([], "b"))).toBe("--b--\r\n");
  });

  it("has of each part what its headers say, and nothing else", () => {
    expect(read(part("content-disposition: form-data; name=a\r\nx-b: c\r\n", "1"))).toStrictEqual([
      { name: "a", headers: { "x-b": "c" }, body: "1" },
    ]);
    expect(read(part("", "1"))).toStrictEqual([{ headers: {}, body: "1" }]);
  });

  it.each(["a\r", "a\nb", "\0"])("has no line end in a header: %j", (value) => {
    for (const changes of [{ contentType: value }, { headers: { x: value } }]) {
      expect(() => writeMultipart([{ body: bytes(""), ...changes }], "b")).toThrow(
        new RangeError("A header of a part can't hold a line end"),
      );
    }
  });

  it("is read as it was written, whatever its names and bodies", () => {
    const name = fc.string({
      unit: fc.constantFrom("a", '"', "\r", "\n", "%", "22", "25", "0D", "é", ";", "\\x", " "),
    });
    const body = fc.string({ unit: fc.constantFrom("a", "\r\n", "--", "b", "\r", "-", " ") });
    fc.assert(
      fc.property(fc.array(fc.record({ name, filename: name, body })), (parts) => {
        // Bodies that contain the boundary are excluded: a random boundary never occurs in one.
        fc.pre(parts.every((one) => !`\r\n${one.body}\r\n`.includes("\r\n--b")));
        const written = writeMultipart(
          parts.map((one) => ({ ...one, body: bytes(one.body) })),
          "b",
        );
        const got = readMultipart(written, "b").map((one) => ({ ...one, body: textOf(one.body) }));
        expect(got).toEqual(parts.map((one) => ({ ...one, headers: {} })));
      }),
    );
  });

  it.each<[string, string, readonly object[]]>([
    ["no part", "--b--", []],
    ["text before the first part and behind the last", `x\r\n${part("", "1")}y`, [{ body: "1", headers: {} }]],
    [
      "the boundary inside of a line",
      part("", "x--b\r\n--bc\r\n--b-"),
      [{ body: "x--b\r\n--bc\r\n--b-", headers: {} }],
    ],
    ["the boundary inside the first line", `--bx\r\n${part("", "1")}`, [{ body: "1", headers: {} }]],
    [
      "spaces behind a boundary",
      "--b \t\r\n\r\n1\r\n--b \r\n\r\n2\r\n--b--",
      [
        { body: "1", headers: {} },
        { body: "2", headers: {} },
      ],
    ],
    [
      "empty bodies",
      "--b\r\n\r\n\r\n--b\r\n\r\n\r\n--b--",
      [
        { body: "", headers: {} },
        { body: "", headers: {} },
      ],
    ],
    ["a body without a line end of its own", "--b\r\nx: y\r\n\r\n--b--", [{ body: "", headers: { x: "y" } }]],
    [
      "headers in any case, with spaces",
      part("X-A:  b c \r\nCONTENT-TYPE:a/b\r\n", ""),
      [{ body: "", contentType: "a/b", headers: { "x-a": "b c" } }],
    ],
    ["a header with an empty value", part("x:\r\n", ""), [{ body: "", headers: { x: "" } }]],
    [
      "a transfer encoding that changes nothing",
      part("content-transfer-encoding: 8BIT\r\n", "1"),
      [{ body: "1", headers: { "content-transfer-encoding": "8BIT" } }],
    ],
    [
      "a name in a quoted string or without",
      part('content-disposition: form-data; name=a; filename="b%22%2522%0d"\r\n', "1"),
      [{ body: "1", name: "a", filename: 'b"%22\r', headers: {} }],
    ],
  ])("is read with %s", (_name, text, parts) => {
    expect(read(text)).toEqual(parts);
  });

  const unended = "The multipart body does not end with its boundary";
  const noHeader = "A line of a part's headers is not a header";
  const encoded = "A part has a content transfer encoding: RFC 7578, section 4.7 has none";

  it.each([
    ["", unended],
    ["--b", unended],
    ["--b-", unended],
    ["x--b--", unended],
    ["--b\r\n\r\n1", unended],
    ["--b\r\n\r\n1\r\n--", unended],
    ["--b\r\n\r\n1\n--b--", unended],
    ["--b\r\nx: y", "The headers of a part do not end"],
    [part("x\r\n", ""), noHeader],
    [part(": a\r\n", ""), noHeader],
    [part("x y: a\r\n", ""), noHeader],
    [part("é: a\r\n", ""), noHeader],
    [part("content-transfer-encoding: base64\r\n", ""), encoded],
    [part("content-transfer-encoding: 17bit\r\n", ""), encoded],
    [part("content-transfer-encoding: binaryx\r\n", ""), encoded],
  ])("is refused: %j", (text, message) => {
    expect(() => read(text)).toThrow(new WireError("malformed", message));
  });

  it("is bounded in its parts and their headers", () => {
    const two = "--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--";
    expect(read(two, { ...defaultWireLimits, maximumParts: 2 })).toHaveLength(2);
    expect(() => read(two, { ...defaultWireLimits, maximumParts: 1 })).toThrow(
      new WireError("too-large", "There are more than 1 parts"),
    );
    const headers = (length: number) => part(`x: ${"y".repeat(length - 3)}\r\n`, "1");
    const limits = { ...defaultWireLimits, maximumPartHeaderBytes: 11 };
    expect(read(headers(10), limits)).toHaveLength(1);
    expect(() => read(headers(11), limits)).toThrow(
      new WireError("too-large", "The headers of a part are longer than 11 bytes"),
    );
  });
});

describe("the parameters of a header (RFC 9110, section 5.6.6)", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["form-data", {}],
    ["form-data; name=a", { name: "a" }],
    ['form-data;NAME="a;b"; x= y ', { name: "a;b", x: "y" }],
    ['a; n="x\\"y"; m=1', { n: 'x"y', m: "1" }],
    ['a; n="C:\\"; m=1', { n: "C:\\", m: "1" }],
    ['a; n="C:\\"', { n: "C:\\" }],
    ['a; n="x', { n: "x" }],
    ['a; n=""', { n: "" }],
    ["a; n=; m=1", { n: "", m: "1" }],
    ["a; n=1; n=2", { n: "1" }],
    ["a; n", {}],
    ["a;; n=1", {}],
    ['a; n ="1"x; m = 2', { n: "1", m: "2" }],
  ])("are read: %s", (header, parameters) => {
    expect(Object.fromEntries(readHeaderParameters(header))).toEqual(parameters);
  });
});
