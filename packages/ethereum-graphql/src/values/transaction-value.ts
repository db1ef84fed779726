import type { AccessTuple, Transaction } from "@nodewright/ethereum-node-api/types";
import type { EthereumContext } from "../request/context.ts";
import { type PromiseOrValue, whenBoth } from "../basics/promise-or-value.ts";
import { isFull, type NodeBlock, type NodeLog, type NodeReceipt } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { planOnce, type Selection, type SelectionInfo } from "../basics/selection.ts";
import { assertReceiptsOf } from "../results/check-block.ts";
import { AccountValue } from "../results/account-value.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Place of a mined transaction. */
export interface TransactionPlace {
  readonly blockHash: string;
  readonly blockNumber: string;
  /** Position in the block, from 0, in hexadecimal. */
  readonly index: string;
}

export interface TransactionContent {
  /** Place; undefined while it is pending. */
  readonly place: TransactionPlace | undefined;
  /** Body; undefined when no selected field needs it. */
  readonly body?: Transaction | undefined;
  /** Receipt; undefined when it is pending, or no selected field needs it. */
  readonly receipt?: NodeReceipt | undefined;
  /** Base fee of its block; undefined before London, or when it was not selected. */
  readonly baseFee?: string | undefined;
}

/** Parts of a transaction that must be loaded. */
export interface TransactionNeeds {
  readonly body: boolean;
  readonly receipt: boolean;
  readonly baseFee: boolean;
  /** Number of places in the response that contain its logs. */
  readonly logLists: number;
}

const receiptFields = new Set([
  "status",
  "gasUsed",
  "cumulativeGasUsed",
  "effectiveGasPrice",
  "blobGasUsed",
  "blobGasPrice",
  "createdContract",
  "logs",
  "rawReceipt",
]);

/** Fields that are resolved from the place and the receipt; of `block` the place alone may be enough, and its resolver loads the rest. */
const bodilessFields = new Set([...receiptFields, "hash", "index", "block"]);

/** Returns the needs of the fields selected below a transaction. */
export const transactionNeeds: (info: SelectionInfo) => TransactionNeeds = planOnce(needsOf);

/** Returns the same as `transactionNeeds`, for the selection below a transaction. */
export function needsOf(selection: Selection): TransactionNeeds {
  return {
    body: needsBody(selection),
    receipt: selection.hasAny(receiptFields),
    baseFee: selection.has("effectiveTip"),
    logLists: selection.countAliases("logs"),
  };
}

export function needsBody(selection: Selection): boolean {
  return selection.hasOther(bodilessFields);
}

export function needsReceipt(selection: Selection): boolean {
  return selection.hasAny(receiptFields);
}

/**
 * A transaction as its fields are read: those that need nothing else are properties, named as in the schema.
 *
 * Body and receipt must have been loaded when fields that need them are selected; see `transactionNeeds`.
 */
export class TransactionValue {
  readonly hash: string;
  readonly place: TransactionPlace | undefined;
  /** Loaded content, which `body` and `receipt` rely on. */
  readonly content: TransactionContent;
  #from: AccountValue | undefined;
  #to: AccountValue | null | undefined;

  constructor(hash: string, content: TransactionContent) {
    this.hash = hash;
    this.place = content.place;
    this.content = content;
  }

  get body(): Transaction {
    const { body } = this.content;
    if (body === undefined) throw new Error(`Transaction ${this.hash} was not loaded, although it was requested`);
    return body;
  }

  /** Receipt; undefined while the transaction is pending. */
  get receipt(): NodeReceipt | undefined {
    const { receipt } = this.content;
    if (receipt === undefined && this.place !== undefined) {
      throw new Error(`The receipt of ${this.hash} was not loaded, although it was requested`);
    }
    return receipt;
  }

  /** Logs; null while it is pending. */
  get logs(): readonly NodeLog[] | null {
    return this.receipt?.logs ?? null;
  }

  /** Sender in the latest state, as all accounts here. */
  get from(): AccountValue {
    this.#from ??= AccountValue.latest(this.body.from);
    return this.#from;
  }

  /** Recipient; null when it creates a contract. */
  get to(): AccountValue | null {
    const { to } = this.body;
    this.#to ??= to === null ? null : AccountValue.latest(to);
    return this.#to;
  }

  get createdContract(): AccountValue | null {
    const address = this.receipt?.contractAddress ?? null;
    return address === null ? null : AccountValue.latest(address);
  }

  get index(): string | null {
    return this.place?.index ?? null;
  }

  get nonce(): string {
    return this.body.nonce;
  }

  get value(): string {
    return this.body.value;
  }

  get gasPrice(): string {
    return this.body.gasPrice ?? this.body.maxFeePerGas ?? "0x0";
  }

  get maxFeePerGas(): string | null {
    return this.body.maxFeePerGas ?? null;
  }

  get maxPriorityFeePerGas(): string | null {
    return this.body.maxPriorityFeePerGas ?? null;
  }

  get maxFeePerBlobGas(): string | null {
    return this.body.maxFeePerBlobGas ?? null;
  }

