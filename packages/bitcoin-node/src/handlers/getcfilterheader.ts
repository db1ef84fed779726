import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { displayHash } from "@nodewright/bitcoin-primitives";
import { getBlockRecord } from "../chain/best-block.ts";
import { blockFilterAndHeader } from "../chain/block-filter.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { assertBasicFilter } from "../parameters/filter-type.ts";

/** Returns the header of a block's basic filter. */
export const getcfilterheader: BitcoinHandler<"getcfilterheader", BitcoinNodeContext> = async (
  { hash, filtertype },
  context,
) => {
  assertBasicFilter(filtertype);
  const { header } = await blockFilterAndHeader(await getBlockRecord(context.index, hash), context);
  return displayHash(header);
};
