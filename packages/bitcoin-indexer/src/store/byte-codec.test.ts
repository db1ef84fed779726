import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader, ByteWriter } from "./byte-codec.ts";

test("sums are read as they were written, on both sides of what numbers hold", () => {
  const edges = [0n, 127n, 128n, 2n ** 42n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 70n];
  const sum = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 75n }));
  fc.assert(
    fc.property(fc.array(sum), (sums) => {
      const writer = new ByteWriter();
      for (const value of sums) writer.bigVarint(value);
      const reader = new ByteReader(writer.take());
      expect(sums.map(() => reader.bigVarint())).toEqual(sums);
    }),
  );
});
