import type { IndexHandler } from "@nodewright/index-api/server";
import { getBestChainBlock } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";
import { renderBlock } from "../render/block.ts";

export const getBlock: IndexHandler<"getBlock", IndexRestContext> = async ({ hash }, { index }) => {
  const { record, headers } = await getBestChainBlock(index, hash);
  return { headers, body: renderBlock(record) };
};
