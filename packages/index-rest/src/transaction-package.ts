import { ServiceError } from "@nodewright/runtime";

/** Bitcoin Core's, in bitcoin per 1000 virtual bytes. */
export const defaultMaximumFeeRate = 0.1;

const mostTransactions = 25;
/** Hex digits of a transaction: Esplora's bounds. */
const shortestText = 120;
const longestText = 799_999;

const hexPattern = /^[0-9a-fA-F]*$/;

/** Refuses a package that no node would look at. Throws `invalid_input` with Esplora's texts. */
export function assertPackage(transactions: readonly string[]): void {
  if (transactions.length > mostTransactions) {
    throw new ServiceError("invalid_input", `Exceeded maximum of ${mostTransactions} transactions`);
  }
  for (const [position, text] of transactions.entries()) {
    if (text.length < shortestText || text.length > longestText) {
      throw new ServiceError("invalid_input", `Invalid transaction size for item ${position}`);
    }
    if (!hexPattern.test(text) || text.length % 2 !== 0) {
      throw new ServiceError("invalid_input", `Invalid transaction hex for item ${position}`);
    }
  }
}
