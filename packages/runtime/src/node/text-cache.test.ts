import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonBytes } from "./json-bytes.ts";
import { createTextCaches, TextCache } from "./text-cache.ts";

const out = new JsonBytes();

function textAt(memory: TextCache, place: number, start?: number, length?: number): string {
  memory.writeText(out, place, start, length);
  return out.takeText();
}

describe("a memory of texts", () => {
  test("is one for each name, whatever was requested in between", () => {
    const memoryOf = createTextCaches({ groups: 1, slotLength: 16 });
    const [one, other] = [memoryOf("one"), memoryOf("other")];
    expect(one).not.toBe(other);
    expect([memoryOf("one"), memoryOf("one"), memoryOf("other")]).toEqual([one, one, other]);
    expect(memoryOf("one")).toBe(one);
  });

  test("gives each text with its kind, whole or in part", () => {
    const memory = new TextCache({ groups: 4, slotLength: 32 });
    const bytes = Uint8Array.of(9, 1, 2, 3, 9);
    expect(memory.find(bytes, 1, 4)).toBe(-1);
    memory.set(bytes, 1, 4, 7, "some text");
    const place = memory.find(Uint8Array.of(1, 2, 3), 0, 3);
    expect(place).not.toBe(-1);
    expect([memory.kindAt(place), memory.textLengthAt(place)]).toEqual([7, 9]);
    expect(textAt(memory, place)).toBe("some text");
    expect(textAt(memory, place, 5, 2)).toBe("te");
  });

  test("leaves out what is too long for a place", () => {
    const memory = new TextCache({ groups: 1, slotLength: 16 });
    memory.set(new Uint8Array(10), 0, 10, 0, "abcd");
    expect(memory.find(new Uint8Array(10), 0, 10)).toBe(-1);
    memory.set(new Uint8Array(10), 0, 10, 0, "abc");
    expect(memory.find(new Uint8Array(10), 0, 10)).not.toBe(-1);
  });

  test("never gives the text of other bytes, however many are remembered", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 6 }), { minLength: 30, maxLength: 200, size: "max" }), (list) => {
        const memory = new TextCache({ groups: 2, slotLength: 24 });
        for (const bytes of list) {
          const text = Buffer.from(bytes).toString("hex");
          const place = memory.find(bytes, 0, bytes.length);
          if (place === -1) memory.set(bytes, 0, bytes.length, bytes.length, text);
          else expect([memory.kindAt(place), textAt(memory, place)]).toEqual([bytes.length, text]);
          const last = memory.find(bytes, 0, bytes.length);
          expect(textAt(memory, last)).toBe(text);
        }
      }),
    );
  });
});
