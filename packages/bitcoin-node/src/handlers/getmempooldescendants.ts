import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { relatedTransactions } from "../mempool/related-transactions.ts";

/** Returns the unconfirmed transactions that depend on one. */
export const getmempooldescendants: BitcoinHandler<"getmempooldescendants", BitcoinNodeContext> = (
  input,
  { mempool },
) => relatedTransactions(mempool, input, (graph, position) => graph.descendantsOf(position));
