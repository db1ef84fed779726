import fc from "fast-check";
import { expect, it } from "vitest";
import { noSlot, TxidTable } from "./txid-table.ts";

/** Returns few enough txids that many of them collide in a small table. */
function txid(name: number): Buffer {
  const bytes = Buffer.alloc(32, name % 3);
  bytes.writeUInt32LE(name, name % 2 === 0 ? 0 : 28);
  return bytes;
}

it("holds what a map would hold, whatever comes and goes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 60 }), fc.boolean()), { maxLength: 300, size: "max" }), (steps) => {
      const table = new TxidTable();
      const model = new Map<number, number>();
      for (const [step, [name, stays]] of steps.entries()) {
        const slot = table.find(txid(name));
        expect(slot === noSlot).toBe(!model.has(name));
        if (slot === noSlot) table.add(txid(name), step, name);
        else if (stays) table.setNumber(slot, step);
        else table.delete(slot);
        if (slot === noSlot || stays) model.set(name, step);
        else model.delete(name);
        expect(table.size).toBe(model.size);
      }
      const held = [...table.slots()].map((slot) => [
        table.txidOf(slot).toString("hex"),
        table.numberOf(slot),
        table.listingOf(slot),
      ]);
      const expected = [...model].map(([name, number]) => [txid(name).toString("hex"), number, name]);
      expect(held.toSorted()).toEqual(expected.toSorted());
      for (const name of model.keys()) {
        const within = Buffer.concat([Buffer.alloc(5), txid(name)]);
        expect(table.numberOf(table.find(within, 5))).toBe(model.get(name));
      }
    }),
  );
});

it("grows over many, and knows which of its slots has become another's", () => {
  const table = new TxidTable();
  for (let name = 0; name < 20_000; name += 1) table.add(txid(name), name, 1);
  const names = Array.from({ length: 20_000 }, (_, name) => name);
  expect(names.map((name) => table.numberOf(table.find(txid(name))))).toEqual(names);
  const slot = table.find(txid(77));
  expect(table.isStill(slot, 77)).toBe(true);
  table.delete(slot);
  expect(table.isStill(slot, 77)).toBe(false);
  expect(table.add(txid(30_000), 30_000, 1)).toBe(slot);
  expect(table.isStill(slot, 77)).toBe(false);
  expect(table.find(txid(77))).toBe(noSlot);
  expect(table.capacity).toBeGreaterThanOrEqual(20_000);
});
