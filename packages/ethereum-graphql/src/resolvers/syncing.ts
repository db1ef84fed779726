import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { SyncStatus } from "@nodewright/ethereum-node-api/types";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";

/** `Query.syncing`. Some clients leave out where they began. */
export const syncing: EthereumHandler<"syncing", EthereumContext, EthereumParents> = async (_input, context) => {
  const status = (await context.read("eth_syncing")) as false | null | SyncStatus;
  if (status === false || status === null) return null;
  const { startingBlock = "0x0", currentBlock, highestBlock } = status;
  return { startingBlock, currentBlock, highestBlock };
};
