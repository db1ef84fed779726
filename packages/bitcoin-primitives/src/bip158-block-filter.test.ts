import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseBlock } from "./block.ts";
import { basicBlockFilter, blockFilterHeader, makeBasicBlockFilter } from "./block-filter.ts";
import { fromHex, toHex } from "./bytes.ts";
import { displayHash, wireHash } from "./hash.ts";

/** Height, hash, block, scripts of the outputs that it spends, header of the filter below, filter, its header, remark. */
type Vector = readonly [number, string, string, readonly string[], string, string, string, string];

const file = new URL("../../../test/fixtures/bitcoin/bip158-testnet-19.json", import.meta.url);
const [, ...vectors] = JSON.parse(readFileSync(file, "utf8")) as readonly [unknown, ...Vector[]];

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable(`${hex} is no hex`);
}

const someHash = new Uint8Array(32).fill(7);

/** Returns the filter of a block whose scripts these are, in hex. */
function filterOf(paid: readonly Uint8Array[], spent: readonly Uint8Array[]): string {
  return toHex(basicBlockFilter(someHash, { paid, spent }));
}

describe("a basic filter", () => {
  it.each(vectors)(
    "is the published one of testnet's block %i",
    (_height, hash, block, scripts, previousHeader, filter, header, _remark) => {
      const parsed = parseBlock(bytesOf(block));
      expect(displayHash(parsed.header.hash)).toBe(hash);
      const outputs = parsed.transactions.flatMap((transaction) => transaction.outputs);
      const paid = outputs.map(({ scriptPubKey }) => scriptPubKey);
      const made = basicBlockFilter(parsed.header.hash, { paid, spent: scripts.map(bytesOf) });
      expect(toHex(made)).toBe(filter);
      expect(displayHash(blockFilterHeader(made, wireHash(previousHeader)))).toBe(header);
    },
  );

  it("stands on zeros where there is no block below", () => {
    const [, , , , , filter, header] = vectors[0] ?? expect.unreachable();
    expect(displayHash(blockFilterHeader(bytesOf(filter)))).toBe(header);
  });

  it("holds each script once, whether it is paid to, spent, or both, in whatever order", () => {
    const scripts = Array.from({ length: 50 }, (_, at) => Uint8Array.from({ length: at + 1 }, () => at + 1));
    const alone = filterOf(scripts, []);
    expect(filterOf([...scripts, ...scripts], scripts.toReversed())).toBe(alone);
    expect(filterOf(scripts.slice(0, 20), scripts.slice(10).toReversed())).toBe(alone);
  });

  it("leaves out what begins with OP_RETURN where it is paid to, and nothing that is empty counts", () => {
    const data = Uint8Array.of(0x6a, 1, 2);
    const empty = new Uint8Array(0);
    expect(filterOf([data, empty], [empty])).toBe("00");
    expect(filterOf([], [data]).slice(0, 2)).toBe("01");
  });

  it("is made in a step for each script and for what becomes of it", () => {
    const scripts = [Uint8Array.of(0x51), Uint8Array.of(0x52)];
    const steps = makeBasicBlockFilter(someHash, { paid: scripts, spent: scripts.slice(0, 1) });
    expect([...steps]).toHaveLength(2 + 1 + 2 + 2);
  });

  it("says more than 252 scripts as a longer number", () => {
    const scripts = Array.from({ length: 300 }, (_, at) => Uint8Array.of(0x51, at >> 8, at & 0xff));
    expect(filterOf(scripts, []).slice(0, 6)).toBe("fd2c01");
  });
});
