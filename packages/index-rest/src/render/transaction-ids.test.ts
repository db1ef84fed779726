import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTransactionIds } from "./transaction-ids.ts";

test("transaction ids are what JSON.stringify writes of them", () => {
  const id = fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" });
  fc.assert(
    fc.property(fc.array(id, { maxLength: 5 }), (ids) => {
      const shown = ids.map((bytes) => Buffer.from(bytes).reverse().toString("hex"));
      expect(renderTransactionIds(Buffer.concat(ids)).text).toBe(JSON.stringify(shown));
    }),
  );
});
