import { toHex } from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import { getBestChainBlock } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";

export const getBlockHeader: IndexHandler<"getBlockHeader", IndexRestContext> = async ({ hash }, { index }) => {
  const { record, headers } = await getBestChainBlock(index, hash);
  return { headers, body: toHex(record.header.bytes) };
};
