import { createHash } from "node:crypto";
import { NodeRefusal } from "./faulty-node.ts";

/** Block hashes from the genesis block on, without block contents. */
export type FakeChain = readonly string[];

/** Creates a chain of its own, or one that leaves another above `forkHeight`. Chains of one name are prefixes of each other. */
export function createFakeChain(
  name: string,
  height: number,
  from: FakeChain = [],
  forkHeight: number = -1,
): FakeChain {
  const hashes = from.slice(0, forkHeight + 1);
  while (hashes.length <= height) hashes.push(createHash("sha256").update(`${name} ${hashes.length}`).digest("hex"));
  return hashes;
}

/** Returns the results with which a node's chain is followed; `undefined` for other methods. */
export function responseOfChain(chain: FakeChain, method: string, [first]: readonly unknown[]): unknown {
  switch (method) {
    case "getbestblockhash":
      return chain.at(-1);
    case "getblockcount":
      return chain.length - 1;
    case "getblockhash": {
      const hash = chain[Number(first)];
      if (hash === undefined) throw new NodeRefusal(-8, "Block height out of range");
      return hash;
    }
    case "getblockheader": {
      const height = chain.indexOf(String(first));
      if (height === -1) throw new NodeRefusal(-5, "Block not found");
      return { hash: first, height, previousblockhash: chain[height - 1], confirmations: chain.length - height };
    }
    default:
      return undefined;
  }
}
