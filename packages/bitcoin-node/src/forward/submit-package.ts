import type { PackageOutcome } from "@nodewright/bitcoin-api/types";
import { isSubmitpackageOutput } from "@nodewright/bitcoin-api/validators";
import { awaitTransaction } from "@nodewright/bitcoin-indexer";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { formatBitcoinAmount } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "./forward-method.ts";
import { readPackage } from "./read-package.ts";
import { assertBurntAmount, type SendingLimits } from "./send-transaction.ts";

/**
 * Submits a package of transactions to the node, once. When the node has accepted the last one, whose parents the others are, the
 * interfaces here know it as well. Throws in Bitcoin Core's dialect.
 */
export async function submitPackage(
  texts: readonly string[],
  limits: SendingLimits,
  context: BitcoinNodeContext,
): Promise<PackageOutcome> {
  const transactions = readPackage(texts);
  for (const transaction of transactions) assertBurntAmount(transaction, limits);
  const { feeRate, burntAmount } = limits;
  const params = [
    transactions.map(({ bytes }) => toHex(bytes)),
    feeRate === undefined ? undefined : formatBitcoinAmount(feeRate),
    burntAmount === 0n ? undefined : formatBitcoinAmount(burntAmount),
  ];
  const outcome = await forwardMethod<PackageOutcome>(context, "submitpackage", params, {
    isResult: isSubmitpackageOutput,
    amounts: ["base", "effective-feerate"],
    prose: ["package_msg", "error"],
  });
  const last = transactions.at(-1);
  const result = last && outcome["tx-results"][displayHash(last.wtxid)];
  // No result, no verdict: a transaction that the node has not accepted never arrives.
  if (last !== undefined && result !== undefined && result.error === undefined)
    await awaitTransaction(displayHash(last.txid), context);
  return outcome;
}
