/** State of an index's mempool relative to its node's. */
export interface MempoolProgress {
  readonly state: /** It follows the node's mempool. */
    | "following"
    /** It keeps its content until the index has the node's best block. */
    | "waiting"
    /** It keeps its content and retries by itself; `reason` describes why. */
    | "stalled";
  /** Number of unconfirmed transactions that readers see. */
  readonly transactions: number;
  /** Their virtual bytes. */
  readonly virtualSize: number;
  /** Number of transactions that the node lists and readers don't see: their inputs do not exist, or they do not match their txid. */
  readonly leftOut: number;
  /** Milliseconds of the last successful refresh, from the node's list to the last change; -1 before the first. */
  readonly refreshMilliseconds: number;
  /** One sentence for a person; always present when stalled. */
  readonly reason?: string;
}
