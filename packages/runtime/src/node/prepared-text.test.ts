import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonPiece } from "../json/prepared-json.ts";
import { byteLengthOf, cutPieces, joinPieces } from "./prepared-text.ts";

function bytesOf(pieces: readonly JsonPiece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

describe("a text in pieces", () => {
  it("is the same text when it is cut anew, whatever characters it has, with no long string in it", () => {
    const text = fc.string({ unit: "grapheme-composite", maxLength: 30, size: "max" });
    const piece = fc.oneof(
      text,
      text.map((each) => new Uint8Array(Buffer.from(each))),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 2, max: 20 }), (pieces, length) => {
        const cut = [...cutPieces(pieces, length)];
        expect(bytesOf(cut)).toEqual(bytesOf(pieces));
        for (const each of cut) if (typeof each === "string") expect(each.length).toBeLessThanOrEqual(length);
      }),
    );
  });

  it("has no empty piece before one that is too long", () => {
    expect([...cutPieces(["a".repeat(9), "b"], 4)].map((piece) => piece.length)).not.toContain(0);
  });

  it("has the length of its bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme-composite" })), (pieces) => {
        expect(byteLengthOf(pieces)).toBe(Buffer.byteLength(joinPieces(pieces)));
      }),
    );
  });
});
