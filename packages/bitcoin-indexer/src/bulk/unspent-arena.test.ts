import fc from "fast-check";
import { expect, it } from "vitest";
import { recordColumn, UnspentArena } from "./unspent-arena.ts";

const none = -1;

/** Returns txids of which many share their first 8 bytes, or all except the last. */
function txidOf(number: number): Uint32Array {
  const words = new Uint32Array(8).fill(7);
  words[number % 2 === 0 ? 7 : 3] = number;
  return words;
}

type Step =
  | { readonly kind: "add"; readonly txid: number; readonly outputs: readonly number[] }
  | { readonly kind: "take"; readonly txid: number; readonly vout: number }
  | { readonly kind: "compact" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    txid: fc.nat(400),
    outputs: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 6 }).map((vouts) => vouts.toSorted((a, b) => a - b)),
  }),
  fc.record({ kind: fc.constant("take" as const), txid: fc.nat(400), vout: fc.nat(30) }),
  fc.constant({ kind: "compact" as const }),
);

const scriptOf = (txid: number, vout: number): Uint8Array => new Uint8Array((txid + vout) % 9).fill(vout);

function add(arena: UnspentArena, txid: number, outputs: readonly number[], number: number): void {
  arena.reserve(UnspentArena.wordsFor(outputs.length, outputs.length * 9));
  const entry = arena.beginEntry(txidOf(txid), 0, number, outputs.length);
  for (const [position, vout] of outputs.entries()) {
    const script = scriptOf(txid, vout);
    const record = arena.addOutput(entry, position, vout, script.length);
    arena.words.fill(txid * 100 + vout, record, record + 2 + 4);
    arena.words[record + recordColumn.scriptLength] = script.length;
    arena.copyScript(record, script, 0, script.length);
  }
  arena.finishEntry(entry);
}

it("finds each output once, by the complete txid, however it was moved", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: "max" }), fc.nat(0xffffffff), (steps, seed) => {
      const arena = new UnspentArena(64, seed);
      /** Numbers of transactions, by output. */
      const expected = new Map<string, number>();
      const known = new Set<number>();
      for (const [number, one] of steps.entries()) {
        if (one.kind === "compact") arena.compact();
        else if (one.kind === "add") {
          if (known.has(one.txid)) continue;
          known.add(one.txid);
          add(arena, one.txid, one.outputs, number);
          for (const vout of one.outputs) expected.set(`${one.txid}:${vout}`, number);
        } else {
          const entry = arena.find(txidOf(one.txid), 0);
          const number = entry === none ? undefined : arena.transactionNumberOf(entry);
          const record = entry === none ? none : arena.take(entry, one.vout);
          const key = `${one.txid}:${one.vout}`;
          expect(record === none ? undefined : number).toBe(expected.get(key));
          if (record !== none) expect(arena.words[record]).toBe(one.txid * 100 + one.vout);
          expected.delete(key);
        }
      }
      const loaded = new UnspentArena(8, seed + 1);
      arena.compact();
      loaded.load(arena.words.slice(0, arena.end));
      const left = [...loaded.entries()].flatMap((entry) => [...loaded.outputsOf(entry)]);
      expect(left.map(({ record }) => loaded.words[record]).toSorted()).toEqual(
        [...expected.keys()].map((key) => Number(key.split(":")[0]) * 100 + Number(key.split(":")[1])).toSorted(),
      );
      for (const { record } of left) {
        const value = loaded.words[record] ?? 0;
        const script = scriptOf(Math.floor(value / 100), value % 100);
        const start = (record + recordColumn.script) * 4;
        const found = new Uint8Array(loaded.words.buffer, start, script.length);
        expect([...found]).toEqual([...script]);
      }
    }),
  );
});
