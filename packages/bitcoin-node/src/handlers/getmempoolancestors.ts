import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { relatedTransactions } from "../mempool/related-transactions.ts";

/** Returns the unconfirmed transactions that one depends on. */
export const getmempoolancestors: BitcoinHandler<"getmempoolancestors", BitcoinNodeContext> = (input, { mempool }) =>
  relatedTransactions(mempool, input, (graph, position) => graph.ancestorsOf(position));
