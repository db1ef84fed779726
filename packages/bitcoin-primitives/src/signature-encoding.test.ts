import { DER } from "@noble/curves/abstract/der.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, signatureHashName } from "./index.ts";

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable(`${hex} is no hex`);
}

/** Checks BIP 66's form by another implementation, which reads the same subset of DER. */
function isDer(bytes: Uint8Array): boolean {
  try {
    DER.toSig(bytes);
    return true;
  } catch {
    return false;
  }
}

describe("signatureHashName", () => {
  test.each([
    ["the shortest signature", "300602010102010101", "ALL"],
    ["two zeros", "300602010002010001", "ALL"],
    ["the longest signature", `3046022100${"ff".repeat(32)}022100${"ff".repeat(32)}01`, "ALL"],
    ["a zero in front of a high bit", "30080202008002020080" + "02", "NONE"],
    ["one byte less than the shortest", "3005020101020001", undefined],
    ["one byte more than the longest", `3047022200ff${"ff".repeat(32)}022100${"ff".repeat(32)}01`, undefined],
    ["another first byte", "310602010102010101", undefined],
    ["a length of the sequence below", "300502010102010101", undefined],
    ["a length of the sequence above", "300702010102010101", undefined],
    ["another tag of R", "300603010102010101", undefined],
    ["another tag of S", "300602010103010101", undefined],
    ["no R", "300602000202010101", undefined],
    ["no S", "300602020101020001", undefined],
    ["a negative R", "300602018002010101", undefined],
    ["a negative S", "300602010102018001", undefined],
    ["a needless zero in front of R", "30070202000102010101", undefined],
    ["a needless zero in front of S", "30070201010202000101", undefined],
    ["an R that leaves no room for S", "300602050102010101", undefined],
    ["an R that leaves room for the tag of S alone", "300602040102010201", undefined],
    ["an S that is too long", "300602010102020101", undefined],
    ["an S that is too short", "30070201010201010101", undefined],
    ["no defined hash type", "300602010102010100", undefined],
    ["the flag of anyone alone", "300602010102010180", undefined],
    ["nothing", "", undefined],
  ])("of %s", (_, hex, name) => {
    expect(signatureHashName(bytesOf(hex))).toBe(name);
  });

  test("is that of the last byte, where another reader of DER takes what stands before it", () => {
    const integer = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const small = fc.bigInt({ min: 0n, max: 2n ** 17n });
    const signature = fc
      .record({ r: fc.oneof(integer, small), s: fc.oneof(integer, small) })
      .map((each) => bytesOf(DER.hexFromSig(each)));
    const change = fc.record({
      at: fc.nat({ max: 80 }),
      remove: fc.nat({ max: 1 }),
      insert: fc.oneof(fc.constant([]), fc.tuple(fc.constantFrom(0, 1, 2, 0x30, 0x7f, 0x80, 0xff))),
    });
    fc.assert(
      fc.property(signature, fc.array(change, { maxLength: 2 }), (bytes, changes) => {
        const list = [...bytes];
        for (const { at, remove, insert } of changes) list.splice(at % list.length, remove, ...insert);
        const changed = Uint8Array.from(list);
        const isShort = changed.length <= 72;
        expect(signatureHashName(Uint8Array.of(...changed, 3))).toBe(isShort && isDer(changed) ? "SINGLE" : undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});
