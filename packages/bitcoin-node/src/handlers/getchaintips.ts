import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the tips of the best chain and of the retained branches that were the best chain once. */
export const getchaintips: BitcoinHandler<"getchaintips", BitcoinNodeContext> = async (_input, { index }) => {
  const { height, hash } = await getTip(index);
  const branches = await index.staleBranches();
  return [
    { height, hash, branchlen: 0, status: "active" as const },
    // A branch is retained because all of it was connected: it is valid.
    ...branches.map(({ tip, length }) => ({
      height: tip.height,
      hash: tip.hash,
      branchlen: length,
      status: "valid-fork" as const,
    })),
  ].sort((left, right) => right.height - left.height);
};
