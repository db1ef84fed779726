import type { IndexHandler } from "@nodewright/index-api/server";
import { findBlockPage } from "../blocks/block-page.ts";
import type { IndexRestContext } from "../request/context.ts";
import { extendBlock, extendedPageSize } from "../blocks/extended-block.ts";

export const getExtendedBlocks: IndexHandler<"getExtendedBlocks", IndexRestContext> = async (_input, { index }) => {
  const { headers, records } = await findBlockPage(index, extendedPageSize);
  return { headers, body: await Promise.all(records.map((record) => extendBlock(index, record))) };
};
