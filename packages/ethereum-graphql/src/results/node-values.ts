import type { Block, Header, Log, Receipt, Transaction } from "@nodewright/ethereum-node-api/types";
import { AccountValue } from "./account-value.ts";

/** Members of a header once its block is on the chain. */
interface OnChain {
  readonly number: string;
  readonly hash: string;
  readonly miner: string;
  readonly logsBloom: string;
}

/** Header of a block that is not pending. */
export type NodeHeader = Header & OnChain;

/** A block that is not pending. */
export type NodeBlock = Block & OnChain;

/** A block with complete transactions. */
export type FullBlock = NodeBlock & { readonly transactions: readonly Transaction[] };

/** Returns whether a block has complete transactions, or none. */
export function isFull(block: NodeBlock): block is FullBlock {
  return typeof block.transactions[0] !== "string";
}

/** A log of a mined transaction. */
export type NodeLog = Log & {
  /** The same as `logIndex`, under the schema's name: a field that its value already has costs a fraction of one that is looked up. */
  readonly index: string;
  /** Account of its address, in the latest state, likewise. */
  readonly account: AccountValue;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
};

/** Adds to a log of the node the members that the schema names differently. */
export function nameFields(log: Log): asserts log is NodeLog {
  const named: { index?: string | null; account?: AccountValue } = log as object;
  named.index = log.logIndex;
  named.account = AccountValue.latest(log.address);
}

export type NodeReceipt = Receipt & { readonly logs: readonly NodeLog[] };
