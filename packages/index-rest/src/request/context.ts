import type { ChainQueries, MempoolQueries } from "@nodewright/bitcoin-indexer";
import type { TestResults } from "@nodewright/index-api/types";
import type { Upstream } from "@nodewright/upstream";

/** Context of a request of the index REST interface: one node's index, and the node itself where there is one. */
export interface IndexRestContext {
  readonly index: ChainQueries;
  /** Mempool. Without it nothing is unconfirmed. */
  readonly mempool?: MempoolQueries | undefined;
  /** Upstream node of the index, in Bitcoin's JSON-RPC. Without it nothing can be broadcast. */
  readonly upstream?: Upstream | undefined;
  /**
   * Makes the node check transactions in hex without sending them; the greatest fee rate is in bitcoin for each 1,000 virtual bytes. Throws
   * `invalid_input` with the node's `rpcCode` where that refuses. Without it nothing can be tested.
   */
  readonly testTransactions?:
    | ((transactions: readonly string[], maximumFeeRate: number | undefined) => Promise<TestResults>)
    | undefined;
  /** Whether the operator allows access to this node's block templates; false by default. */
  readonly offersBlockTemplates?: boolean | undefined;
}
