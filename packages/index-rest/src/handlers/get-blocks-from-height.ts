import type { IndexHandler } from "@nodewright/index-api/server";
import { listBlocks } from "../block-page.ts";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { lenientNumber } from "../lenient-number.ts";

export const getBlocksFromHeight: IndexHandler<"getBlocksFromHeight", IndexRestContext> = async (
  { startHeight },
  { index },
) => {
  return { headers: { cacheControl: cacheShort }, body: await listBlocks(index, lenientNumber(startHeight)) };
};
