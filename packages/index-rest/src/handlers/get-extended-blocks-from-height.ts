import type { IndexHandler } from "@nodewright/index-api/server";
import { findBlockPage } from "../blocks/block-page.ts";
import type { IndexRestContext } from "../request/context.ts";
import { extendBlock, extendedPageSize } from "../blocks/extended-block.ts";
import { lenientHeight } from "../request/lenient-number.ts";

export const getExtendedBlocksFromHeight: IndexHandler<"getExtendedBlocksFromHeight", IndexRestContext> = async (
  { startHeight },
  { index },
) => {
  const { headers, records } = await findBlockPage(index, extendedPageSize, lenientHeight(startHeight));
  return { headers, body: await Promise.all(records.map((record) => extendBlock(index, record))) };
};
