import type { AcceptedFees, MempoolAcceptance } from "@nodewright/bitcoin-api/types";
import { displayHash, toHex, type Transaction } from "@nodewright/bitcoin-primitives";
import { formatBitcoinAmount, type ServiceError } from "@nodewright/runtime";
import { publicNodeText, type UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { missingInputs, rejectionOfTransaction, renderRejection } from "./btcd-rejection.ts";
import { callNode, getSoftware } from "./call-node.ts";
import { anyFeeRate, defaultMaximumFeeRate } from "./fee-limit.ts";
import {
  findAmount,
  findBoolean,
  findInteger,
  findProse,
  findText,
  getList,
  getRecord,
  isRecord,
  listTexts,
  type NodeRecord,
  present,
  unreadableResult,
} from "./node-response.ts";
import { readPackage } from "./read-package.ts";
import { nodeError } from "./refusal.ts";

const method = "testmempoolaccept";

const greatestInt32 = 2_147_483_647;

/** Fee rate for "any", in bitcoin: btcd takes 0 for its default, so there is no other value. */
const anyRateOfBtcd = 21_000_000;

/**
 * Makes the node check transactions without sending them.
 *
 * `feeRate` is in satoshi for each 1,000 virtual bytes, 0 for any; `undefined` leaves it to the node. Throws in Bitcoin Core's dialect.
 */
export async function testAcceptance(
  texts: readonly string[],
  feeRate: bigint | undefined,
  context: Pick<BitcoinNodeContext, "upstream">,
): Promise<readonly MempoolAcceptance[]> {
  const transactions = readPackage(texts);
  const { kind } = await getSoftware(context, method);
  if (kind === "btcd") assertIndependent(transactions);
  const params = [transactions.map(({ bytes }) => toHex(bytes)), ...feeRateParams(kind, feeRate)];
  const results = getList(await callNode(context, { method, params, refuse: refusePackage }), method);
  if (results.length !== transactions.length) throw unreadableResult(method);
  return transactions.map((transaction, position) =>
    renderAcceptance(getRecord(results[position], method), transaction),
  );
}

/** Checks that transactions do not depend on each other: btcd checks each by itself, and would miss the outputs of the others. */
function assertIndependent(transactions: readonly Transaction[]): void {
  const ids = new Set(transactions.map(({ txid }) => displayHash(txid)));
  for (const { inputs } of transactions) {
    if (inputs.some(({ previousOutput }) => ids.has(displayHash(previousOutput.txid)))) {
      throw rpcError("miscellaneous", "The upstream node does not check transactions that spend each other's outputs");
    }
  }
}

function feeRateParams(kind: "btcd" | "core", feeRate: bigint | undefined): readonly unknown[] {
  if (kind === "core") return feeRate === undefined ? [] : [formatBitcoinAmount(feeRate)];
  if (feeRate === anyFeeRate) return [anyRateOfBtcd];
  return [Number(formatBitcoinAmount(feeRate ?? defaultMaximumFeeRate))];
}

/** Converts the error with which btcd stops at an uncheckable transaction. */
function refusePackage({ code, message }: UpstreamRpcError): ServiceError | undefined {
  const rejection = code === transactionError ? rejectionOfTransaction(message) : undefined;
  return rejection && nodeError(transactionError, renderRejection(rejection));
}

const transactionError = -25;

function renderAcceptance(result: NodeRecord, transaction: Transaction): MempoolAcceptance {
  const txid = displayHash(transaction.txid);
  if (result["txid"] !== txid) throw unreadableResult(method);
  const wtxid = displayHash(transaction.wtxid);
  const fees = result["fees"];
  const packageError = findProse(result["package-error"]);
  const reason = findText(result["reject-reason"]);
  // btcd omits members that are false.
  const allowed = findBoolean(result["allowed"]) ?? (reason === undefined || reason === "" ? undefined : false);
  return {
    txid,
    wtxid,
    ...present({ "package-error": packageError }),
    ...present({ allowed }),
    ...(allowed === true ? { ...present({ vsize: findInteger(result["vsize"], 0, greatestInt32) }) } : {}),
    ...(allowed === true && isRecord(fees) ? { fees: renderFees(fees, wtxid) } : {}),
    ...(reason === undefined || reason === "" ? {} : renderReason(reason, findProse(result["reject-details"]))),
  };
}

function renderFees(fees: NodeRecord, wtxid: string): AcceptedFees {
  const base = findAmount(fees["base"]);
  if (base === undefined) throw unreadableResult(method);
  const includes = listTexts(fees["effective-includes"]);
  return {
    base,
    "effective-feerate": findAmount(fees["effective-feerate"]) ?? 0n,
    "effective-includes": includes.length > 0 ? includes : [wtxid],
  };
}

/** Renders btcd's reasons in Bitcoin Core's words; those of Bitcoin Core, and the two that btcd has adopted, unchanged. */
function renderReason(
  reason: string,
  details: string | undefined,
): Pick<MempoolAcceptance, "reject-reason" | "reject-details"> {
  const rejection = rejectionOfTransaction(reason);
  if (rejection === undefined) {
    return { "reject-reason": publicNodeText(reason), ...present({ "reject-details": details }) };
  }
  if (rejection.reason === missingInputs) return { "reject-reason": "missing-inputs" };
  return { "reject-reason": rejection.reason, "reject-details": renderRejection(rejection) };
}
