import type { MempoolAcceptance } from "@nodewright/bitcoin-api/types";
import { formatBitcoinAmount } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";
import { readMaximumFeeRate } from "./fee-limit.ts";
import { testAcceptance } from "./test-acceptance.ts";

/** A node's verdict on a checked transaction: as in testmempoolaccept, with amounts as numbers of bitcoin. */
export type TestedTransaction = Omit<MempoolAcceptance, "fees"> & {
  readonly fees?: Omit<NonNullable<MempoolAcceptance["fees"]>, "base" | "effective-feerate"> & {
    readonly base: number;
    readonly "effective-feerate": number;
  };
};

/**
 * Function that makes a node check transactions in hex without sending them; the greatest fee rate is in bitcoin for each 1,000 virtual
 * bytes, 0 for any.
 *
 * Throws in Bitcoin Core's dialect, whichever node rejects them.
 */
export type TransactionTest = (
  transactions: readonly string[],
  maximumFeeRate: number | undefined,
) => Promise<readonly TestedTransaction[]>;

/** Creates the test of a node for interfaces other than this one: the form of the node's requests is known only here. */
export function createTransactionTest(upstream: Upstream): TransactionTest {
  return async (transactions, maximumFeeRate) => {
    const feeRate = maximumFeeRate === undefined ? undefined : readMaximumFeeRate(String(maximumFeeRate));
    const results = await testAcceptance(transactions, feeRate, { upstream });
    return results.map(({ fees, ...result }) => (fees === undefined ? result : { ...result, fees: inNumbers(fees) }));
  };
}

function inNumbers(fees: NonNullable<MempoolAcceptance["fees"]>): NonNullable<TestedTransaction["fees"]> {
  return {
    ...fees,
    base: Number(formatBitcoinAmount(fees.base)),
    "effective-feerate": Number(formatBitcoinAmount(fees["effective-feerate"])),
  };
}
