import { awaitTransaction } from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  isUnspendable,
  scriptOperations,
  toHex,
  type Transaction,
  type TransactionId,
  readTransactionText,
} from "@nodewright/bitcoin-primitives";
import { formatBitcoinAmount, ServiceError } from "@nodewright/runtime";
import { describeUncertainty, UpstreamRpcError, warmingUp } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { alreadyInMempool, missingInputs, rejectionOfTransaction, renderRejection } from "./btcd-rejection.ts";
import { requestNode, getSoftware } from "./call-node.ts";
import { anyFeeRate, defaultMaximumFeeRate, exceedsFeeRate } from "./fee-limit.ts";
import { unreadableResult } from "./node-response.ts";
import type { NodeSoftware } from "./node-software.ts";
import { nodeError, refusalOfNode } from "./refusal.ts";
import { findFee } from "./transaction-fee.ts";

const method = "sendrawtransaction";

/** Error codes of Bitcoin Core (`rpc/protocol.h`). */
const transactionError = -25;
const transactionRejected = -26;
const alreadyInChain = -27;

const alreadyInChainMessage = "Transaction outputs already in utxo set";

/** First release of Bitcoin Core with the parameter maxburnamount. */
const firstBurnAmountVersion = 250_000;

/** Limits of the cost of a transaction for its sender. */
export interface SendingLimits {
  /** Satoshi for each 1,000 virtual bytes, 0 for any; `undefined` when the client has named none. */
  readonly feeRate: bigint | undefined;
  /** Satoshi in an unspendable output. */
  readonly burntAmount: bigint;
}

/**
 * Sends a transaction to the node, once, and returns its id, which the interfaces here then know as well.
 *
 * The limits apply on every node: checks that a node does not make itself are made here. Throws in Bitcoin Core's dialect, whichever node
 * rejects it.
 */
export async function sendTransaction(
  text: string,
  limits: SendingLimits,
  context: BitcoinNodeContext,
): Promise<TransactionId> {
  const transaction = readTransactionText(text);
  if (transaction === undefined) {
    throw rpcError("cannotDecode", "TX decode failed. Make sure the tx has at least one input.");
  }
  assertBurntAmount(transaction, limits);
  const software = await getSoftware(context, method);
  if (software.kind === "btcd") await assertFee(transaction, limits.feeRate ?? defaultMaximumFeeRate, context);
  const txid = displayHash(transaction.txid);
  await hand(txid, paramsFor(software, transaction, limits), context);
  await awaitTransaction(txid, context);
  return txid;
}

/** Throws -25 when the transaction pays more than is allowed to an unspendable output. */
export function assertBurntAmount({ outputs }: Transaction, { burntAmount }: Pick<SendingLimits, "burntAmount">): void {
  if (outputs.some(({ value, scriptPubKey }) => value > burntAmount && isBurnt(scriptPubKey))) {
    throw nodeError(transactionError, "Unspendable output exceeds maximum configured by user (maxburnamount)");
  }
}

/** Submits the transaction without a retry: what became of it is unknown when the node gives no response. */
async function hand(txid: TransactionId, params: readonly unknown[], context: BitcoinNodeContext): Promise<void> {
  const response = await requestNode(context, { method, params });
  if (response.ok && response.result !== txid) throw uncertain(unreadableResult(method));
  if (!response.ok && !isWaiting(response.error)) throw refusal(response.error);
}

/**
 * Creates the error for a node that has returned something other than the id, or failed internally: it may have accepted the transaction
 * nevertheless.
 */
function uncertain({ code, message }: ServiceError): ServiceError {
  return new ServiceError(code, `${message}; ${describeUncertainty(method)}`, {
    details: { reason: "may-have-arrived" },
  });
}

/** Returns whether the transaction waits already: its sender receives its id, as from Bitcoin Core. */
function isWaiting({ message }: UpstreamRpcError): boolean {
  return rejectionOfTransaction(message)?.reason === alreadyInMempool;
}

function refusal(error: UpstreamRpcError): ServiceError {
  if (error.code === alreadyInChain) return nodeError(alreadyInChain, alreadyInChainMessage);
  const rejection = error.message.startsWith(btcdPrefix) ? rejectionOfTransaction(error.message) : undefined;
  if (rejection === undefined) {
    const failure = refusalOfNode(method, withoutPrefix(error));
    return failure.code === "upstream_unavailable" && error.code !== warmingUp ? uncertain(failure) : failure;
  }
  const code = rejection.reason === missingInputs ? transactionError : transactionRejected;
  return nodeError(code, renderRejection(rejection));
}

/** Prefix of btcd's messages about a transaction. */
const btcdPrefix = "TX rejected: ";

function withoutPrefix(error: UpstreamRpcError): UpstreamRpcError {
  if (!error.message.startsWith(btcdPrefix)) return error;
  return new UpstreamRpcError(transactionRejected, error.message.slice(btcdPrefix.length));
}

function paramsFor({ kind, version }: NodeSoftware, { bytes }: Transaction, limits: SendingLimits): readonly unknown[] {
  const hex = toHex(bytes);
  const { feeRate, burntAmount } = limits;
  if (kind === "btcd" || (feeRate === undefined && burntAmount === 0n)) return [hex];
  const rate = formatBitcoinAmount(feeRate ?? defaultMaximumFeeRate);
  return burntAmount > 0n && version >= firstBurnAmountVersion
    ? [hex, rate, formatBitcoinAmount(burntAmount)]
    : [hex, rate];
}

/** Checks the fee, which btcd does not. Transactions of the best chain or the mempool cost nothing more. */
async function assertFee(transaction: Transaction, maximumRate: bigint, context: BitcoinNodeContext): Promise<void> {
  if (maximumRate === anyFeeRate) return;
  const fee = await findFee(transaction, context);
  if (fee === undefined || !exceedsFeeRate(fee, transaction.virtualSize, maximumRate)) return;
  const txid = displayHash(transaction.txid);
  if ((await context.index.transactionPlace(txid)) !== undefined || (await context.mempool?.has(txid)) === true) return;
  throw nodeError(transactionError, "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)");
}

/**
 * Returns whether an output is unspendable as in Bitcoin Core: it begins with OP_RETURN or its script contains an invalid opcode or push.
 */
function isBurnt(scriptPubKey: Uint8Array): boolean {
  if (isUnspendable(scriptPubKey)) return true;
  for (const { opcode, data, cutOff } of scriptOperations(scriptPubKey)) {
    if (opcode > lastOpcode || cutOff !== undefined || (data?.length ?? 0) > maximumElementSize) return true;
  }
  return false;
}

/** OP_NOP10. */
const lastOpcode = 0xb9;
/** Maximum bytes that one push may put on the stack. */
const maximumElementSize = 520;
