import type { Block, Header, Log, Receipt, Transaction } from "@nodewright/ethereum-node-api/types";
import { AccountValue } from "./values/account-value.ts";

/** What a header has once its block is on the chain. */
interface OnChain {
  readonly number: string;
  readonly hash: string;
  readonly miner: string;
  readonly logsBloom: string;
}

/** The header of a block that is not pending. */
export type NodeHeader = Header & OnChain;

/** A block that is not pending. */
export type NodeBlock = Block & OnChain;

/** A block with whole transactions. */
export type FullBlock = NodeBlock & { readonly transactions: readonly Transaction[] };

/** True for a block with whole transactions, and for one without any. */
export function isFull(block: NodeBlock): block is FullBlock {
  return typeof block.transactions[0] !== "string";
}

/** A log of a mined transaction. */
export type NodeLog = Log & {
  /** As `logIndex`, under the schema's name: a field that its value holds costs a fraction of one that is looked up. */
  readonly index: string;
  /** Its address, in the latest state, likewise. */
  readonly account: AccountValue;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
};

/** Gives a log that the node answered the members that the node does not name as the schema does. */
export function nameFields(log: Log): asserts log is NodeLog {
  const named: { index?: string | null; account?: AccountValue } = log as object;
  named.index = log.logIndex;
  named.account = AccountValue.latest(log.address);
}

export type NodeReceipt = Receipt & { readonly logs: readonly NodeLog[] };
