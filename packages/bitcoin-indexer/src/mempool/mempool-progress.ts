/** How the mempool of an index stands towards its node's. */
export interface MempoolProgress {
  readonly state: /** Does as the node's mempool does. */
    | "following"
    /** Keeps what it has until the index has the node's best block. */
    | "waiting"
    /** Keeps what it has and tries again by itself; `reason` says why. */
    | "stalled";
  /** Unconfirmed transactions that readers see. */
  readonly transactions: number;
  /** Their virtual bytes. */
  readonly virtualSize: number;
  /** Transactions that the node lists and readers don't see: what they spend does not exist, or they are not what their txid says. */
  readonly leftOut: number;
  /** Of the last refresh that went through, from the node's list to the last change; -1 before the first. */
  readonly refreshMilliseconds: number;
  /** One sentence for a person; always there when stalled. */
  readonly reason?: string;
}
