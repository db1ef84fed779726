import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { acceptedCoding, compress, compressStream } from "./content-coding.ts";

describe("the coding of a body", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1.0, br;q=0.8", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0", undefined],
    ["*", "br"],
    ["*;q=0", undefined],
    ["*, br;q=0", "gzip"],
    ["gzip;q=0.5, identity", undefined],
    ["gzip;q=nonsense", undefined],
    ["deflate, zstd", undefined],
  ])("that %j takes is %s", (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding);
  });

  it("is never one that a header does not name, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const coding = acceptedCoding(header);
        if (coding !== undefined) expect(header.toLowerCase()).toMatch(coding === "br" ? /br|\*/ : /gzip|\*/);
      }),
    );
  });
});

describe("a compressed body", () => {
  const text = "00000000b3e750f37fdb42e1018799a9f44b546d393b130b369590a072430a1c ".repeat(500);

  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("is the same once it is decompressed: %s", async (coding, decompress) => {
    const whole = await compress(text, coding);
    expect(whole.length).toBeLessThan(text.length / 4);
    expect(decompress(whole).toString()).toBe(text);
    const streamed = await buffer(compressStream(Readable.from([text, "end"]), coding));
    expect(decompress(streamed).toString()).toBe(`${text}end`);
  });

  it("ends early when its source does", async () => {
    const broken = Readable.from(
      (async function* () {
        yield text;
        throw new Error("gone");
      })(),
    );
    await expect(buffer(compressStream(broken, "gzip"))).rejects.toThrow("gone");
  });
});