  get effectiveTip(): string | null {
    if (this.place === undefined) return null;
    if (this.content.baseFee === undefined) return this.gasPrice;
    const baseFee = BigInt(this.content.baseFee);
    const { maxFeePerGas, maxPriorityFeePerGas } = this.body;
    if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) {
      return quantity(BigInt(this.gasPrice) - baseFee);
    }
    const most = BigInt(maxFeePerGas) - baseFee;
    const tip = BigInt(maxPriorityFeePerGas);
    return quantity(tip < most ? tip : most);
  }

  get gas(): string {
    return this.body.gas;
  }

  get inputData(): string {
    return this.body.input;
  }

  get status(): string | null {
    return this.receipt?.status ?? null;
  }

  get gasUsed(): string | null {
    return this.receipt?.gasUsed ?? null;
  }

  get cumulativeGasUsed(): string | null {
    return this.receipt?.cumulativeGasUsed ?? null;
  }

  get effectiveGasPrice(): string | null {
    return this.receipt?.effectiveGasPrice ?? null;
  }

  get blobGasUsed(): string | null {
    return this.#ofBlobs(this.receipt?.blobGasUsed);
  }

  get blobGasPrice(): string | null {
    return this.#ofBlobs(this.receipt?.blobGasPrice);
  }

  get r(): string {
    return this.body.r;
  }

  get s(): string {
    return this.body.s;
  }

  get v(): string {
    return this.body.v ?? this.body.yParity ?? "0x0";
  }

  get yParity(): string | null {
    return this.type === "0x0" ? null : (this.body.yParity ?? this.v);
  }

  get type(): string {
    return this.body.type ?? "0x0";
  }

  get accessList(): readonly AccessTuple[] {
    return this.body.accessList ?? [];
  }

  get blobVersionedHashes(): readonly string[] | null {
    return this.body.blobVersionedHashes ?? null;
  }

  /** Returns a value for blob transactions only: some clients return a price of blob gas for transactions without blobs. */
  #ofBlobs(value: string | undefined): string | null {
    return (this.receipt?.type === "0x3" ? value : undefined) ?? null;
  }
}

/**
 * Loads all transactions of a block, with their needs: at most one call for the bodies and one for the receipts. Null when the response is
 * too large already.
 */
export function transactionsOfBlock(
  known: NodeBlock,
  needs: TransactionNeeds,
  context: EthereumContext,
): PromiseOrValue<readonly TransactionValue[] | null> {
  if (context.countOrLeaveOut(known.transactions) === null) return null;
  const block = needs.body && !isFull(known) ? context.getFullBlock(known.hash) : known;
  const receipts = needs.receipt ? context.receipts(known.hash) : undefined;
  return whenBoth(block, receipts, (loadedBlock, loadedReceipts) => {
    countLogs(loadedReceipts ?? [], needs, context);
    return valuesOf(loadedBlock, loadedReceipts, context);
  });
}

/** Loads one transaction of a block, together with its neighbors. */
export function transactionInBlock(
  hash: string,
  place: TransactionPlace,
  needs: TransactionNeeds,
  context: EthereumContext,
): PromiseOrValue<TransactionValue> {
  const block = needs.body ? context.getFullBlock(place.blockHash) : undefined;
  const receipts = needs.receipt ? context.receipts(place.blockHash) : undefined;
  return whenBoth(block, receipts, (loadedBlock, loadedReceipts) => {
    const position = Number(place.index);
    const body = loadedBlock?.transactions[position];
    const receipt = loadedReceipts?.[position];
    if ((needs.body && body?.hash !== hash) || (needs.receipt && receipt?.transactionHash !== hash)) {
      context.doubt(place.blockHash);
      context.doubtLogs();
      throw unexpectedResult("a block without a transaction that it put there");
    }
    if (receipt !== undefined) countLogs([receipt], needs, context);
    if (loadedBlock !== undefined) return valueAt(loadedBlock, loadedReceipts, position, hash, context);
    return new TransactionValue(hash, { place, receipt });
  });
}

/** Counts the logs of all transactions at once: as many times as they occur in the response. */
export function countLogs(
  receipts: readonly NodeReceipt[],
  { logLists }: TransactionNeeds,
  context: EthereumContext,
): void {
  if (logLists === 0) return;
  let logs = 0;
  for (const receipt of receipts) logs += receipt.logs.length;
  context.countObjects(logs * logLists);
}

/** Values of a loaded block, for as long as the block is retained. */
interface BlockValues {
  readonly receipts: readonly NodeReceipt[] | undefined;
  readonly values: readonly TransactionValue[];
}

const valuesByBlock = new WeakMap<NodeBlock, BlockValues>();

/** Returns the values. Throws `upstream_unavailable` when the receipts are not those of the block's transactions. */
function valuesOf(
  block: NodeBlock,
  receipts: readonly NodeReceipt[] | undefined,
  context: EthereumContext,
): readonly TransactionValue[] {
  const known = valuesByBlock.get(block);
  if (known !== undefined && (receipts === undefined || known.receipts === receipts)) return known.values;
  if (receipts !== undefined) {
    try {
      assertReceiptsOf(block, receipts);
    } catch (reason) {
      context.doubt(block.hash);
      throw reason;
    }
  }
  const values = block.transactions.map((transaction, position) => {
    const body = typeof transaction === "string" ? undefined : transaction;
    return new TransactionValue(body?.hash ?? String(transaction), {
      place: { blockHash: block.hash, blockNumber: block.number, index: quantity(position) },
      body,
      receipt: receipts?.[position],
      baseFee: block.baseFeePerGas,
    });
  });
  valuesByBlock.set(block, { receipts, values });
  return values;
}

function valueAt(
  block: NodeBlock,
  receipts: readonly NodeReceipt[] | undefined,
  position: number,
  hash: string,
  context: EthereumContext,
): TransactionValue {
  const value = valuesOf(block, receipts, context)[position];
  if (value === undefined) throw new Error(`Expected transaction ${hash} in its block`);
  return value;
}
