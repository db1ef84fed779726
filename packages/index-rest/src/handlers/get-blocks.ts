import type { IndexHandler } from "@nodewright/index-api/server";
import { createBlocksResponse } from "../blocks/block-page.ts";
import type { IndexRestContext } from "../request/context.ts";

export const getBlocks: IndexHandler<"getBlocks", IndexRestContext> = (_input, { index }) =>
  createBlocksResponse(index);
