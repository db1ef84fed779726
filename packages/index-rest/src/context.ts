import type { ChainQueries, MempoolQueries } from "@nodewright/bitcoin-indexer";
import type { Upstream } from "@nodewright/upstream";

/** What a request of the index REST interface is answered from: one node's index, and the node itself where there is one. */
export interface IndexRestContext {
  readonly index: ChainQueries;
  /** Without it nothing is unconfirmed. */
  readonly mempool?: MempoolQueries | undefined;
  /** The node behind the index, in Bitcoin's JSON-RPC. Without it nothing can be broadcast. */
  readonly upstream?: Upstream | undefined;
  /** True when the operator lets this node's block templates be read. False when not given. */
  readonly offersBlockTemplates?: boolean | undefined;
}
