import type { IndexHandler } from "@nodewright/index-api/server";
import { getBestChainBlock } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";
import { extendBlock } from "../blocks/extended-block.ts";

export const getExtendedBlock: IndexHandler<"getExtendedBlock", IndexRestContext> = async ({ hash }, { index }) => {
  const { record, headers } = await getBestChainBlock(index, hash);
  return { headers, body: await extendBlock(index, record) };
};
