import type { BlockFilterCriteria } from "@nodewright/ethereum-api/types";
import type { EthereumContext } from "./context.ts";
import type { NodeLog } from "./node-values.ts";

/** Which blocks: one by its hash, or a range of heights, both ends included. */
export type LogBlocks = { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string };

/** The logs that match, in the order of the chain. */
export async function findLogs(
  blocks: LogBlocks,
  { addresses, topics }: BlockFilterCriteria,
  context: EthereumContext,
): Promise<readonly NodeLog[]> {
  const filter = {
    ...blocks,
    ...(addresses?.length ? { address: addresses } : {}),
    // JSON-RPC spells "any topic" null, GraphQL an empty list.
    ...(topics?.length
      ? { topics: topics.map((alternatives) => (alternatives.length > 0 ? alternatives : null)) }
      : {}),
  };
  return context.count((await context.read("eth_getLogs", [filter])) as readonly NodeLog[]);
}
