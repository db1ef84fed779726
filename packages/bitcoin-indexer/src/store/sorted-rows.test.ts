import fc from "fast-check";
import { expect, it } from "vitest";
import { sortedRows } from "./sorted-rows.ts";

it("sorts by the bytes of keys, and keeps the order of rows with equal keys", () => {
  for (const length of [1, 4, 6, 7, 20]) {
    // Few values, so that keys share their beginning or are equal.
    const key = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { minLength: length, maxLength: length });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 30, size: "max" }), (keys) => {
        const rows = keys.map((bytes, index) => ({ key: Buffer.from(bytes), index }));
        const expected = rows.toSorted((left, right) => Buffer.compare(left.key, right.key));
        expect(sortedRows(rows)).toEqual(expected);
      }),
    );
  }
});
