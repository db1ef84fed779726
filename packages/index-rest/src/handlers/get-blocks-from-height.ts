import type { IndexHandler } from "@nodewright/index-api/server";
import { createBlocksResponse } from "../block-page.ts";
import type { IndexRestContext } from "../context.ts";
import { lenientHeight } from "../lenient-number.ts";

export const getBlocksFromHeight: IndexHandler<"getBlocksFromHeight", IndexRestContext> = (
  { startHeight },
  { index },
) => createBlocksResponse(index, lenientHeight(startHeight));
