import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderUnspentOutputs, renderUnspentPieces } from "./unspent-output.ts";

const anyHash = fc
  .uint8Array({ minLength: 32, maxLength: 32, size: "max" })
  .map((bytes) => Buffer.from(bytes).toString("hex"));
const waiting = fc.record({
  txid: anyHash,
  vout: fc.nat(),
  value: fc.bigInt({ min: 0n, max: 2_099_999_997_690_000n }),
});
const block = fc.record({ hash: anyHash, height: fc.nat(), time: fc.nat(), medianTime: fc.nat(), position: fc.nat() });
const sameBlock = { hash: "ab".repeat(32), height: 7, time: 8, medianTime: 9, position: 1 };
const confirmed = fc
  .tuple(waiting, fc.oneof(block, fc.constant(sameBlock)))
  .map(([output, place]) => ({ ...output, isCoinbase: false, block: place }));

test("unspent outputs are what JSON.stringify writes of them, at once and in pieces", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(waiting, confirmed), { maxLength: 8 }), async (outputs) => {
      const values = outputs.map((output) => ({
        txid: output.txid,
        vout: output.vout,
        status:
          "block" in output
            ? {
                confirmed: true,
                block_height: output.block.height,
                block_hash: output.block.hash,
                block_time: output.block.time,
              }
            : { confirmed: false },
        value: Number(output.value),
      }));
      expect(renderUnspentOutputs(outputs).text).toBe(JSON.stringify(values));
      const [first, ...others] = outputs;
      if (first === undefined) return;
      const { text } = renderUnspentPieces([first], Readable.from(others.map((output) => [output])));
      const pieces = await Array.fromAsync(text as AsyncIterable<string | Uint8Array>);
      expect(pieces.map((piece) => Buffer.from(piece).toString()).join("")).toBe(JSON.stringify(values));
    }),
  );
});
