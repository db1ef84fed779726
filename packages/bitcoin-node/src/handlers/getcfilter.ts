import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { toHex } from "@nodewright/bitcoin-primitives";
import { getBlockRecord } from "../chain/best-block.ts";
import { blockFilter } from "../chain/block-filter.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { assertBasicFilter } from "../parameters/filter-type.ts";

/** Returns the basic filter of a block. */
export const getcfilter: BitcoinHandler<"getcfilter", BitcoinNodeContext> = async ({ hash, filtertype }, context) => {
  assertBasicFilter(filtertype);
  return toHex(await blockFilter(await getBlockRecord(context.index, hash), context));
};
