import type { IndexHandler } from "@nodewright/index-api/server";
import { createBlocksResponse } from "../blocks/block-page.ts";
import type { IndexRestContext } from "../request/context.ts";
import { lenientHeight } from "../request/lenient-number.ts";

export const getBlocksFromHeight: IndexHandler<"getBlocksFromHeight", IndexRestContext> = (
  { startHeight },
  { index },
) => createBlocksResponse(index, lenientHeight(startHeight));
