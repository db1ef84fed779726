import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { getBlockRecord } from "../chain/best-block.ts";
import { blockFilterAndHeader } from "../chain/block-filter.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { assertBasicFilter } from "../parameters/filter-type.ts";

/** Returns the basic filter of a block with its header. */
export const getblockfilter: BitcoinHandler<"getblockfilter", BitcoinNodeContext> = async (
  { blockhash, filtertype = "basic" },
  context,
) => {
  assertBasicFilter(filtertype);
  const { filter, header } = await blockFilterAndHeader(await getBlockRecord(context.index, blockhash), context);
  return { filter: toHex(filter), header: displayHash(header) };
};
