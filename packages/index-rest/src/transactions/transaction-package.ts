import type { PackageResult, PackageTransaction } from "@nodewright/index-api/types";
import { ServiceError } from "@nodewright/runtime";
import { publicNodeText } from "@nodewright/upstream";

/** Bitcoin Core's default, in bitcoin per 1000 virtual bytes. */
export const defaultMaximumFeeRate = 0.1;

const maximumTransactions = 25;
/** Limits of the hex digits of a transaction, Esplora's. */
const minimumTextLength = 120;
const maximumTextLength = 799_999;

const hexPattern = /^[0-9a-fA-F]*$/;

/** Rejects a package that no node would accept for checks. Throws `invalid_input` with Esplora's texts. */
export function assertPackage(transactions: readonly string[]): void {
  if (transactions.length > maximumTransactions) {
    throw new ServiceError("invalid_input", `Exceeded maximum of ${maximumTransactions} transactions`);
  }
  for (const [position, text] of transactions.entries()) {
    if (text.length < minimumTextLength || text.length > maximumTextLength) {
      throw new ServiceError("invalid_input", `Invalid transaction size for item ${position}`);
    }
    if (!hexPattern.test(text) || text.length % 2 !== 0) {
      throw new ServiceError("invalid_input", `Invalid transaction hex for item ${position}`);
    }
  }
}

/** Returns the node's result for a package, without private facts of the node in its texts, and without unknown members. */
export function publicPackageResult(result: PackageResult): PackageResult {
  const { package_msg, "tx-results": transactions, "replaced-transactions": replaced } = result;
  const known = Object.entries(transactions).filter(([wtxid]) => wtxidPattern.test(wtxid));
  return {
    package_msg: publicNodeText(package_msg),
    "tx-results": Object.fromEntries(known.map(([wtxid, transaction]) => [wtxid, publicTransaction(transaction)])),
    ...(replaced === undefined ? {} : { "replaced-transactions": replaced }),
  };
}

const wtxidPattern = /^[0-9a-f]{64}$/;

function publicTransaction(transaction: PackageTransaction): PackageTransaction {
  const { txid, "other-wtxid": other, vsize, fees, error } = transaction;
  return {
    txid,
    ...(other === undefined ? {} : { "other-wtxid": other }),
    ...(vsize === undefined ? {} : { vsize }),
    ...(fees === undefined ? {} : { fees }),
    ...(error === undefined ? {} : { error: publicNodeText(error) }),
  };
}
