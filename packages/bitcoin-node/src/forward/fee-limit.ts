import { readAmount } from "../raw-transaction/amount.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Default maximum in satoshi for each 1,000 virtual bytes: Bitcoin Core's, where the client names none. */
export const defaultMaximumFeeRate = 10_000_000n;

/** Value for a limit that no transaction reaches. */
export const anyFeeRate = 0n;

const satoshiPerBitcoin = 100_000_000n;

/**
 * Returns satoshi for each 1,000 virtual bytes; `anyFeeRate` for no limit. A boolean is btcd's older parameter: whether any fee may be
 * paid.
 *
 * Throws -3 and -8 in Bitcoin Core's words.
 */
export function readMaximumFeeRate(value: bigint | string | boolean | undefined): bigint {
  if (value === undefined || value === false) return defaultMaximumFeeRate;
  if (value === true) return anyFeeRate;
  const rate = readAmount(value, "maxfeerate");
  if (rate >= satoshiPerBitcoin) {
    throw rpcError("invalidParameter", "Fee rates larger than or equal to 1BTC/kvB are not accepted");
  }
  return rate;
}

/** Returns whether a fee in satoshi exceeds the rate for a size in virtual bytes, rounded up to integer satoshi. */
export function exceedsFeeRate(fee: bigint, virtualSize: number, maximumRate: bigint): boolean {
  if (maximumRate === anyFeeRate) return false;
  const limit = (maximumRate * BigInt(virtualSize) + 999n) / 1_000n;
  return fee > limit;
}
