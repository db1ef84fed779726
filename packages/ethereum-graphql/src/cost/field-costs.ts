import type { CostFigures } from "./cost-figures.ts";
import type { Arguments, CostScope } from "./cost-scope.ts";

/** Cost of a field without its selection, and the multiplier of its selection. */
interface FieldCost {
  /** Cost once, however many objects it returns. */
  readonly own: number;
  /** Type of the returned objects; absent for a field that returns a value. */
  readonly type?: string;
  /** Number of returned objects. Absent: one. */
  readonly count?: number;
}

type Cost = (figures: CostFigures, read: Arguments, scope: CostScope) => FieldCost;

const read: Cost = (figures) => ({ own: figures.read });
const receiptValue: Cost = (figures) => ({ own: figures.receiptValue });
const encodedValue: Cost = (figures) => ({ own: figures.encodedValue });
const call: Cost = (figures) => ({ own: figures.call });
const callResult: Cost = (figures) => ({ own: figures.call, type: "CallResult" });
const readBlock: Cost = (figures) => ({ own: figures.read, type: "Block" });
const readTransaction: Cost = (figures) => ({ own: figures.read, type: "Transaction" });
const accountHere: Cost = () => ({ own: 0, type: "Account" });
/** Cost of an account in the state after another block than its own, which has to be found. */
const accountAtBlock: Cost = (figures, { value }) => ({
  own: value("block") === undefined ? 0 : figures.read,
  type: "Account",
});

const blocks: Cost = (figures, { value }, scope) => {
  const count = scope.blocksBetween(value("from"), value("to"), "blocks");
  return { own: count * figures.read, type: "Block", count };
};

const logsOfBlocks: Cost = (figures, { value }, scope) => {
  const filter = membersOf(value("filter"));
  // An omitted end is the latest block.
  const isOneBlock = filter["fromBlock"] === undefined || filter["fromBlock"] === null;
  const count = isOneBlock ? 1 : scope.blocksBetween(filter["fromBlock"], filter["toBlock"], "logBlocks");
  return {
    own: figures.read + count * figures.scannedBlock,
    type: "Log",
    count: count * logsPerBlock(filter, figures),
  };
};

const logsOfBlock: Cost = (figures, { value }) => ({
  own: figures.read,
  type: "Log",
  count: logsPerBlock(membersOf(value("filter")), figures),
});

function logsPerBlock(filter: Readonly<Record<string, unknown>>, figures: CostFigures): number {
  const isFiltered = hasElements(filter["addresses"]) || hasTopic(filter["topics"]);
  return isFiltered ? figures.matchingLogsPerBlock : figures.logsPerBlock;
}

/** Returns whether a topic is named. A position without alternatives matches any topic. */
function hasTopic(topics: unknown): boolean {
  return Array.isArray(topics) ? topics.some(hasElements) : hasElements(topics);
}

function hasElements(list: unknown): boolean {
  return Array.isArray(list) ? list.length > 0 : list !== undefined && list !== null;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

const account = { balance: read, transactionCount: read, code: read, storage: read };

/**
 * Costs by type and field of the schema. A field that is not listed returns a value that its object already has.
 *
 * Costs do not depend on an object's parents, so a selection is computed once for its type, however often it is spread.
 */
export const fieldCosts: Readonly<Record<string, Readonly<Record<string, Cost | undefined>>>> = {
  Query: {
    block: readBlock,
    blocks,
    pending: () => ({ own: 0, type: "Pending" }),
    transaction: readTransaction,
    logs: logsOfBlocks,
    gasPrice: read,
    protocolVersion: read,
    syncing: (figures) => ({ own: figures.read, type: "SyncState" }),
    __schema: (figures) => ({ own: figures.introspection }),
    __type: (figures) => ({ own: figures.introspection / 5 }),
  },
  Mutation: { sendRawTransaction: (figures) => ({ own: figures.send }) },
  Account: account,
  Block: {
    parent: readBlock,
    miner: accountAtBlock,
    logsBloom: encodedValue,
    nextBaseFeePerGas: read,
    totalDifficulty: (figures) => ({ own: figures.totalDifficulty }),
    ommers: (figures) => ({
      own: figures.ommersPerBlock * figures.read,
      type: "Block",
      count: figures.ommersPerBlock,
    }),
    ommerAt: readBlock,
    transactions: (figures) => ({ own: figures.read, type: "Transaction", count: figures.transactionsPerBlock }),
    transactionAt: readTransaction,
    logs: logsOfBlock,
    account: accountHere,
    call: callResult,
    estimateGas: call,
    rawHeader: encodedValue,
    raw: (figures) => ({ own: figures.encodedBlock }),
    withdrawals: (figures) => ({ own: 0, type: "Withdrawal", count: figures.withdrawalsPerBlock }),
  },
  Withdrawal: {},
  Pending: {
    transactionCount: read,
    transactions: (figures) => ({ own: figures.pool, type: "Transaction", count: figures.pendingTransactions }),
    account: accountHere,
    call: callResult,
    estimateGas: call,
  },
  Transaction: {
    from: accountAtBlock,
    to: accountAtBlock,
    block: readBlock,
    status: receiptValue,
    gasUsed: receiptValue,
    cumulativeGasUsed: receiptValue,
    effectiveGasPrice: receiptValue,
    effectiveTip: receiptValue,
    blobGasUsed: receiptValue,
    blobGasPrice: receiptValue,
    createdContract: accountAtBlock,
    logs: (figures) => ({ own: figures.receiptValue, type: "Log", count: figures.logsPerTransaction }),
    accessList: (figures) => ({ own: 0, type: "AccessTuple", count: figures.accessTuplesPerTransaction }),
    raw: encodedValue,
    rawReceipt: encodedValue,
  },
  AccessTuple: {},
  Log: {
    account: accountAtBlock,
    transaction: (figures) => ({ own: figures.receiptValue, type: "Transaction" }),
  },
  // The gas of a call comes from a trace of its own.
  CallResult: { gasUsed: call },
  SyncState: {},
};
