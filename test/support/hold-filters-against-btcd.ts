import { expect } from "vitest";
import type { BitcoinProgram } from "./bitcoin-program.ts";
import { askRpcBatch, waitUntil } from "./calls.ts";
import type { ReadyNode } from "./service.ts";

const callsPerBatch = 50;
/** The basic filter of BIP 158. */
const basic = 0;

/**
 * Holds the filters and filter headers of the blocks of the best chain up to a height against btcd's own, over JSON-RPC, once the node's
 * index of filters has all of them. Gives how many.
 */
export async function holdFiltersAgainstBtcd(node: ReadyNode, btcd: BitcoinProgram, height: number): Promise<number> {
  const heights = Array.from({ length: height + 1 }, (_, at) => [at]);
  const hashes = await btcd.callEach("getblockhash", heights);
  const last = hashes.at(-1);
  await waitUntil("the newest block has its filter header", async () => {
    const [answer] = await askRpcBatch(node, [{ method: "getcfilterheader", params: [last, basic] }]);
    return answer?.error === null;
  });
  for (const method of ["getcfilter", "getcfilterheader"]) {
    const each = hashes.map((hash) => [hash, basic]);
    const expected = await btcd.callEach(method, each);
    for (let start = 0; start < each.length; start += callsPerBatch) {
      const calls = each.slice(start, start + callsPerBatch).map((params) => ({ method, params }));
      const answers = await askRpcBatch(node, calls);
      expect(answers.map(({ result, error }) => error ?? result)).toEqual(expected.slice(start, start + callsPerBatch));
    }
  }
  return hashes.length;
}
