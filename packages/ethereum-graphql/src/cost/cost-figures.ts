/**
 * What the cost of an operation is reckoned with. The unit is a small read of the node, such as a balance: about half a millisecond of
 * the node and of this service together.
 */
export interface CostFigures {
  /** A value that its object holds already. */
  readonly value: number;
  /** A block, transaction or log, beside its fields. */
  readonly object: number;
  /** An account, a withdrawal and so on, beside its fields. */
  readonly smallObject: number;
  /** A read of the node. */
  readonly read: number;
  /** A value from a receipt: the node reads all receipts of a block, and this is the share of one. */
  readonly receiptValue: number;
  /** A value that is encoded, or is long. */
  readonly encodedValue: number;
  /** A whole block in RLP: some megabytes. */
  readonly encodedBlock: number;
  /** A message call, an estimate of gas, or the trace that tells what a call used. */
  readonly call: number;
  /** A transaction that is handed on. */
  readonly send: number;
  /** The way back to a block whose total difficulty is known. */
  readonly totalDifficulty: number;
  /** A block that logs are looked for in: the node finds most of them by the bloom filters. */
  readonly scannedBlock: number;
  /** The pool of transactions that wait. */
  readonly pool: number;
  /** `__schema`, and a fifth of it `__type`. */
  readonly introspection: number;
  readonly transactionsPerBlock: number;
  readonly pendingTransactions: number;
  readonly logsPerTransaction: number;
  /** Of a block, where neither contracts nor topics are named. */
  readonly logsPerBlock: number;
  /** Of a block, where contracts or topics are named. */
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
