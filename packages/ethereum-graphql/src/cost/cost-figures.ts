/**
 * Figures from which the cost of an operation is computed. The unit is a small read of the node, such as a balance: about half a
 * millisecond of the node and of this service together.
 */
export interface CostFigures {
  /** Cost of a value that its object already has. */
  readonly value: number;
  /** Cost of a block, transaction or log, in addition to its fields. */
  readonly object: number;
  /** Cost of an account, a withdrawal and so on, in addition to its fields. */
  readonly smallObject: number;
  /** Cost of a read of the node. */
  readonly read: number;
  /** Cost of a value from a receipt: the node reads all receipts of a block, and this is the share of one. */
  readonly receiptValue: number;
  /** Cost of a value that is encoded, or is long. */
  readonly encodedValue: number;
  /** Cost of a complete block in RLP: some megabytes. */
  readonly encodedBlock: number;
  /** Cost of a message call, an estimate of gas, or the trace that reports a call's gas. */
  readonly call: number;
  /** Cost of a submitted transaction. */
  readonly send: number;
  /** Cost of the reads from a block down to one whose total difficulty is known. */
  readonly totalDifficulty: number;
  /** Cost of a block that is searched for logs: the node finds most of them by the bloom filters. */
  readonly scannedBlock: number;
  /** Cost of a read of all pending transactions. */
  readonly pool: number;
  /** Cost of `__schema`; `__type` costs a fifth of it. */
  readonly introspection: number;
  readonly transactionsPerBlock: number;
  readonly pendingTransactions: number;
  readonly logsPerTransaction: number;
  /** Assumed logs per block, where neither contracts nor topics are named. */
  readonly logsPerBlock: number;
  /** Assumed logs per block, where contracts or topics are named. */
  readonly matchingLogsPerBlock: number;
  readonly ommersPerBlock: number;
  readonly withdrawalsPerBlock: number;
  readonly accessTuplesPerTransaction: number;
}

export const defaultCostFigures: CostFigures = {
  value: 0.02,
  object: 0.3,
  smallObject: 0.05,
  read: 1,
  receiptValue: 0.05,
  encodedValue: 0.5,
  encodedBlock: 100,
  call: 20,
  send: 10,
  totalDifficulty: 10,
  scannedBlock: 0.05,
  pool: 20,
  introspection: 50,
  transactionsPerBlock: 200,
  pendingTransactions: 1_000,
  logsPerTransaction: 2,
  logsPerBlock: 400,
  matchingLogsPerBlock: 1,
  ommersPerBlock: 1,
  withdrawalsPerBlock: 16,
  accessTuplesPerTransaction: 1,
};
