import fc from "fast-check";
import { expect, it } from "vitest";
import { bytesKey } from "./bytes-key.ts";

it("is the same for the same bytes alone, whatever holds them", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40, size: "max" }), fc.uint8Array({ maxLength: 3 }), (bytes, before) => {
      const inside = Buffer.concat([before, bytes, before]);
      const view = new Uint8Array(inside.buffer, inside.byteOffset + before.length, bytes.length);
      const key = bytesKey(bytes);
      expect(key).toHaveLength(bytes.length);
      expect([bytesKey(view), bytesKey(Buffer.from(bytes))]).toEqual([key, key]);
      expect(Array.from(key, (character) => character.charCodeAt(0))).toEqual([...bytes]);
      expect(bytesKey(bytes, 2)).toBe(key.slice(0, 2));
    }),
  );
});
